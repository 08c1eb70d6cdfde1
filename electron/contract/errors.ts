/** Returns the message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Codes of a full disk or an exhausted quota. `SQLITE_IOERR_SHMSIZE`: the file of SQLite's shared memory cannot grow. */
const diskFullCodes: ReadonlySet<string> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'SQLITE_FULL',
  'SQLITE_IOERR_SHMSIZE',
]);

/** Whether an error of the system or the database says that the disk is full. */
export const isDiskFull = (error: unknown): boolean => diskFullCodes.has(errorCode(error));

/** Whether a file is too large for its file system, which no free space changes. */
export const isTooLargeForDisk = (error: unknown): boolean => errorCode(error) === 'EFBIG';

/** Codes of too many open files or processes, too little memory, and a drive that cannot be read. */
const computerFaultCodes: ReadonlySet<string> = new Set(['EIO', 'EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** Whether an error is a fault of the computer that may pass, and says nothing about a file. */
export const isComputerFault = (error: unknown): boolean =>
  computerFaultCodes.has(errorCode(error)) || (isDiskFull(error) && !isTooLargeForDisk(error));

/** Returns the code of an error of the system or the database, such as `ENOENT` or `SQLITE_FULL`; '' if it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
