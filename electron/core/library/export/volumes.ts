import { stat } from 'node:fs/promises';

/** The device number of each folder's volume; `null` for a missing folder. */
export type Volumes = ReadonlyMap<string, number | null>;

/** Looks up the volumes of folders, of some of them only once `signal` is aborted. */
export async function volumesOf(folders: Iterable<string>, signal?: AbortSignal): Promise<Volumes> {
  const volumes = new Map<string, number | null>();
  for (const folder of new Set(folders)) {
    if (signal?.aborted === true) break;
    volumes.set(folder, await volumeOf(folder).catch(() => null));
  }
  return volumes;
}

/**
 * Asserts that a folder is still on its volume. A removed drive may leave an empty folder at its mount point, and files
 * written there would not be on the drive.
 *
 * @throws the file system's error, or that it is another volume
 */
export async function assertSameVolume(folder: string, volume: number | null): Promise<void> {
  if ((await volumeOf(folder)) !== volume) throw new Error(`${folder} is no longer on its drive`);
}

const volumeOf = async (folder: string): Promise<number> => (await stat(folder)).dev;
