import { errorCode, errorMessage, isDiskFull } from '../contract/errors.ts';
import { ProblemError, type Problem, type ProblemCode } from '../contract/problem.ts';

/** Converts an error of the local disk or database to a problem. */
export function storageProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  const detail = errorMessage(error);
  // The database is closed once another process has taken over the folder.
  if (detail === 'The database connection is not open') return { code: 'data_folder_in_use', detail };
  return { code: isDiskFull(error) ? 'disk_full' : 'internal', detail };
}

/** Errors of the database that are caused by the data and not by the disk. */
const dataErrors = /^SQLITE_(?:CONSTRAINT(?!_TRIGGER)|TOOBIG|MISMATCH|RANGE)/;

/** Whether an error means that nothing can be stored now; other errors affect only one operation. */
export function isStorageError(error: unknown): boolean {
  if (error instanceof ProblemError) return storageCodes.has(error.problem.code);
  const code = errorCode(error);
  if (code.startsWith('SQLITE_')) return !dataErrors.test(code);
  return diskErrors.has(code) || storageProblem(error).code === 'data_folder_in_use';
}

/** Stores something that may be lost on a full disk. @throws what is not a storage error. */
export function storeIfPossible(store: () => void): void {
  try {
    store();
  } catch (error) {
    if (!isStorageError(error)) throw error;
  }
}

const storageCodes: ReadonlySet<string> = new Set([
  'disk_full',
  'data_folder_in_use',
  'data_folder_unwritable',
] satisfies ProblemCode[]);
const diskErrors: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']);
