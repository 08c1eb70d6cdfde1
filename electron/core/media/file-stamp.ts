import { hash } from 'node:crypto';
import type { Stats } from 'node:fs';

/** Returns an ID of a file's current version that does not reveal its path. It changes with the file. */
export function fileStamp(path: string, { size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): string {
  return hash('sha256', `${path}\0${size}\0${mtimeMs}`).slice(0, 32);
}
