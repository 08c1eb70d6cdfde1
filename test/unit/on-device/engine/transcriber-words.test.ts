import { describe, expect, it } from 'vitest';
import type { Segment } from '../../../../electron/contract/segment-schema.ts';
import { wordsOf } from '../../../../electron/core/transcript/word-times.ts';
import { Tokenizer } from '../../../../electron/on-device/engine/whisper/tokenizer.ts';
import { readTinyModelFile } from '../../../support/speech/speech-audio.ts';
import {
  americans,
  and,
  at,
  fellow,
  my,
  run,
  ScriptedModel,
  sentence,
  so,
  tokenizer as scriptedTokenizer,
} from './scripted-model.ts';

const { special } = scriptedTokenizer;

/** The words of a segment with their start and end in tenths of a second. */
const saidIn = (segment: Segment | undefined) =>
  segment === undefined
    ? []
    : (wordsOf(segment) ?? []).map(({ from, to, start, end }) => [
        segment.text.slice(from, to),
        Math.round(start * 10),
        Math.round(end * 10),
      ]);

describe('the words of a segment', () => {
  const plain = [special.startOfTranscript, 50_259, special.transcribe, special.noTimestamps];
  const said = [and, so, my, fellow, americans];

  it('have times and probabilities, from the text without timestamps', async () => {
    const model = new ScriptedModel({ tokens: sentence });
    const [segment] = (await run(model, 4)).segments;
    expect(saidIn(segment)).toEqual([
      ['And', 0, 5],
      ['so', 5, 10],
      ['my', 10, 15],
      ['fellow', 15, 20],
      ['Americans', 20, 25],
    ]);
    expect(model.aligned).toEqual([[...plain, ...said]]);
    const sure = segment === undefined ? [] : (wordsOf(segment) ?? []).map(({ probability }) => probability);
    expect(sure).toEqual([1, 1, 1, 1, 1]);
  });

  it('have the probability of what the model chose among', async () => {
    const unsure = new ScriptedModel({ tokens: sentence, margin: 11 });
    const [segment] = (await run(unsure, 4)).segments;
    const probability = segment && wordsOf(segment)?.[0]?.probability;
    // Against 51,864 others with a score of 0 each.
    expect(probability).toBeCloseTo(Math.exp(11) / (Math.exp(11) + special.vocabularySize - 1), 1);
  });

  it('are not those of a translation, nor of a model without alignment heads', async () => {
    const translated = await run(new ScriptedModel({ tokens: sentence }), 4, { translateToEnglish: true });
    expect(translated.segments.map(({ extras }) => extras)).toEqual([undefined]);
    const generation = { ...JSON.parse(Buffer.from(await readTinyModelFile('generation')).toString()) };
    delete generation.alignment_heads;
    const model = new ScriptedModel({ tokens: sentence });
    Object.assign(model, {
      tokenizer: new Tokenizer(
        await readTinyModelFile('vocabulary'),
        Buffer.from(JSON.stringify(generation)),
      ),
    });
    const { segments } = await run(model, 4);
    expect(segments.map(({ extras }) => extras)).toEqual([undefined]);
    expect(model.aligned).toEqual([]);
  });

  it('do not depend on previous text', async () => {
    const next = [at(0), fellow, so, my, and, at(4)];
    const model = new ScriptedModel({ tokens: sentence }, { tokens: next });
    const { segments } = await run(model, 8);
    expect(model.aligned[1]).toEqual([...plain, fellow, so, my, and]);
    expect(saidIn(segments[1])[0]).toEqual(['fellow', 40, 45]);
  });

  it('are only those that are left at a seam', async () => {
    const stops = [at(0), and, so, my, fellow, at(4), at(4)];
    const model = new ScriptedModel({ tokens: stops }, { tokens: [at(0), my, fellow, americans, at(4)] });
    const { segments } = await run(model, 8);
    expect(segments.map(saidIn)).toEqual([
      [
        ['And', 0, 5],
        ['so', 5, 10],
      ],
      [
        ['my', 40, 45],
        ['fellow', 45, 50],
        ['Americans', 50, 55],
      ],
    ]);
  });

  it('are only those before an omission, and then those of the shorter window', async () => {
    const sparse = [at(0), and, so, my, fellow, at(3), at(3), and, so, at(28)];
    const model = new ScriptedModel({ tokens: sparse }, { tokens: sentence });
    const { segments } = await run(model, 28);
    expect(model.aligned.slice(0, 2)).toEqual([
      [...plain, and, so, my, fellow],
      [...plain, ...said],
    ]);
    for (const segment of segments) expect(saidIn(segment).length).toBe(segment.text.split(' ').length);
  });

  it('are found in several runs when they are many', async () => {
    const many = Array.from({ length: 150 }, (_, i) => 1000 + i);
    const model = new ScriptedModel({ tokens: [at(0), ...many, at(29)] });
    const { segments } = await run(model, 29);
    expect(model.aligned.map((tokens) => tokens.length)).toEqual([1 + 96, 1 + 153]);
    expect(model.aligned[1]).toEqual([...plain, ...many]);
    expect(segments.every((segment) => wordsOf(segment) !== null)).toBe(true);
  });
});
