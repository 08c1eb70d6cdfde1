import { randomInt } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { isProcessAlive } from '../../store/database/lease.ts';
import { systemClock } from '../../system.ts';

const partialName = /^\.longhand-backup-\d+-\d+\.unfinished$/;
/**
 * Historic names, which files have: a draft is a partial backup, and `left` marks one that could not be removed when it
 * ended.
 */
const markerName = /^backup-draft-\d+-\d+(?<left>-left)?\.json$/;

const markerSchema = z.object({ draft: z.string(), pid: z.number(), host: z.string() });
type BackupMarker = z.infer<typeof markerSchema>;

/** A backup that is being written, in its final folder. */
export interface PartialBackup {
  readonly path: string;
  readonly folder: TrackedFolder;
  /** A file in the data folder that names it, so that a later start can remove it if this process is killed. */
  readonly marker: string;
}

/** Decides where to write a backup until it is complete; does not create the file. @throws if there is no such folder */
export function beginPartialBackup(dataFolder: string, target: string): PartialBackup {
  // A random name: in a shared folder, another user must not be able to create the file first.
  const number = `${process.pid}-${randomInt(2 ** 47)}`;
  const partial = {
    path: join(dirname(target), `.longhand-backup-${number}.unfinished`),
    folder: new TrackedFolder(dirname(target)),
    marker: join(dataFolder, `backup-draft-${number}.json`),
  };
  try {
    const content: BackupMarker = { draft: partial.path, pid: process.pid, host: hostname() };
    writeFileSync(partial.marker, JSON.stringify(content));
  } catch {
    // A full drive must not prevent a backup on another one: the marker matters only after a kill.
  }
  return partial;
}

/**
 * Removes what is left of a backup that was being written, complete or not, even if its folder was moved. If its drive
 * was removed, {@link removeAbandonedBackups} does so once the drive is back.
 */
export function removePartialBackup({ path, folder, marker }: PartialBackup): void {
  const currentFolder = folder.find();
  folder.close();
  if (currentFolder !== null && tryRemove(join(currentFolder, basename(path))))
    rmSync(marker, { force: true });
  else if (existsSync(marker)) renameSync(marker, marker.replace(/\.json$/, '-left.json'));
}

/**
 * Removes the partial backups of killed processes, and those that could not be removed before.
 *
 * @param atStart whether this process has not started any backup yet, so that one with its process ID is from an
 *   earlier process
 */
export function removeAbandonedBackups(dataFolder: string, atStart: boolean): void {
  for (const name of readdirSync(dataFolder)) {
    const parts = markerName.exec(name);
    if (parts === null) continue;
    const marker = join(dataFolder, name);
    const content = readMarker(marker);
    // A process that was killed before it wrote the marker had not started the backup.
    const couldNotBeRemoved = parts.groups?.['left'] !== undefined;
    if (content === null || removeIfAbandoned(content, mtimeOf(marker), couldNotBeRemoved, atStart))
      rmSync(marker, { force: true });
  }
}

/** Returns when a file was written, in Unix milliseconds; 0 if it is gone. */
const mtimeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * The age, in milliseconds, from which a partial backup of a computer with another name counts as abandoned. It may be
 * of this computer, whose name can change with the network.
 */
const abandonedAfterMs = 86_400_000;

/**
 * Removes a partial backup that no process is writing. Returns whether its marker can be removed.
 *
 * @param beganAt Unix milliseconds
 */
function removeIfAbandoned(
  { draft: path, pid, host }: BackupMarker,
  beganAt: number,
  couldNotBeRemoved: boolean,
  atStart: boolean,
): boolean {
  // An empty folder may be the mount point of its drive.
  if (couldNotBeRemoved) return existsSync(path) && tryRemove(path);
  // The other computer may have written it to a folder of its own that has the same path.
  if (host !== hostname())
    return systemClock.now() - beganAt > abandonedAfterMs && existsSync(path) && tryRemove(path);
  const isBeingWritten = pid === process.pid ? !atStart : isProcessAlive(pid);
  return !isBeingWritten && existsSync(dirname(path)) && tryRemove(path);
}

/** Removes a partial backup and SQLite's files next to it. Returns whether that succeeded. */
function tryRemove(path: string): boolean {
  try {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
    return true;
  } catch {
    return false;
  }
}

function readMarker(path: string): BackupMarker | null {
  try {
    const { success, data } = markerSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return success && partialName.test(basename(data.draft)) ? data : null;
  } catch {
    return null;
  }
}

/** A folder in use that may be moved, or whose drive may be removed. */
export class TrackedFolder {
  readonly #path: string;
  readonly #device: bigint;
  readonly #inode: bigint;
  /** `null` on Windows, which does not open folders, and does not move one with an open file. */
  readonly #handle: number | null;

  /** @throws if there is no such folder, or it cannot be read */
  constructor(path: string) {
    const { dev, ino } = statSync(path, { bigint: true });
    this.#path = path;
    this.#device = dev;
    this.#inode = ino;
    this.#handle = process.platform === 'win32' ? null : openSync(path, 'r');
  }

  /** Whether the folder is still at its path. */
  get isInPlace(): boolean {
    return this.#isAt(this.#path);
  }

  /** Returns its current path; `null` if there is none, for example after its drive was removed. */
  find(): string | null {
    return [this.#path, this.#currentPath()].find((path) => path !== null && this.#isAt(path)) ?? null;
  }

  close(): void {
    if (this.#handle !== null) closeSync(this.#handle);
  }

  #isAt(path: string): boolean {
    try {
      const { dev, ino } = statSync(path, { bigint: true });
      return dev === this.#device && ino === this.#inode;
    } catch {
      return false;
    }
  }

  /** Returns its path according to the system, which may be out of date. */
  #currentPath(): string | null {
    // macOS also has paths by inode number.
    if (process.platform === 'darwin') return `/.vol/${this.#device}/${this.#inode}`;
    if (process.platform !== 'linux' || this.#handle === null) return null;
    try {
      return readlinkSync(`/proc/self/fd/${this.#handle}`);
    } catch {
      return null;
    }
  }
}
