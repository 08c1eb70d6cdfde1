import { hash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Waveform } from '../../contract/waveform.ts';
import { fileStamp } from '../media/file-stamp.ts';
import { pause } from '../pause.ts';
import type { Clock } from '../ports.ts';

/** What a file holds: the peaks as base64. */
const stored = z.object({
  sliceSeconds: z.array(z.number().nonnegative().nullable()),
  peaks: z.base64(),
});

/** Recordings whose names are worked out in one go, and the rest after them, in milliseconds. */
const namesPerPause = 500;
const pauseMs = 2;

/**
 * Waveforms of recordings, each in a file of its own in the data folder, also those that are not whole yet. They can
 * always be made again. A file is named by the path of the recording, then by its state (see `fileStamp`): neither is
 * told by the name, and whose waveform it is can be found out when the recording is no longer there.
 */
export class Waveforms {
  readonly #folder: string;
  readonly #clock: Clock;
  /** What is written or removed one after the other, so that what came last stays. */
  #done: Promise<void> = Promise.resolve();

  constructor(dataFolder: string, clock: Clock) {
    this.#folder = join(dataFolder, 'waveforms');
    this.#clock = clock;
  }

  /** The waveform of a recording as far as it was kept; `null` when nothing was. */
  async get(recording: string): Promise<Waveform | null> {
    try {
      const name = nameFor(recording, fileStamp(recording, await stat(recording)));
      const { sliceSeconds, peaks } = stored.parse(
        JSON.parse(await readFile(join(this.#folder, name), 'utf8')),
      );
      return { sliceSeconds, peaks: new Uint8Array(Buffer.from(peaks, 'base64')) };
    } catch {
      return null;
    }
  }

  /**
   * Keeps a waveform of a recording whose file had this stamp; see `fileStamp`. What was kept of the recording as it was
   * before goes.
   *
   * @throws the system's error when the folder cannot be written.
   */
  keep(recording: string, stamp: string, waveform: Waveform): Promise<void> {
    return this.#afterPending(() => this.#write(recording, stamp, waveform));
  }

  /**
   * Removes what was kept of recordings that no transcript has any more.
   *
   * @param recordings gives the paths of all that any transcript has; it is asked when the other work is done.
   * @throws what it throws, or the system's error when a file cannot be removed.
   */
  removeOthers(recordings: () => readonly string[]): Promise<void> {
    return this.#afterPending(async () => {
      const kept = await readdir(this.#folder).catch(() => []);
      if (kept.length === 0) return;
      const known = new Set<string>();
      for (const [index, recording] of recordings().entries()) {
        if (index % namesPerPause === namesPerPause - 1) await pause(this.#clock, pauseMs);
        known.add(keyOf(recording));
      }
      for (const name of kept) {
        const isWhole = name.endsWith('.json');
        if (!isWhole || !known.has(name.slice(0, keyLength))) await rm(join(this.#folder, name));
      }
    });
  }

  #afterPending(work: () => Promise<void>): Promise<void> {
    const working = this.#done.then(work);
    this.#done = working.catch(() => undefined);
    return working;
  }

  async #write(recording: string, stamp: string, { sliceSeconds, peaks }: Waveform): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const name = nameFor(recording, stamp);
    const draft = join(this.#folder, `${name}.part`);
    try {
      await writeFile(draft, JSON.stringify({ sliceSeconds, peaks: Buffer.from(peaks).toString('base64') }));
      await rename(draft, join(this.#folder, name));
    } finally {
      await rm(draft, { force: true });
    }
    for (const other of await readdir(this.#folder)) {
      if (other !== name && other.startsWith(keyOf(recording))) await rm(join(this.#folder, other));
    }
  }
}

const keyLength = 32;
const keyOf = (recording: string): string => hash('sha256', recording).slice(0, keyLength);
const nameFor = (recording: string, stamp: string): string => `${keyOf(recording)}-${stamp}.json`;
