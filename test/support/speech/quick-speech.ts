import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Segment } from '../../../electron/contract/segment-schema.ts';
import { DecodeError, type Decoder } from '../../../electron/on-device/decode/decoder.ts';
import type {
  SpeechEngine,
  SpeechRequest,
  SpeechResult,
} from '../../../electron/on-device/engine/speech-engine.ts';

/**
 * Test doubles for decoding and transcribing: fast, with scripted results. Real speech is tested in
 * `test/service/speech.long.test.ts`.
 */

const sampleRate = 16_000;

/**
 * A decoder double. It reads the duration from a WAV file made by {@link silentWav}, and returns silence of that
 * duration.
 */
export const quickDecoder: Decoder = {
  async open(path) {
    const head = (await readFile(path)).subarray(0, 44);
    if (head.length < 44 || head.toString('latin1', 0, 4) !== 'RIFF')
      throw new DecodeError('broken', 'This is not a WAV file.');
    const samples = head.readUInt32LE(40) / 2;
    return {
      durationSeconds: samples / sampleRate,
      hasVideo: false,
      damage: () => ({ unreadableSeconds: 0, omittedSeconds: 0 }),
      async *samples() {
        for (let left = samples; left > 0; left -= sampleRate) {
          yield new Float32Array(Math.min(left, sampleRate));
        }
      },
      close: async () => undefined,
    };
  },
};

/** The behaviour of the engine double. */
export interface Script {
  /** The result; `[]` for silence. */
  readonly segments: readonly Segment[];
  readonly language?: string | null;
  /** Milliseconds per second of audio. */
  readonly msPerSecond?: number;
  /** Fails with this error after the last second. */
  readonly error?: Error;
}

export const defaultScript: Script = {
  language: 'en',
  segments: [
    { start: 0, end: 0.5, text: 'The quick brown fox' },
    { start: 0.5, end: 1, text: 'jumps over the lazy dog.' },
  ],
};

/**
 * One request to a double. Each segment of the script is a window, after which the work can be resumed; those after the
 * end of the audio still belong to the result.
 */
class ScriptedRun {
  readonly #script: Script;
  readonly #request: SpeechRequest;
  readonly #segments: readonly Segment[];
  #reported = 0;

  constructor(script: Script, request: SpeechRequest) {
    this.#script = script;
    this.#request = request;
    this.#segments = script.segments.filter(({ start }) => start >= this.#startSeconds);
  }

  /** Yields the position in seconds after each chunk of the audio that is not transcribed yet. */
  async *positions(): AsyncGenerator<number> {
    let count = 0;
    for await (const chunk of this.#request.samples) {
      count += chunk.length;
      if (count > this.#startSeconds * sampleRate) yield count / sampleRate;
    }
  }

  report(seconds: number): void {
    this.#request.onProgress(seconds);
    for (let next = this.#next; next !== undefined && next.end <= seconds; next = this.#next) {
      this.#request.onWindow?.({
        keptSegments: this.#reported++,
        added: [next],
        language: this.#script.language ?? null,
        checkpoint: {
          atSamples: next.end * sampleRate,
          voices: { atSamples: 0, state: null },
          endSeconds: next.end,
          languages: { windows: 0, sums: {} },
          previous: null,
        },
      });
    }
  }

  end(): SpeechResult {
    if (this.#script.error !== undefined) throw this.#script.error;
    return { language: this.#script.language ?? null, segments: this.#segments, speedKey: null };
  }

  get #next(): Segment | undefined {
    return this.#segments[this.#reported];
  }

  get #startSeconds(): number {
    return (this.#request.checkpoint?.atSamples ?? 0) / sampleRate;
  }
}

/** Returns segments of a second each, with different texts. */
export const sentencesOf = (count: number): readonly Segment[] =>
  Array.from({ length: count }, (_, i) => ({ start: i, end: i + 1, text: `Sentence ${i + 1}.` }));

/** A double of the speech engine: counts the seconds of its audio and returns the segments of its script. */
export function quickEngine(script: Script = defaultScript): SpeechEngine {
  return {
    async transcribe(request) {
      const { signal } = request;
      const run = new ScriptedRun(script, request);
      for await (const seconds of run.positions()) {
        signal.throwIfAborted();
        if (script.msPerSecond !== undefined) await sleep(script.msPerSecond, null, { signal });
        run.report(seconds);
      }
      signal.throwIfAborted();
      return run.end();
    },
    close: async () => undefined,
  };
}

/** Returns a WAV file of silence: 16 kHz, mono, 16 bit. With `sizeBytes` it is padded or cut to exactly that size. */
export function silentWav(seconds: number, sizeBytes?: number): Buffer {
  const dataBytes = Math.round(seconds * sampleRate) * 2;
  const wave = Buffer.alloc(Math.max(44, sizeBytes ?? 44 + dataBytes));
  wave.write('RIFF', 0, 'latin1');
  wave.writeUInt32LE(36 + dataBytes, 4);
  wave.write('WAVEfmt ', 8, 'latin1');
  wave.writeUInt32LE(16, 16);
  wave.writeUInt16LE(1, 20);
  wave.writeUInt16LE(1, 22);
  wave.writeUInt32LE(sampleRate, 24);
  wave.writeUInt32LE(sampleRate * 2, 28);
  wave.writeUInt16LE(2, 32);
  wave.writeUInt16LE(16, 34);
  wave.write('data', 36, 'latin1');
  wave.writeUInt32LE(dataBytes, 40);
  return wave;
}

/**
 * A double of the speech engine that stops at each second of audio until the test lets it continue, so that a test can
 * examine every state for as long as it likes.
 */
export class SteppedEngine implements SpeechEngine {
  readonly #script: Script;
  #allowed = 0;
  #wake = Promise.withResolvers<void>();
  /** All calls, in order. */
  readonly requests: SpeechRequest[] = [];
  /** Number of cancelled calls. */
  cancelled = 0;

  constructor(script: Script = defaultScript) {
    this.#script = script;
  }

  get calls(): number {
    return this.requests.length;
  }

  /** Allows this many seconds more; `Infinity` for everything. */
  allow(seconds: number): void {
    this.#allowed += seconds;
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  async transcribe(request: SpeechRequest): Promise<SpeechResult> {
    this.requests.push(request);
    const { signal } = request;
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    const run = new ScriptedRun(this.#script, request);
    for await (const seconds of run.positions()) {
      while (this.#allowed < 1 && !signal.aborted) await Promise.race([this.#wake.promise, aborted]);
      if (signal.aborted) {
        this.cancelled++;
        throw signal.reason;
      }
      this.#allowed--;
      run.report(seconds);
    }
    return run.end();
  }

  async close(): Promise<void> {}
}

/** Saves a recording of silence in a folder, with a different duration for each name, and returns its path. */
export async function putSilentRecording(folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  await writeFile(path, silentWav(name.length));
  return path;
}
