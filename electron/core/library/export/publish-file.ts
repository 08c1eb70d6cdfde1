import { randomInt } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import {
  access,
  link,
  lstat,
  open,
  readdir,
  realpath,
  rename,
  rm,
  unlink,
  type FileHandle,
} from 'node:fs/promises';
import { dirname, join, relative, isAbsolute } from 'node:path';
import type { CollisionPolicy } from '../../../contract/choices.ts';
import { errorCode } from '../../../contract/errors.ts';
import { makeFolder } from '../../make-folder.ts';
import { ownFiles } from '../../own-files.ts';
import { assertSameVolume } from './volumes.ts';

/** A file to create in a folder. */
export interface NewFile {
  readonly content: string | Uint8Array;
  /** Absolute path of the folder that must contain it. */
  readonly root: string;
  /** The volume on which `root` must be; if absent, any, and `root` is created if it is missing. */
  readonly volume?: number | null | undefined;
  /** Returns its path below `root` with a number, which is increased while names are taken. */
  readonly nameOf: (number: number) => string;
  readonly firstNumber: number;
  /** What to do if a file of its name exists. */
  readonly existing: CollisionPolicy;
  /** Whether a power failure must not lose it once it has its name; one that replaces another is always synced. */
  readonly syncs: boolean;
  /** Called before the file gets its name, with an identity that it keeps; see {@link isFile}. */
  readonly onPublish?: ((path: string, identity: string) => void) | undefined;
}

/** A file that was written, or the existing one of its name, which was kept. */
export type Published =
  | { readonly path: string; readonly written: true; readonly sizeBytes: number }
  | { readonly path: string; readonly written: false };

/**
 * Writes a file that appears complete or not at all. Overwrites nothing unless `existing` says so.
 *
 * @returns the path of the new file, or with `written: false` of the existing one
 * @throws the file system's error, or that the folder leads out of `root` or is on another volume
 */
export async function publishFile(file: NewFile): Promise<Published> {
  const { content, root, volume, nameOf, firstNumber, existing, onPublish } = file;
  const syncs = file.syncs || existing === 'replace';
  const first = join(root, nameOf(firstNumber));
  const folder = dirname(first);
  if (volume !== undefined) await assertSameVolume(root, volume);
  else makeFolder(root);
  await assertInside(root, await deepestExisting(folder));
  if (existing === 'skip' && (await exists(first))) return { path: first, written: false };
  makeFolder(folder);
  const sizeBytes = Buffer.byteLength(content);
  return withTemporaryFile({ content, folder, syncs }, async (temporary, identity) => {
    // Again, since a link may have taken the place of a folder before the temporary file was created in it.
    await assertInside(root, folder);
    if (existing === 'replace') {
      onPublish?.(first, identity);
      await rename(temporary, first);
      return { path: first, written: true, sizeBytes };
    }
    for (let number = firstNumber; ; number += 1) {
      const path = join(root, nameOf(number));
      onPublish?.(path, identity);
      if (await linkOrRename(temporary, path)) return { path, written: true, sizeBytes };
      if (existing === 'skip') return { path, written: false };
    }
  });
}

/** Whether the file at a path has this identity; `false` if its drive cannot be read. */
export async function isFile(path: string, identity: string): Promise<boolean> {
  try {
    return identityOf(await lstat(path, { bigint: true })) === identity;
  } catch {
    return false;
  }
}

/**
 * Returns what identifies a file. The device is not part of it: on some file systems, its number changes with each
 * mount.
 */
const identityOf = ({ ino, size, mtimeNs }: BigIntStats): string =>
  `${ino}:${size}:${mtimeNs / 1_000_000_000n}`;

/** Returns the size of what is at a path, in bytes; `null` if there is nothing or its drive cannot be read. */
export async function sizeAt(path: string): Promise<number | null> {
  try {
    return (await lstat(path)).size;
  } catch {
    return null;
  }
}

/** Whether a path exists. */
export async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}

/** Returns the folder, or its nearest parent that exists. */
async function deepestExisting(folder: string): Promise<string> {
  let path = folder;
  while (!(await exists(path)) && dirname(path) !== path) path = dirname(path);
  return path;
}

/** Throws if a folder is outside the chosen one: it may exist as a link that leads elsewhere. */
async function assertInside(root: string, folder: string): Promise<void> {
  if (root === folder) return;
  const [from, to] = await Promise.all([realpath(root), realpath(folder)]);
  const relativePath = relative(from, to);
  if (relativePath.startsWith('..') || isAbsolute(relativePath))
    throw new Error(`${folder} leads out of ${root}`);
}

/**
 * Identifies this thread of this process in the names of its temporary files. The process ID is not enough: in a
 * container, each run may have the same.
 */
export const temporaryFileOwner = `${process.pid}-${randomInt(2 ** 47)}`;
/** Temporary files created so far, for unique names. */
let temporaryFileCount = 0;

/** Writes content to a hidden file in the target folder, for `work` to publish it. */
async function withTemporaryFile<T>(
  {
    content,
    folder,
    syncs,
  }: Pick<NewFile, 'content' | 'syncs'> & {
    readonly folder: string;
  },
  work: (temporary: string, identity: string) => Promise<T>,
): Promise<T> {
  const { path, file } = await createTemporaryFile(folder);
  try {
    const identity = await writeAndClose(file, content, syncs);
    if (!cleanedFolders.has(folder)) {
      cleanedFolders.add(folder);
      await removeStaleFiles(folder, path).catch(() => undefined);
    }
    return await work(path, identity);
  } finally {
    await removeIfPresent(path);
  }
}

/** Writes and closes a file. Returns what identifies it. */
async function writeAndClose(
  file: FileHandle,
  content: string | Uint8Array,
  syncs: boolean,
): Promise<string> {
  try {
    await file.writeFile(content);
    if (syncs) await file.sync();
    return identityOf(await file.stat({ bigint: true }));
  } finally {
    await file.close();
  }
}

/** Folders from which the temporary files of killed processes were removed. */
const cleanedFolders = new Set<string>();
/** A temporary file in use is seconds old, even one of another computer on a shared drive. */
const staleMs = 3_600_000;

/** Matches the names of the temporary files of a thread, or of all threads; see {@link temporaryFileOwner}. */
export const temporaryFileForm = (owner = '\\d+-\\d+'): RegExp =>
  new RegExp(`^\\.longhand-${owner}-\\d+\\.tmp$`);

/** Removes the temporary files of killed processes, which are much older than a new one by the clock of their drive. */
async function removeStaleFiles(folder: string, newest: string): Promise<void> {
  const { mtimeMs: now } = await lstat(newest);
  for (const name of ownFiles(await readdir(folder, { withFileTypes: true }), temporaryFileForm())) {
    const path = join(folder, name);
    const { mtimeMs } = await lstat(path);
    if (now - mtimeMs > staleMs) await unlink(path);
  }
}

/** Removes a file that may have been renamed, with as few calls as possible. */
async function removeIfPresent(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Creates a new file; skips names that an earlier process may have left. */
async function createTemporaryFile(
  folder: string,
): Promise<{ readonly path: string; readonly file: FileHandle }> {
  for (;;) {
    temporaryFileCount += 1;
    const path = join(folder, `.longhand-${temporaryFileOwner}-${temporaryFileCount}.tmp`);
    const file = await createEmpty(path);
    if (file !== null) return { path, file };
  }
}

/** Creates an empty file; `null` if the name is taken. */
async function createEmpty(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'wx');
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return null;
    throw error;
  }
}

/** Error codes of file systems without hard links; the last two are from Windows on FAT and exFAT. */
const noHardLinkCodes: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EISDIR',
  'EINVAL',
]);

/** Gives a finished temporary file its name; returns `false` if the name is taken. */
async function linkOrRename(temporary: string, target: string): Promise<boolean> {
  try {
    await link(temporary, target);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (!noHardLinkCodes.has(errorCode(error))) throw error;
  }
  // Memory cards and some network drives have no hard links: an empty file reserves the name first.
  const empty = await createEmpty(target);
  if (empty === null) return false;
  await empty.close();
  try {
    await rename(temporary, target);
    return true;
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
}
