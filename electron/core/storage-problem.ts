import { ProblemError, type Problem } from '../contract/problem.ts';

/** The words for an error of our own disk or database. */
export function storageProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const detail = error instanceof Error ? error.message : String(error);
  // What the database says once the folder has been left to the process that has taken it.
  if (detail === 'The database connection is not open') return { code: 'data_folder_in_use', detail };
  return { code: code === 'SQLITE_FULL' || code === 'ENOSPC' ? 'disk_full' : 'internal', detail };
}
