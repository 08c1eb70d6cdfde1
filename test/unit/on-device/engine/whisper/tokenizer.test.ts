import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { spokenLanguages } from '../../../../../electron/contract/languages.ts';
import { SpecialTokens } from '../../../../../electron/on-device/engine/whisper/special-tokens.ts';
import { Tokenizer } from '../../../../../electron/on-device/engine/whisper/tokenizer.ts';
import { readTinyModelFile } from '../../../../support/speech/speech-audio.ts';

const special = new SpecialTokens(99);
let tokenizer: Tokenizer;
beforeAll(async () => {
  tokenizer = new Tokenizer(await readTinyModelFile('vocabulary'), await readTinyModelFile('generation'));
});

const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

describe('the published tokenizer', () => {
  it('decodes text', () => {
    // "And so my fellow Americans" as OpenAI's tokenizer encodes it.
    expect(tokenizer.decode([400, 370, 452, 7177, 6280])).toBe(' And so my fellow Americans');
  });

  it.each([
    // As OpenAI's tokenizer encodes them.
    [' And so my fellow Americans', [400, 370, 452, 7177, 6280]],
    ['', []],
  ])('encodes the text %j', (text, tokens) => {
    expect(tokenizer.encode(text)).toEqual(tokens);
  });

  it('encodes words that it decodes to one token as that token', () => {
    const words = Array.from({ length: special.endOfText }, (_, token) => token).filter((token) =>
      /^ ?[\p{L}\p{N}]+$/u.test(tokenizer.decode([token])),
    );
    const others = words.filter((token) => tokenizer.encode(tokenizer.decode([token])).length !== 1);
    expect(words.length).toBeGreaterThan(30_000);
    expect(others).toEqual([]);
  });

  it('decodes what it has encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
        expect(tokenizer.decode(tokenizer.encode(text))).toBe(text.toWellFormed());
      }),
    );
  });

  it('tells which tokens each piece of text comes from', () => {
    const tokens = fc.array(fc.nat({ max: special.endOfText }), { maxLength: 20 });
    fc.assert(
      fc.property(tokens, (some) => {
        const pieces = tokenizer.decodeByToken(some);
        expect(pieces.map(({ text }) => text).join('')).toBe(tokenizer.decode(some));
        let next = 0;
        for (const { first, last } of pieces) {
          expect(first === next || last === some.length - 1).toBe(true);
          expect(last).toBeGreaterThanOrEqual(first);
          next = last + 1;
        }
      }),
    );
  });

  it('names the alignment heads', () => {
    expect(tokenizer.alignmentHeads.map(({ layer, head }) => [layer, head])).toEqual([
      [2, 2],
      [3, 0],
      [3, 2],
      [3, 3],
      [3, 4],
      [3, 5],
    ]);
  });

  it('omits tokens that are not text', () => {
    const tokens = [
      special.startOfTranscript,
      special.timestampAt(0),
      400,
      370,
      special.timestampAt(2),
      special.endOfText,
    ];
    expect(tokenizer.decode(tokens)).toBe(' And so');
  });

  it('knows the languages that the service offers', () => {
    expect([...tokenizer.languages.keys()].toSorted()).toEqual([...spokenLanguages].toSorted());
    expect(tokenizer.languages.get('en')).toBe(50_259);
  });
});

describe('a tokenizer', () => {
  const generation = json({
    lang_to_id: { '<|en|>': 50_259 },
    suppress_tokens: [1],
    begin_suppress_tokens: [2],
  });

  it('joins characters that were split into bytes', () => {
    // U+0122 and so on stand for non-printable bytes: here E2 82 AC, the euro sign.
    const small = new Tokenizer(json({ â: 0, Ĥ: 1, '¬': 2, Ġ: 3 }), generation);
    expect(small.decode([3, 0, 1, 2])).toBe(' €');
    expect(small.decode([0, 1])).toBe('\u{FFFD}');
    expect(small.decodeByToken([3, 0, 1, 2])).toEqual([
      { text: ' ', first: 0, last: 0 },
      { text: '€', first: 1, last: 3 },
    ]);
  });

  it.each([
    ['a vocabulary that is none', json([1, 2]), generation],
    ['no JSON', Buffer.from('text'), generation],
    [
      'tokens in another order',
      json({}),
      json({
        lang_to_id: { '<|en|>': 50_259 },
        suppress_tokens: [],
        begin_suppress_tokens: [],
        no_timestamps_token_id: 50_363,
      }),
    ],
    ['a configuration without languages', json({}), json({ suppress_tokens: [], begin_suppress_tokens: [] })],
  ])('refuses %s', (_, vocabulary, configuration) => {
    expect(() => new Tokenizer(vocabulary, configuration)).toThrow(Error);
  });
});

describe('special tokens', () => {
  it('count time in steps of 20 ms', () => {
    expect(special.secondsOf(special.timestampAt(12.34))).toBeCloseTo(12.34, 5);
    expect(special.timestampAt(0)).toBe(special.firstTimestamp);
    expect(special.isTimestamp(special.timestampAt(0))).toBe(true);
    expect(special.isTimestamp(special.noTimestamps)).toBe(false);
  });

  it('are those of OpenAI’s tokenizer', () => {
    // In the order of `tokenizer.py`: translate, transcribe, startoflm, startofprev, nospeech, notimestamps, 0.00, ...
    expect({ ...new SpecialTokens(99) }).toEqual({
      endOfText: 50_257,
      startOfTranscript: 50_258,
      translate: 50_358,
      transcribe: 50_359,
      startOfPrevious: 50_361,
      noSpeech: 50_362,
      noTimestamps: 50_363,
      firstTimestamp: 50_364,
      vocabularySize: 51_865,
    });
    expect({ ...new SpecialTokens(100) }).toEqual({
      endOfText: 50_257,
      startOfTranscript: 50_258,
      translate: 50_359,
      transcribe: 50_360,
      startOfPrevious: 50_362,
      noSpeech: 50_363,
      noTimestamps: 50_364,
      firstTimestamp: 50_365,
      vocabularySize: 51_866,
    });
  });
});
