import { describe, expect, it } from 'vitest';
import type { Segment } from '../../../../electron/contract/segment-schema.ts';
import {
  checkpointSchema,
  type Transcription,
  type WindowUpdate,
} from '../../../../electron/on-device/engine/speech-engine.ts';
import { KnownTerms } from '../../../../electron/on-device/engine/text/known-terms.ts';
import type { TranscriptionTask } from '../../../../electron/on-device/engine/transcriber.ts';
import { frameSamples, type Frame } from '../../../../electron/on-device/engine/voice/frame.ts';
import { Interrupt, InterruptedError } from '../../../../electron/on-device/engine/whisper/interrupt.ts';
import {
  americans,
  and,
  at,
  ConcurrentModel,
  fellow,
  my,
  run,
  ScriptedModel,
  type ScriptedOutput,
  sentence,
  so,
  speaking,
  tokenizer,
} from './scripted-model.ts';

const { special } = tokenizer;

describe('the model', () => {
  it('is prompted with the requested language and task', async () => {
    const model = new ScriptedModel({ tokens: sentence });
    await run(model, 4, { language: 'de', translateToEnglish: true });
    expect(model.prompts).toEqual([
      [special.startOfTranscript, tokenizer.languages.get('de'), special.translate],
    ]);
  });

  it('detects the language when it is `auto`', async () => {
    const model = new ScriptedModel({ tokens: sentence, language: 'fr' });
    expect(await run(model, 4, { language: 'auto' })).toMatchObject({ language: 'fr' });
    expect(model.prompts[0]?.[1]).toBe(tokenizer.languages.get('fr'));
  });

  it('has its text discarded when it is uncertain and speech is unlikely', async () => {
    const model = new ScriptedModel({ tokens: sentence, margin: 0.1, noSpeech: 0.9 });
    expect((await run(model, 4)).segments).toEqual([]);
  });

  it('has its text kept when it is certain, or when speech is likely', async () => {
    expect((await run(new ScriptedModel({ tokens: sentence, noSpeech: 0.9 }), 4)).segments.length).toBe(1);
    const unsure = new ScriptedModel({ tokens: sentence, margin: 9, noSpeech: 0.1 });
    expect((await run(unsure, 4)).segments.length).toBe(1);
  });

  it('continues in a new window where it stopped in the middle', async () => {
    const stops = [at(0), and, so, my, fellow, at(4), at(4)];
    const model = new ScriptedModel({ tokens: stops }, { tokens: sentence });
    const { segments } = await run(model, 8);
    expect(model.windows.map(Math.round)).toEqual([8, 4]);
    expect(segments.map((segment) => Math.round(segment.end))).toEqual([4, 8]);
  });

  it('continues in a new window where its text ends but voice follows', async () => {
    const model = new ScriptedModel({ tokens: sentence }, { tokens: sentence });
    const { segments } = await run(model, 8);
    expect(model.windows.map(Math.round)).toEqual([8, 4]);
    expect(segments.map((segment) => Math.round(segment.end))).toEqual([4, 8]);
  });

  it('repeats no words at a seam', async () => {
    const stops = [at(0), and, so, my, fellow, at(4), at(4)];
    const model = new ScriptedModel({ tokens: stops }, { tokens: [at(0), my, fellow, americans, at(4)] });
    const { segments } = await run(model, 8);
    expect(segments.map((segment) => segment.text)).toEqual(['And so', 'my fellow Americans']);
    // The third one is the audio up to the seam, which decides where the words belong.
    expect(model.windows.map(Math.round)).toEqual([8, 4, 4]);
  });

  it('keeps words that were said on both sides of a seam', async () => {
    const stops = [at(0), and, so, my, fellow, at(4), at(4)];
    const goesOn = [at(0), my, fellow, americans, at(4)];
    const model = new ScriptedModel({ tokens: stops }, { tokens: goesOn }, { tokens: stops.slice(0, -1) });
    const { segments } = await run(model, 8);
    expect(segments.map((segment) => segment.text)).toEqual(['And so my fellow', 'my fellow Americans']);
  });

  it('drops a text that was transcribed before the seam, and keeps one that was said again', async () => {
    const stops = [at(0), and, so, my, fellow, at(4), at(4)];
    const again = [at(0), my, fellow, at(4)];
    const once = new ScriptedModel({ tokens: stops }, { tokens: again }, { tokens: [at(0), and, so, at(4)] });
    expect((await run(once, 8)).segments.map(({ text }) => text)).toEqual(['And so my fellow']);
    const twice = new ScriptedModel({ tokens: stops }, { tokens: again }, { tokens: stops });
    expect((await run(twice, 8)).segments.map(({ text }) => text)).toEqual(['And so my fellow', 'my fellow']);
  });

  it('retries in a shorter window when voice between two pieces has no text', async () => {
    const gap = [at(0), and, so, my, fellow, at(3), at(10), and, so, my, fellow, americans, at(14)];
    const model = new ScriptedModel({ tokens: gap }, { tokens: sentence });
    const { segments } = await run(model, 14);
    expect(model.windows.map(Math.round).slice(0, 2)).toEqual([14, 10]);
    expect(segments.map((segment) => Math.round(segment.start)).slice(0, 2)).toEqual([0, 3]);
  });

  it('does not retry when little voice is left', async () => {
    const model = new ScriptedModel({ tokens: sentence });
    await run(model, 5);
    expect(model.windows.length).toBe(1);
  });

  it('retries in a shorter window after an omission', async () => {
    const sparse = [at(0), and, so, my, fellow, at(3), at(3), and, so, at(28)];
    const model = new ScriptedModel({ tokens: sparse }, { tokens: sentence });
    const { segments } = await run(model, 28);
    expect(model.windows[0]).toBeCloseTo(28, 1);
    expect(model.windows[1]).toBeCloseTo(10, 1);
    expect(segments.map((segment) => segment.text).slice(0, 2)).toEqual([
      'And so my fellow',
      'And so my fellow Americans',
    ]);
  });

  it.each<[string, ScriptedOutput]>([
    ['no text', { tokens: [] }],
    ['an uncertain text without speech', { tokens: sentence, margin: 8, noSpeech: 0.9 }],
    ['a repetitive text', { tokens: [at(0), ...Array.from({ length: 60 }, () => [and, so]).flat()] }],
  ])('retries in ever shorter windows after %s', async (_, output) => {
    const model = new ScriptedModel(output, output, { tokens: sentence });
    const { segments } = await run(model, 20);
    expect(model.windows.map(Math.round).slice(0, 3)).toEqual([20, 10, 5]);
    expect(segments[0]).toMatchObject({ start: 0, text: 'And so my fellow Americans' });
  });

  it('ends with any output', async () => {
    const silent = new ScriptedModel({ tokens: [] });
    expect((await run(silent, 100)).segments).toEqual([]);
    const lost = new ScriptedModel({ tokens: [at(0), and, at(0.02), at(0.02)] });
    await run(lost, 20);
    expect(lost.windows.length).toBeLessThan(30);
  });

  it('is stopped in a loop, of which one round is kept', async () => {
    const circle = Array.from({ length: 60 }, () => [and, so, my]).flat();
    const model = new ScriptedModel({ tokens: [at(0), ...circle] });
    const { segments } = await run(model, 4);
    expect(segments.map((segment) => segment.text)).toEqual(['And so my']);
  });
});

describe('previous text', () => {
  const plain = [special.startOfTranscript, 50_259, special.transcribe];
  const withContext = [special.startOfPrevious, ...sentence, ...plain];
  const next = [at(0), fellow, so, my, and, at(4)];

  it('is in the prompt of the next window', async () => {
    const model = new ScriptedModel({ tokens: sentence }, { tokens: next });
    const { segments } = await run(model, 8);
    expect(model.prompts).toEqual([plain, withContext]);
    expect(segments.map(({ text }) => text)).toEqual(['And so my fellow Americans', 'fellow so my And']);
  });

  it.each<[string, Omit<ScriptedOutput, 'withContext'>]>([
    ['is uncertain', { tokens: sentence, margin: 8 }],
    ['is repetitive', { tokens: [at(0), ...Array.from({ length: 60 }, () => [and, so]).flat()] }],
    ['has no text', { tokens: [] }],
    ['repeats the context', { tokens: sentence }],
  ])('is dropped when the result with it %s', async (_, output) => {
    const model = new ScriptedModel({ tokens: sentence }, { tokens: next, withContext: output });
    const { segments } = await run(model, 8);
    expect(model.prompts).toEqual([plain, withContext, plain]);
    expect(model.windows.length).toBe(2);
    expect(segments.map(({ text }) => text)).toEqual(['And so my fellow Americans', 'fellow so my And']);
  });

  it.each<[string, ScriptedOutput]>([
    ['was uncertain', { tokens: sentence, margin: 8 }],
    ['was repetitive', { tokens: [at(0), ...Array.from({ length: 60 }, () => [and, so]).flat()] }],
  ])('is not used when it %s', async (_, output) => {
    const model = new ScriptedModel(output, { tokens: next });
    await run(model, 8);
    expect(model.prompts.slice(0, 2)).toEqual([plain, plain]);
  });

  it.each([
    [4, true],
    [6, false],
  ])('after %d s of silence is in the prompt: %s', async (pause, hasContext) => {
    // Enough different words for 30 s of voice.
    const many = [0, 7.5, 15, 22.5].flatMap((from) => [
      at(from),
      ...Array.from({ length: 15 }, (_, i) => 1000 + 10 * from + i),
      at(Math.min(from + 7.5, 29.98)),
    ]);
    const model = new ScriptedModel({ tokens: many }, { tokens: next });
    const voices: TranscriptionTask['voiceDetector'] = {
      async *frames(): AsyncGenerator<Frame> {
        for (let start = 0; start < (34 + pause) * 16_000; start += frameSamples) {
          const voiced = start < 30 * 16_000 || start >= (30 + pause) * 16_000;
          yield { samples: new Float32Array(frameSamples), start, voiced };
        }
      },
    };
    await run(model, 0, { voiceDetector: voices });
    expect(model.prompts.map((prompt) => prompt.length > plain.length)).toEqual([false, hasContext]);
  });
});

const textsOf = ({ segments }: Transcription): readonly string[] => segments.map(({ text }) => text);

describe('known terms', () => {
  const plain = [special.startOfTranscript, 50_259, special.transcribe];
  const list = new KnownTerms(['Okonkwo', 'fellow'], tokenizer).tokens;
  const withTerms = [special.startOfPrevious, ...list, ...plain];
  const echo = [at(0), ...tokenizer.encode(' Okonkwo, fellow.'), at(4)];
  const terms = ['Okonkwo', 'fellow'];

  it('are in the prompt of every window, before the previous text', async () => {
    const model = new ScriptedModel({ tokens: sentence }, { tokens: [at(0), fellow, so, my, and, at(4)] });
    await run(model, 8, { terms });
    expect(model.prompts).toEqual([withTerms, [special.startOfPrevious, ...list, ...sentence, ...plain]]);
  });

  it('leave the end of a long previous text in the prompt', async () => {
    const long = [at(0), ...Array.from({ length: 210 }, (_, i) => 1000 + i), at(9)];
    const model = new ScriptedModel({ tokens: long }, { tokens: sentence });
    await run(model, 13, { terms });
    const prompt = model.prompts[1] ?? [];
    expect(prompt.slice(1, list.length + 1)).toEqual(list);
    expect(prompt.slice(list.length + 1, -3)).toEqual(long.slice(list.length - 220));
    expect(prompt.length).toBe(224);
  });

  it.each<[string, Omit<ScriptedOutput, 'withContext'>]>([
    ['is uncertain', { tokens: sentence, margin: 8 }],
    ['is repetitive', { tokens: [at(0), ...Array.from({ length: 60 }, () => [and, so]).flat()] }],
    ['has no text', { tokens: [] }],
    ['is the list', { tokens: echo }],
  ])('are dropped for a window when the result with them %s', async (_, output) => {
    const model = new ScriptedModel({ tokens: sentence, withContext: output });
    expect(textsOf(await run(model, 4, { terms }))).toEqual(['And so my fellow Americans']);
    expect(model.prompts[0]).toEqual(withTerms);
    expect(model.prompts.at(-1)).toEqual(plain);
  });

  it('stay in the prompt when the previous text is dropped', async () => {
    const next = [at(0), fellow, so, my, and, at(4)];
    // The context repeats the previous text, whatever it consists of.
    const model = new ScriptedModel(
      { tokens: sentence },
      { tokens: next, withContext: { tokens: sentence } },
    );
    const result = await run(model, 8, { terms });
    expect(model.prompts.slice(1)).toEqual([
      [special.startOfPrevious, ...list, ...sentence, ...plain],
      withTerms,
    ]);
    expect(textsOf(result)).toHaveLength(2);
  });

  it('are kept where somebody says nothing else', async () => {
    const said = [at(0), ...tokenizer.encode(' Okonkwo fellow'), at(4)];
    const heard = [at(0), ...tokenizer.encode(' Hakonkwo fellow'), at(4)];
    const model = new ScriptedModel({ tokens: heard, withContext: { tokens: said } });
    expect(textsOf(await run(model, 4, { terms }))).toEqual(['Okonkwo fellow']);
  });

  it('are replaced by what is heard without them where the model guesses, as are words beside them', async () => {
    const guessed = [at(0), ...tokenizer.encode(' Okonkwo so my dear Americans, too'), at(4)];
    const model = new ScriptedModel({ tokens: sentence, withContext: { tokens: guessed, margin: 10.5 } });
    expect(textsOf(await run(model, 4, { terms }))).toEqual(['And so my fellow Americans, too']);
    expect(model.prompts).toEqual([withTerms, plain]);
  });

  it('are not in the prompt of a window that may have no speech', async () => {
    const model = new ScriptedModel({ tokens: sentence, noSpeech: 0.9 });
    await run(model, 4, { terms });
    expect(model.prompts).toEqual([plain]);
  });
});

describe('progress', () => {
  it('advances with finished windows and through silence', async () => {
    const reported: number[] = [];
    const onProgress = (seconds: number): void => void reported.push(seconds);
    await run(new ScriptedModel({ tokens: sentence }), 0, { voiceDetector: speaking(70, 30), onProgress });
    expect(reported).toEqual(reported.toSorted((a, b) => a - b));
    expect(reported[0]).toBeLessThan(2);
    expect(reported.length).toBeGreaterThan(30);
    expect(reported.at(-1)).toBeCloseTo(100, 0);
  });
});

describe('a transcription that is interrupted', () => {
  const outputs = [sentence, [at(0), fellow, so, my, and, at(28)], [at(0), so, and, americans, at(30)]];
  const output = (index: number): ScriptedOutput => ({
    tokens: outputs[index % outputs.length] ?? [],
    language: 'fr',
  });
  const scripted = (from: number): ScriptedModel =>
    new ScriptedModel(...Array.from({ length: 300 }, (_, i) => output(from + i)));
  const options: Partial<TranscriptionTask> = { voiceDetector: speaking(80, 7), language: 'auto' };

  async function recorded(): Promise<{
    readonly model: ScriptedModel;
    readonly result: Transcription;
    /** Each update with what was transcribed until then, and the number of windows of the model. */
    readonly steps: readonly (WindowUpdate & {
      readonly segments: readonly Segment[];
      readonly windows: number;
    })[];
  }> {
    const model = scripted(0);
    const steps: (WindowUpdate & { segments: readonly Segment[]; windows: number })[] = [];
    let segments: readonly Segment[] = [];
    const onWindow = (update: WindowUpdate): void => {
      segments = [...segments.slice(0, update.keptSegments), ...update.added];
      steps.push({ ...update, segments, windows: model.windows.length });
    };
    const result = await run(model, 0, { ...options, onWindow });
    return { model, result, steps };
  }

  it('has reported everything window by window', async () => {
    const { result, steps } = await recorded();
    expect(steps.length).toBeGreaterThan(4);
    expect(steps.at(-1)).toMatchObject({ segments: result.segments, language: 'fr' });
  });

  it('continues a recording in a language that its model lacks, as another model detected it', async () => {
    const saved = checkpointSchema.parse({
      atSamples: 0,
      voices: { atSamples: 0, state: null },
      endSeconds: 0,
      languages: { windows: 1, sums: { yue: 0.95, zh: 0.05 } },
      previous: null,
    });
    const model = new ScriptedModel({ tokens: sentence, language: 'zh' });
    const result = await run(model, 4, { language: 'auto', checkpoint: saved });
    expect(result).toMatchObject({ language: 'zh', segments: [{ text: 'And so my fellow Americans' }] });
  });

  it('continues at each checkpoint as if it had not been interrupted', async () => {
    const { model, result, steps } = await recorded();
    const resumable = steps.filter(({ checkpoint }) => checkpoint !== null);
    expect(resumable.length).toBeGreaterThan(2);
    for (const { checkpoint, segments, windows } of resumable) {
      const again = scripted(windows);
      const saved = checkpointSchema.parse(JSON.parse(JSON.stringify(checkpoint)));
      const rest = await run(again, 0, { ...options, checkpoint: saved });
      expect([...segments, ...rest.segments]).toEqual(result.segments);
      expect(rest.language).toBe('fr');
      expect(model.prompts.slice(model.prompts.length - again.prompts.length)).toEqual(again.prompts);
      expect(again.windows.length).toBe(model.windows.length - windows);
    }
  });
});

describe('a model that encodes the next window while one is decoded', () => {
  const stops = [at(0), and, so, my, fellow, at(4), at(4)];
  const words = [and, so, my, fellow, americans];
  /** 30 s of text that does not repeat itself. */
  const whole = Array.from({ length: 10 }, (_, i) => [
    at(3 * i),
    ...Array.from({ length: 7 + (i % 3) }, (_, j) => words[(j * (i + 1) + i) % words.length] ?? and),
    at(3 * (i + 1)),
  ]).flat();

  it.each<[string, readonly ScriptedOutput[], number]>([
    ['windows are complete', [{ tokens: whole }], 70],
    ['one stops in the middle', [{ tokens: whole }, { tokens: stops }, { tokens: whole }], 70],
    ['one is repeated in shorter windows', [{ tokens: [] }, { tokens: [] }, { tokens: whole }], 70],
    ['there is only one', [{ tokens: sentence }], 4],
  ])('returns the same text as another where %s', async (_, outputs, seconds) => {
    const [alone, concurrent] = [new ScriptedModel(...outputs), new ConcurrentModel(...outputs)];
    const expected = await run(alone, seconds);
    expect(expected.segments.length).toBeGreaterThan(0);
    expect(await run(concurrent, seconds)).toEqual(expected);
  });

  it('encodes no window twice, and each before the previous one is decoded', async () => {
    const model = new ConcurrentModel({ tokens: whole });
    const events: string[] = [];
    const [encode, decode] = [model.encode.bind(model), model.decode.bind(model)];
    model.encode = (samples) => {
      events.push('encode');
      return encode(samples);
    };
    model.decode = (state, ...tokens) => {
      if (tokens[0] === special.startOfTranscript) events.push('decode');
      return decode(state, ...tokens);
    };
    await run(model, 85);
    expect(events.slice(0, 5)).toEqual(['encode', 'encode', 'decode', 'encode', 'decode']);
    const alone = new ScriptedModel({ tokens: whole });
    await run(alone, 85);
    expect(model.windows).toEqual(alone.windows);
  });
});

it('an interrupt also ends the encoding of the next window, which is not awaited', async () => {
  const interrupt = new Interrupt();
  const model = new ConcurrentModel({ tokens: sentence });
  const encode = model.encode.bind(model);
  model.encode = async (samples) => {
    if (model.windows.length === 0) return encode(samples);
    interrupt.request();
    return Promise.reject(new InterruptedError('The work was cancelled.'));
  };
  await expect(run(model, 70, { interrupt })).rejects.toThrow(InterruptedError);
});

it('an interrupt ends the work between two tokens', async () => {
  const interrupt = new Interrupt();
  const model = new ScriptedModel({ tokens: sentence });
  const step = model.decode.bind(model);
  model.decode = async (state, token) => {
    if (token === so) interrupt.request();
    expect(token).not.toBe(fellow);
    return step(state, token);
  };
  await expect(run(model, 4, { interrupt })).rejects.toThrow(InterruptedError);
});
