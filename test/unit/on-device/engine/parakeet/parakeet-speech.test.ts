import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { wordsOf } from '../../../../../electron/core/transcript/word-times.ts';
import {
  ParakeetModel,
  type Recognizer,
} from '../../../../../electron/on-device/engine/parakeet/parakeet-model.ts';
import { createParakeetSpeech } from '../../../../../electron/on-device/engine/parakeet/parakeet-speech.ts';
import type { EmittedToken } from '../../../../../electron/on-device/engine/parakeet/tdt-decoding.ts';
import {
  checkpointSchema,
  type Transcription,
  type WindowUpdate,
} from '../../../../../electron/on-device/engine/speech-engine.ts';
import type {
  TranscriptionSettings,
  SpeechModel,
  WindowResult,
} from '../../../../../electron/on-device/engine/speech-model.ts';
import { transcribe, type TranscriptionTask } from '../../../../../electron/on-device/engine/transcriber.ts';
import { frameSamples, type Frame } from '../../../../../electron/on-device/engine/voice/frame.ts';
import { VoiceDetector } from '../../../../../electron/on-device/engine/voice/voice-detector.ts';
import { Interrupt, InterruptedError } from '../../../../../electron/on-device/engine/whisper/interrupt.ts';
import {
  inChunks,
  join16k,
  kennedy,
  music,
  noise,
  readWav,
  sampleRate,
  silence,
} from '../../../../support/speech/speech-audio.ts';
import { standInParakeet } from '../../../../support/speech/stand-in-parakeet.ts';

/** What a recognizer returns for the seconds of audio of its call. */
type Script = (seconds: number, call: number) => readonly EmittedToken[];

const texts = ['', ...Array.from({ length: 60 }, (_, i) => ` w${i}`)];

/** A word in each half second until some time, another one in each window. */
const wordsUntil = (end: number, call: number): readonly EmittedToken[] =>
  Array.from({ length: Math.floor(end / 0.48) }, (_, i) => ({
    token: 1 + ((i + 7 * call) % 60),
    frame: 6 * i + 1,
    duration: 4,
    probability: 0.9,
  }));

/** The same words in each window. */
const sameWords: Script = (seconds) => wordsUntil(seconds, 0);

/** A recognizer that records how many seconds it hears. */
class ScriptedRecognizer implements Recognizer {
  readonly texts = texts;
  readonly heard: number[] = [];
  readonly #script: Script;

  constructor(script: Script = wordsUntil) {
    this.#script = script;
  }

  async recognize(samples: Float32Array): Promise<readonly EmittedToken[]> {
    const seconds = samples.length / sampleRate;
    this.heard.push(seconds);
    return this.#script(seconds, this.heard.length);
  }
}

/** A Whisper that writes a text for each window, or nothing, and records its recordings. */
class ScriptedWhisper {
  readonly recordings: TranscriptionSettings[] = [];
  readonly windows: number[] = [];
  detections = 0;
  readonly #language: string;
  readonly #text: string | null;
  readonly #changes: Partial<WindowResult>;

  /** @param changes to what it returns for each window */
  constructor(language = 'en', text: string | null = 'whispered', changes: Partial<WindowResult> = {}) {
    this.#language = language;
    this.#text = text;
    this.#changes = changes;
  }

  languages = async (): Promise<ReadonlyMap<string, number>> => {
    this.detections++;
    return new Map([
      [this.#language, 0.9],
      ['xx', 0.1],
    ]);
  };

  speech = async (): Promise<SpeechModel> => ({
    createTranscriber: (recording) => {
      this.recordings.push(recording);
      return {
        maxWindowSeconds: 30,
        language: recording.language,
        snapshot: { languages: { windows: 0, sums: {} }, previous: null },
        transcribeWindow: async (window): Promise<WindowResult> => {
          this.windows.push(window.seconds);
          const end = window.endSample / sampleRate;
          const segments = this.#text === null ? [] : [{ start: window.start, end, text: this.#text }];
          return { segments, doneUntil: window.seconds, isIncomplete: false, ...this.#changes };
        },
        joinAtSeam: async (_before, after) => after,
      };
    },
    release: async () => undefined,
  });
}

/** A recording with voice in some stretches, in seconds. */
function voicesIn(
  seconds: number,
  ...voiced: readonly (readonly [number, number])[]
): TranscriptionTask['voiceDetector'] {
  return {
    async *frames(): AsyncGenerator<Frame> {
      for (let start = 0; start < seconds * sampleRate; start += frameSamples) {
        const at = start / sampleRate;
        yield {
          samples: new Float32Array(frameSamples),
          start,
          voiced: voiced.some(([from, to]) => at >= from && at < to),
        };
      }
    },
  };
}

const speaking = (seconds: number): TranscriptionTask['voiceDetector'] => voicesIn(seconds, [0, seconds]);

async function run(
  model: Recognizer,
  whisper: ScriptedWhisper,
  changes: Partial<TranscriptionTask> = {},
): Promise<Transcription> {
  return transcribe({
    model: createParakeetSpeech({ model, languages: ['en', 'de'], whisper, release: async () => undefined }),
    voiceDetector: voicesIn(6, [0.5, 5.5]),
    samples: inChunks(new Float32Array(0)),
    language: 'en',
    translateToEnglish: false,
    terms: [],
    onProgress: () => undefined,
    onWindow: () => undefined,
    checkpoint: null,
    interrupt: new Interrupt(),
    ...changes,
  });
}

describe('windows of Parakeet', () => {
  it('are at most 20 s long and end in pauses', async () => {
    const model = new ScriptedRecognizer();
    const voices = voicesIn(50, [0.5, 16], [16.6, 32], [32.6, 49]);
    const { segments } = await run(model, new ScriptedWhisper(), { voiceDetector: voices });
    expect(Math.max(...model.heard)).toBeLessThanOrEqual(20);
    expect(model.heard.length).toBe(3);
    expect(segments.map(({ text }) => text).join(' ')).not.toContain('whispered');
    expect(segments.at(-1)!.end).toBeGreaterThan(48);
  });

  it('that are cut while somebody speaks leave their last word to the next one', async () => {
    const model = new ScriptedRecognizer();
    const { segments } = await run(model, new ScriptedWhisper(), { voiceDetector: speaking(30) });
    const [first = 0, second = 0] = model.heard;
    expect(first).toBeCloseTo(20, 1);
    // The word at 19.28 s, and a moment before it.
    expect(first + second).toBeGreaterThan(30.5);
    const words = segments.flatMap((segment) => wordsOf(segment)!);
    expect(words.length).toBeGreaterThan(58);
    for (const [i, { start }] of words.entries())
      expect(start).toBeGreaterThanOrEqual(words[i - 1]?.start ?? 0);
  });

  it('keep their last word when nothing follows in the recording', async () => {
    const model = new ScriptedRecognizer();
    const { segments } = await run(model, new ScriptedWhisper(), { voiceDetector: speaking(6) });
    expect(model.heard.length).toBe(1);
    expect(segments.flatMap((segment) => wordsOf(segment)!).length).toBe(12);
  });

  it('keep nothing from one to the next, so that work continues at each checkpoint', async () => {
    const updates: WindowUpdate[] = [];
    const voices = voicesIn(60, [0.5, 15], [15.5, 30], [31, 59]);
    const whole = await run(new ScriptedRecognizer(sameWords), new ScriptedWhisper(), {
      voiceDetector: voices,
      onWindow: (update) => updates.push(update),
    });
    const { checkpoint } = updates.find((update) => update.checkpoint !== null)!;
    const parsed = checkpointSchema.parse(JSON.parse(JSON.stringify(checkpoint)));
    const rest = await run(new ScriptedRecognizer(sameWords), new ScriptedWhisper(), {
      voiceDetector: voices,
      checkpoint: parsed,
    });
    expect(rest.segments.length).toBeGreaterThan(0);
    expect(whole.segments.slice(-rest.segments.length)).toEqual(rest.segments);
  });
});

it('any output ends, in order, with all windows heard', async () => {
  const token = fc.record({
    token: fc.nat(60),
    step: fc.nat(40),
    duration: fc.nat(4),
    probability: fc.constant(0.5),
  });
  const outputs = fc.array(fc.array(token, { maxLength: 20 }), { minLength: 1, maxLength: 4 });
  const stretch = fc.record({ quiet: fc.nat(20), voice: fc.nat(45) });
  await fc.assert(
    fc.asyncProperty(
      outputs,
      fc.array(stretch, { maxLength: 3 }),
      fc.boolean(),
      async (all, parts, whispers) => {
        let seconds = 0;
        const voiced = parts.map(({ quiet, voice }): [number, number] => {
          const from = seconds + quiet;
          seconds = from + voice;
          return [from, seconds];
        });
        const model = new ScriptedRecognizer((heard, call) => {
          let frame = 0;
          return all[call % all.length]!.map(({ step, ...one }) => {
            frame = Math.min(frame + step, Math.floor(heard / 0.08));
            return { ...one, frame };
          });
        });
        const progress: number[] = [];
        const { segments } = await run(model, new ScriptedWhisper('en', whispers ? 'whispered' : null), {
          voiceDetector: voicesIn(seconds + 1, ...voiced),
          onProgress: (done) => progress.push(done),
        });
        expect(progress).toEqual(progress.toSorted((a, b) => a - b));
        let end = 0;
        for (const segment of segments) {
          expect(segment.start).toBeGreaterThanOrEqual(end);
          expect(segment.end).toBeGreaterThan(segment.start);
          ({ end } = segment);
        }
        expect(Math.max(0, ...model.heard)).toBeLessThanOrEqual(20.2);
        // Each second of voice is heard a bounded number of times.
        const heard = model.heard.reduce((sum, one) => sum + one, 0);
        expect(heard).toBeLessThan(20 * (seconds + 10));
      },
    ),
    { numRuns: 25 },
  );
});

describe('a window with voice and without text', () => {
  it('is heard again 0.2 s later', async () => {
    const model = new ScriptedRecognizer((seconds, call) => (call === 1 ? [] : wordsUntil(seconds, call)));
    const whisper = new ScriptedWhisper();
    const { segments } = await run(model, whisper);
    const [first = 0, second = 0] = model.heard;
    expect(first - second).toBeCloseTo(0.2, 1);
    expect(whisper.windows).toEqual([]);
    // The first word, at 0.08 s, of a window that begins 0.3 s before the voice, but 0.19 s later.
    expect(segments[0]!.start).toBeCloseTo(0.5, 1);
    expect(wordsOf(segments[0]!)![1]!.start).toBeCloseTo(0.2 + 0.19 + 7 * 0.08, 1);
  });

  it('is heard again after 0.2 s of silence when somebody speaks from its start', async () => {
    const model = new ScriptedRecognizer((seconds, call) => (call === 1 ? [] : wordsUntil(seconds, call)));
    const { segments } = await run(model, new ScriptedWhisper(), { voiceDetector: speaking(6) });
    const [first = 0, second = 0] = model.heard;
    expect(second - first).toBeCloseTo(0.2, 1);
    expect(segments[0]!.start).toBeGreaterThanOrEqual(0);
  });

  it('is then heard by Whisper, in the same language and with the known terms', async () => {
    const model = new ScriptedRecognizer(() => []);
    const whisper = new ScriptedWhisper();
    const { segments, language } = await run(model, whisper, { language: 'de', terms: ['Lindqvist'] });
    expect(segments.map(({ text }) => text)).toEqual(['whispered']);
    expect(whisper.recordings).toMatchObject([{ language: 'de', terms: ['Lindqvist'] }]);
    expect(model.heard.length).toBe(2);
    expect(language).toBe('de');
  });

  it('has no text when Whisper finds none either', async () => {
    const whisper = new ScriptedWhisper('en', null);
    expect((await run(new ScriptedRecognizer(() => []), whisper)).segments).toEqual([]);
    expect(whisper.windows.length).toBe(1);
  });

  it('keeps a part of a text when Whisper finds none', async () => {
    const model = new ScriptedRecognizer(() => wordsUntil(2, 0));
    const { segments } = await run(model, new ScriptedWhisper('en', null));
    expect(segments.map(({ text }) => text)).toEqual(['w0 w1 w2 w3']);
  });

  it.each([
    ['nothing where words are missing', 0.5, 2],
    ['less', 3, 3.5],
    ['almost the same', 0.5, 2.2],
  ])('keeps a part of a text when Whisper finds %s', async (_, start, end) => {
    const model = new ScriptedRecognizer(() => wordsUntil(2, 0));
    const whisper = new ScriptedWhisper('en', null, { segments: [{ start, end, text: 'whispered' }] });
    const { segments } = await run(model, whisper);
    expect(segments.map(({ text }) => text).join(' ')).not.toContain('whispered');
    expect(segments.length).toBe(1);
  });

  it('keeps the text with less omitted of two', async () => {
    const long = wordsUntil(2, 0).flatMap((one) => [one, { ...one, frame: one.frame + 2, duration: 1 }]);
    const model = new ScriptedRecognizer((_, call) => (call === 1 ? long : wordsUntil(2.6, 0)));
    const { segments } = await run(model, new ScriptedWhisper('en', null));
    expect(segments.map(({ text }) => text)).toEqual(['w0 w1 w2 w3 w4']);
  });

  it('is heard again in shorter windows when Whisper asks for them', async () => {
    const model = new ScriptedRecognizer((seconds, call) => (seconds > 12 ? [] : wordsUntil(seconds, call)));
    const whisper = new ScriptedWhisper('en', null, { doneUntil: 0, isIncomplete: true });
    const { segments } = await run(model, whisper, { voiceDetector: voicesIn(16, [0.5, 8], [8.5, 15.5]) });
    expect(whisper.windows.length).toBe(1);
    expect(segments.at(-1)!.end).toBeGreaterThan(14.5);
  });

  it('is heard by Whisper when a sentence is missing', async () => {
    const model = new ScriptedRecognizer(() => wordsUntil(2, 0));
    expect((await run(model, new ScriptedWhisper())).segments.map(({ text }) => text)).toEqual(['whispered']);
  });
});

describe('the language', () => {
  it('is detected by Whisper until it is certain, and then no more', async () => {
    const whisper = new ScriptedWhisper('de');
    const model = new ScriptedRecognizer();
    const { language } = await run(model, whisper, {
      language: 'auto',
      voiceDetector: voicesIn(50, [0.5, 16], [16.6, 49]),
    });
    expect(language).toBe('de');
    expect(whisper.detections).toBe(1);
    expect(whisper.windows).toEqual([]);
    expect(model.heard.length).toBeGreaterThan(1);
  });

  it('is not detected when it is chosen', async () => {
    const whisper = new ScriptedWhisper('de');
    expect((await run(new ScriptedRecognizer(), whisper)).language).toBe('en');
    expect(whisper.detections).toBe(0);
  });

  it.each([
    { language: 'auto', detected: 'ja' },
    { language: 'ja', detected: 'en' },
  ])('that it does not know goes to Whisper: $language, $detected', async ({ language, detected }) => {
    const whisper = new ScriptedWhisper(detected);
    const model = new ScriptedRecognizer();
    expect(await run(model, whisper, { language })).toMatchObject({
      language: 'ja',
      segments: [{ text: 'whispered' }],
    });
    expect(whisper.recordings).toMatchObject([{ language: 'ja' }]);
    expect(model.heard).toEqual([]);
  });

  it('does not matter for a translation, which goes to Whisper', async () => {
    const model = new ScriptedRecognizer();
    const whisper = new ScriptedWhisper();
    await run(model, whisper, { translateToEnglish: true });
    expect(model.heard).toEqual([]);
    expect(whisper.recordings).toMatchObject([{ translateToEnglish: true }]);
  });
});

describe('a recording with a stand-in for Parakeet and the real voice detector', async () => {
  const voices = await VoiceDetector.load();
  const model = await ParakeetModel.load(standInParakeet(), 2);
  afterAll(async () => {
    await model.release();
    await voices.release();
  });
  const speech = readWav(kennedy.wav);

  it('has text and words only where somebody speaks', async () => {
    const samples = join16k(silence(3), speech, noise(6, 0.05), music(5));
    const updates: WindowUpdate[] = [];
    const whisper = new ScriptedWhisper('en', null);
    const { segments } = await run(model, whisper, {
      voiceDetector: voices,
      samples: inChunks(samples),
      onWindow: (update) => updates.push(update),
    });
    expect(segments.length).toBeGreaterThan(0);
    expect(segments[0]!.start).toBeGreaterThan(2.9);
    expect(segments.at(-1)!.end).toBeLessThan(14.5);
    for (const segment of segments) expect(wordsOf(segment)!.length).toBeGreaterThan(0);
    expect(updates.flatMap(({ added }) => added)).toEqual(segments);
  });

  it('has none in silence, noise and music', async () => {
    const samples = join16k(silence(10), noise(10, 0.1), music(10));
    const whisper = new ScriptedWhisper();
    expect(
      (await run(model, whisper, { voiceDetector: voices, samples: inChunks(samples) })).segments,
    ).toEqual([]);
    expect(whisper.windows).toEqual([]);
  });

  it('is cancelled', async () => {
    const interrupt = new Interrupt();
    const work = run(model, new ScriptedWhisper('en', null), {
      voiceDetector: voices,
      samples: inChunks(join16k(speech, speech, speech)),
      interrupt,
      onProgress: () => interrupt.request(),
    });
    await expect(work).rejects.toThrow(InterruptedError);
  });
});
