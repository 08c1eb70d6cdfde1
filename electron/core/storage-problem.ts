import { ProblemError, type Problem } from '../contract/problem.ts';

/** Converts an error of the local disk or database to a problem. */
export function storageProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const detail = error instanceof Error ? error.message : String(error);
  // The database is closed once another process has taken over the folder.
  if (detail === 'The database connection is not open') return { code: 'data_folder_in_use', detail };
  return { code: code === 'SQLITE_FULL' || code === 'ENOSPC' ? 'disk_full' : 'internal', detail };
}
