import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileStamp } from '../media/file-stamp.ts';

/** Waveforms that were computed once, each in a file of its own in the data folder. They can always be made again. */
export class Waveforms {
  readonly #folder: string;

  constructor(dataFolder: string) {
    this.#folder = join(dataFolder, 'waveforms');
  }

  /** The loudness of a recording over its length, 0 to 255; `null` when it was not computed yet. */
  async get(recording: string): Promise<Uint8Array | null> {
    try {
      return new Uint8Array(await readFile(await this.#pathFor(recording)));
    } catch {
      return null;
    }
  }

  /** @throws the system's error when the recording is gone or the folder cannot be written. */
  async keep(recording: string, peaks: Uint8Array): Promise<void> {
    const path = await this.#pathFor(recording);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const draft = `${path}.${process.pid}.part`;
    try {
      await writeFile(draft, peaks);
      await rename(draft, path);
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** A recording that changed is another one. */
  async #pathFor(recording: string): Promise<string> {
    return join(this.#folder, `${fileStamp(recording, await stat(recording))}.peaks`);
  }
}
