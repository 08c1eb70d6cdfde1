import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Waveform } from '../../contract/model/waveform.ts';
import { fileStamp } from '../media/file-stamp.ts';

/** What a file holds: the peaks as base64. */
const stored = z.object({
  sliceSeconds: z.array(z.number().nonnegative().nullable()),
  peaks: z.base64(),
});

/**
 * Waveforms of recordings, each in a file of its own in the data folder, also those that are not whole yet. They can
 * always be made again.
 */
export class Waveforms {
  readonly #folder: string;
  /** What is written one after the other, so that what came last stays. */
  #written: Promise<void> = Promise.resolve();

  constructor(dataFolder: string) {
    this.#folder = join(dataFolder, 'waveforms');
  }

  /** The waveform of a recording as far as it was kept; `null` when nothing was. */
  async get(recording: string): Promise<Waveform | null> {
    try {
      const kept = await readFile(this.#pathFor(fileStamp(recording, await stat(recording))), 'utf8');
      const { sliceSeconds, peaks } = stored.parse(JSON.parse(kept));
      return { sliceSeconds, peaks: new Uint8Array(Buffer.from(peaks, 'base64')) };
    } catch {
      return null;
    }
  }

  /**
   * Keeps a waveform of the file that had this stamp; see `fileStamp`. A recording that changed is another one.
   *
   * @throws the system's error when the folder cannot be written.
   */
  keep(stamp: string, waveform: Waveform): Promise<void> {
    const writing = this.#written.then(() => this.#write(this.#pathFor(stamp), waveform));
    this.#written = writing.catch(() => undefined);
    return writing;
  }

  async #write(path: string, { sliceSeconds, peaks }: Waveform): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const draft = `${path}.${process.pid}.part`;
    try {
      await writeFile(draft, JSON.stringify({ sliceSeconds, peaks: Buffer.from(peaks).toString('base64') }));
      await rename(draft, path);
    } finally {
      await rm(draft, { force: true });
    }
  }

  #pathFor(stamp: string): string {
    return join(this.#folder, `${stamp}.json`);
  }
}
