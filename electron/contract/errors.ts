/** Returns the message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the code of an error of the system or the database, such as `ENOENT` or `SQLITE_FULL`; '' if it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
