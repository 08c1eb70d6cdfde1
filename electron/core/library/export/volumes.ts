import { stat } from 'node:fs/promises';

/** The file system that each folder is on, as the system numbers them; `null` for a folder that is not there. */
export type Volumes = ReadonlyMap<string, number | null>;

/** Looks where folders are, each once. */
export async function volumesOf(folders: Iterable<string>): Promise<Volumes> {
  const volumes = new Map<string, number | null>();
  for (const folder of new Set(folders)) volumes.set(folder, await volumeOf(folder).catch(() => null));
  return volumes;
}

/**
 * Makes sure that a folder is where it was: a drive that was taken out leaves an empty folder behind, or none, and what
 * is written there then would be on no drive that anybody looks at.
 *
 * @throws the file system's error, or one that says that it is another drive.
 */
export async function assertSameVolume(folder: string, volume: number | null): Promise<void> {
  if ((await volumeOf(folder)) !== volume)
    throw new Error(`${folder} is no longer on the drive that it was on`);
}

const volumeOf = async (folder: string): Promise<number> => (await stat(folder)).dev;
