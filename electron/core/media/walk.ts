import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../../contract/problem.ts';
import { NotAFileError, pathProblem } from './open-file.ts';
import { hasMediaExtension } from './detect-media.ts';

/** What a walk finds. */
export type WalkResult =
  | { readonly kind: 'file'; readonly path: string }
  /** A folder or file that cannot be read; the walk continues. */
  | { readonly kind: 'unreadable'; readonly path: string; readonly problem: Problem };

/** Folders that operating systems and NAS devices create for their own use. */
const systemFolders: ReadonlySet<string> = new Set([
  '$RECYCLE.BIN',
  'System Volume Information',
  'lost+found',
  '__MACOSX',
  '@eaDir',
  '#recycle',
]);

/** Whether an entry of a folder is visible to users. */
export const isVisibleName = (name: string): boolean => !name.startsWith('.') && !systemFolders.has(name);

const byName = new Intl.Collator('en', { numeric: true });
/** With more entries, the natural order takes too long. */
const maxNaturallySorted = 20_000;

/**
 * Yields all files below a folder: first its own, then those of its subfolders, each in natural order ("Take 2" before
 * "Take 10"). Symbolic links are followed unless `followLinks` is `false`; each folder is entered once, so cycles end.
 * Hidden entries are skipped.
 *
 * @throws the signal's reason when it is aborted.
 */
export async function* walk(
  folder: string,
  signal: AbortSignal,
  { followLinks = true }: { readonly followLinks?: boolean } = {},
): AsyncGenerator<WalkResult> {
  const entered = new Set<string>();
  const pending = [folder];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    signal.throwIfAborted();
    try {
      const { dev, ino } = await stat(path, { bigint: true });
      const identity = `${dev}:${ino}`;
      if (ino !== 0n && entered.has(identity)) continue;
      entered.add(identity);
      const folders: string[] = [];
      for (const entry of await visibleEntries(path)) {
        if (!followLinks && entry.isSymbolicLink()) continue;
        const found = await resolveEntry(entry, join(path, entry.name));
        if (found?.kind === 'folder') folders.push(found.path);
        else if (found !== null) yield found;
      }
      for (const one of folders.reverse()) pending.push(one);
    } catch (error) {
      yield { kind: 'unreadable', path, problem: pathProblem(path, error) };
    }
  }
}

async function visibleEntries(path: string): Promise<Dirent[]> {
  const entries = await readdir(path, { withFileTypes: true });
  const visible = entries.filter(({ name }) => isVisibleName(name));
  return sortNaturally(visible, ({ name }) => name);
}

/** Sorts by names in natural order ("Take 2" before "Take 10"); more than 20,000 by their characters. */
export function sortNaturally<T>(list: T[], nameOf: (one: T) => string): T[] {
  return list.length > maxNaturallySorted
    ? list.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    : list.sort((a, b) => byName.compare(nameOf(a), nameOf(b)));
}

/**
 * Returns the file or folder that an entry is or links to. Others, such as devices, are unreadable if they have a media
 * extension, and `null` if not.
 */
async function resolveEntry(
  entry: Dirent,
  path: string,
): Promise<WalkResult | { readonly kind: 'folder'; readonly path: string } | null> {
  let target: Pick<Dirent, 'isFile' | 'isDirectory'> = entry;
  if (entry.isSymbolicLink()) {
    try {
      target = await stat(path);
    } catch (error) {
      return { kind: 'unreadable', path, problem: pathProblem(path, error) };
    }
  }
  if (target.isFile()) return { kind: 'file', path };
  if (target.isDirectory()) return { kind: 'folder', path };
  return hasMediaExtension(path)
    ? { kind: 'unreadable', path, problem: pathProblem(path, new NotAFileError(path)) }
    : null;
}
