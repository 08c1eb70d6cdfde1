import { hash } from 'node:crypto';
import type { Stats } from 'node:fs';

/** Names a file as it is now, without telling its path: another file, or the same one changed, has another name. */
export function fileStamp(path: string, { size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): string {
  return hash('sha256', `${path}\0${size}\0${mtimeMs}`).slice(0, 32);
}
