import { hash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Waveform } from '../../contract/waveform.ts';
import { fileStamp } from '../media/file-stamp.ts';
import { delay } from '../delay.ts';
import { ownFiles } from '../own-files.ts';
import type { Clock } from '../ports.ts';

/** The content of a file; peaks are base64. */
const fileSchema = z.object({
  sliceSeconds: z.array(z.number().nonnegative().nullable()),
  peaks: z.base64(),
});

/** File names that are computed without a pause, and the pause. */
const namesPerPause = 500;
const pauseMs = 2;

/**
 * Caches the waveforms of recordings, complete or not, each in a file in the data folder. The file name is a hash of
 * the recording's path, then its stamp (see `fileStamp`): it does not reveal the path, but the waveform of a missing
 * recording can be recognized.
 */
export class Waveforms {
  readonly #folder: string;
  readonly #clock: Clock;
  /** Serialises writes and removals, so that the last write wins. */
  #pending: Promise<void> = Promise.resolve();

  constructor(dataFolder: string, clock: Clock) {
    this.#folder = join(dataFolder, 'waveforms');
    this.#clock = clock;
  }

  /** Returns the cached waveform of a recording; `null` if there is none. */
  async get(recording: string): Promise<Waveform | null> {
    try {
      const name = nameFor(recording, fileStamp(recording, await stat(recording)));
      const { sliceSeconds, peaks } = fileSchema.parse(
        JSON.parse(await readFile(join(this.#folder, name), 'utf8')),
      );
      return { sliceSeconds, peaks: new Uint8Array(Buffer.from(peaks, 'base64')) };
    } catch {
      return null;
    }
  }

  /**
   * Stores the waveform of a recording whose file had this stamp, and removes those with other stamps.
   *
   * @throws the system's error if the folder cannot be written
   */
  store(recording: string, stamp: string, waveform: Waveform): Promise<void> {
    return this.#afterPending(() => this.#write(recording, stamp, waveform));
  }

  /**
   * Removes the waveforms of recordings that no longer belong to a transcript.
   *
   * @param recordings returns the paths of all recordings; called after pending work
   * @throws what `recordings` throws, or the system's error if a file cannot be removed
   */
  removeOthers(recordings: () => readonly string[]): Promise<void> {
    return this.#afterPending(async () => {
      const names = await this.#names().catch(() => []);
      if (names.length === 0) return;
      const usedKeys = new Set<string>();
      for (const [index, recording] of recordings().entries()) {
        if (index % namesPerPause === namesPerPause - 1) await delay(this.#clock, pauseMs);
        usedKeys.add(keyOf(recording));
      }
      for (const name of names) {
        const isComplete = name.endsWith('.json');
        if (!isComplete || !usedKeys.has(name.slice(0, keyLength))) await rm(join(this.#folder, name));
      }
    });
  }

  async #names(): Promise<readonly string[]> {
    return ownFiles(await readdir(this.#folder, { withFileTypes: true }), fileName);
  }

  #afterPending(work: () => Promise<void>): Promise<void> {
    const done = this.#pending.then(work);
    this.#pending = done.catch(() => undefined);
    return done;
  }

  async #write(recording: string, stamp: string, { sliceSeconds, peaks }: Waveform): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const name = nameFor(recording, stamp);
    const partial = join(this.#folder, `${name}.part`);
    try {
      await writeFile(
        partial,
        JSON.stringify({ sliceSeconds, peaks: Buffer.from(peaks).toString('base64') }),
      );
      await rename(partial, join(this.#folder, name));
    } finally {
      await rm(partial, { force: true });
    }
    for (const other of await this.#names()) {
      if (other !== name && other.startsWith(keyOf(recording))) await rm(join(this.#folder, other));
    }
  }
}

const keyLength = 32;
/** Older versions named the file only by the stamp. */
const fileName = /^[\da-f]{32}(?:-[\da-f]{32})?\.json(?:\.part)?$/;
const keyOf = (recording: string): string => hash('sha256', recording).slice(0, keyLength);
const nameFor = (recording: string, stamp: string): string => `${keyOf(recording)}-${stamp}.json`;
