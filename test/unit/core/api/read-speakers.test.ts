import { describe, expect, it } from 'vitest';
import { maxSpeakers } from '../../../../electron/contract/limits.ts';
import { readJob } from '../../../../electron/core/api/wire.ts';
import { maxWords, wordsOf } from '../../../../electron/core/transcript/word-times.ts';

const word = (text: string, start: number, speaker?: unknown) => ({ text, start, end: start + 0.4, speaker });

/** The segments of a response: start, end, text and speaker. */
function read(segments: readonly object[]) {
  const job = readJob({ data: { status: 'completed', transcript: { text: 'x', segments } } });
  return job?.transcript?.segments.map(({ start, end, text, speaker }) => [start, end, text, speaker]);
}

describe('the speakers of a response', () => {
  it.each([
    ['Anna', 'Anna'],
    [' SPEAKER_00\n', 'SPEAKER_00'],
    [0, 'Speaker 0'],
    ['12', 'Speaker 12'],
    [{ id: 3, name: 'Ben' }, 'Ben'],
    [{ label: 'B' }, 'B'],
    [null, undefined],
    ['', undefined],
    [0.5, undefined],
    [[], undefined],
    [{ name: {} }, undefined],
  ])('reads %j of a segment', (speaker, name) => {
    expect(read([{ start: 0, end: 1, text: 'Hello.', speaker }])).toEqual([[0, 1, 'Hello.', name]]);
  });

  it('splits a segment where the speaker of its words changes', () => {
    const words = [word('Really?', 0, 'A'), word('Yes', 1, 'B'), word('really.', 1.5), word('Oh.', 2, 'A')];
    const segments = [{ start: 0, end: 3, text: 'Really? Yes really. Oh.', speaker: 'A', words }];
    expect(read(segments)).toEqual([
      [0, 1, 'Really?', 'A'],
      [1, 2, 'Yes really.', 'B'],
      [2, 3, 'Oh.', 'A'],
    ]);
    const job = readJob({ data: { status: 'completed', transcript: { text: 'x', segments } } });
    expect(job?.transcript?.segments.map((segment) => wordsOf(segment)?.length)).toEqual([1, 2, 1]);
  });

  it('splits a segment in which thousands of words alternate', () => {
    // Splitting off one word at a time took half a minute.
    const words = Array.from({ length: maxWords }, (_, index) => word('a', index, index % 2));
    const segments = [{ start: 0, end: maxWords, text: Array(maxWords).fill('a').join(' '), words }];
    const parts = read(segments);
    expect(parts).toHaveLength(maxWords);
    expect(new Set(parts?.map(([, , text, speaker]) => `${text} ${speaker}`))).toEqual(
      new Set(['a Speaker 0', 'a Speaker 1']),
    );
  });

  it('does not copy long unknown extras to every part', () => {
    const words = Array.from({ length: 100 }, (_, index) => word('a', index, index % 2));
    // Many short ones are as long together as one.
    const extras = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`note ${index}`, 'x']));
    const segments = [{ start: 0, end: 100, text: Array(100).fill('a').join(' '), words, extras }];
    const job = readJob({ data: { status: 'completed', transcript: { text: 'x', segments } } });
    const parts = job?.transcript?.segments ?? [];
    expect(parts).toHaveLength(100);
    expect(parts.filter((part) => part.extras?.['note 7'] !== undefined)).toHaveLength(1);
  });

  it('does not split by words that are not those of the text', () => {
    const words = [word('Something', 0, 'A'), word('else', 1, 'B')];
    expect(read([{ start: 0, end: 2, text: 'Nothing of that.', speaker: 'C', words }])).toEqual([
      [0, 2, 'Nothing of that.', 'C'],
    ]);
  });

  it('refuses a broken segment after one that was split', () => {
    const words = [word('One', 0, 'A'), word('two', 1, 'B')];
    const job = readJob({
      data: {
        status: 'completed',
        transcript: {
          text: 'One two three',
          segments: [{ start: 0, end: 2, text: 'One two', words }, { start: 3 }],
        },
      },
    });
    expect(job?.transcript?.segments.map(({ text }) => text)).toEqual(['One two three']);
  });

  it('keeps as many speakers as a transcript can have', () => {
    const segments = Array.from({ length: maxSpeakers + 2 }, (_, i) => ({
      start: i,
      end: i + 1,
      text: 'Me.',
      speaker: `P${i % (maxSpeakers + 1)}`,
    }));
    const names = read(segments)?.map(([, , , speaker]) => speaker);
    expect(names?.slice(-3)).toEqual([`P${maxSpeakers - 1}`, undefined, 'P0']);
  });
});
