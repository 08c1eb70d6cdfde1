import type { Problem } from '../../contract/problem.ts';
import { NotAFileError } from './open-file.ts';

/** What stands in the way of reading a path that somebody gave. */
export function pathProblem(path: string, error: unknown): Problem {
  if (error instanceof NotAFileError) return { code: 'not_a_file', params: { path } };
  const code = error instanceof Error && 'code' in error ? error.code : '';
  const missing = code === 'ENOENT' || code === 'ENOTDIR';
  return {
    code: missing ? 'path_missing' : 'path_unreadable',
    params: { path },
    detail: error instanceof Error ? error.message : String(error),
  };
}
