import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxTextLength } from '../../../../../electron/contract/limits.ts';
import type { Segment } from '../../../../../electron/contract/segment-schema.ts';
import { LiveTranscripts } from '../../../../../electron/core/queue/scheduling/live-transcripts.ts';

const said = (...texts: readonly string[]): readonly Segment[] =>
  texts.map((text, start) => ({ start, end: start + 1, text }));
const answered = (all: readonly Segment[], from: number) => ({
  from,
  segments: all.slice(from),
  language: 'en',
});

describe('a transcript in progress', () => {
  it('is always what the service last had, however it grows, changes at its end or falls back', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('grow' as const), texts: fc.array(fc.string(), { maxLength: 4 }) }),
      fc.record({ kind: fc.constant('change' as const), text: fc.string() }),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const live = new LiveTranscripts();
        let all: readonly Segment[] = said('first');
        for (const made of steps) {
          const texts = all.map(({ text }) => text);
          all = made.kind === 'grow' ? said(...texts, ...made.texts) : said(...texts.slice(0, -1), made.text);
          live.add(1, 'job', answered(all, live.firstSegmentToRequest(1, 'job')));
          expect(live.get(1)?.segments).toEqual(all);
        }
      }),
    );
  });

  it('is requested as a whole again when the service has resumed at an earlier segment', () => {
    const live = new LiveTranscripts();
    live.add(1, 'job', answered(said('a', 'b', 'c', 'd'), 0));
    const fewer = said('a', 'b');
    live.add(1, 'job', answered(fewer, live.firstSegmentToRequest(1, 'job')));
    expect(live.firstSegmentToRequest(1, 'job')).toBe(0);
    live.add(1, 'job', answered(fewer, 0));
    expect(live.get(1)?.segments).toEqual(fewer);
  });

  it('is dropped when it becomes longer than any recording, piece by piece', () => {
    const live = new LiveTranscripts();
    const half = [{ start: 0, end: 1, text: 'x'.repeat(maxTextLength / 2) }];
    live.add(1, 'job', { from: 0, segments: half, language: 'en' });
    live.add(1, 'job', { from: 1, segments: half, language: 'en' });
    expect(live.get(1)?.segments).toHaveLength(2);
    live.add(1, 'job', { from: 2, segments: said('more'), language: 'en' });
    expect(live.get(1)?.segments).toEqual([]);
  });

  it('is dropped when its extras grow without end', () => {
    const live = new LiveTranscripts();
    const one = { start: 0, end: 1, text: 'x', extras: { note: 'x'.repeat(50_000) } };
    const many = Array.from({ length: 900 }, () => one);
    live.add(1, 'job', { from: 0, segments: many, language: 'en' });
    expect(live.get(1)?.segments).toHaveLength(900);
    live.add(1, 'job', { from: 900, segments: many, language: 'en' });
    expect(live.get(1)?.segments).toEqual([]);
  });

  it('is dropped when all in progress together become longer than any recording, and has its share again later', () => {
    const live = new LiveTranscripts();
    const third = { from: 0, segments: said('x'.repeat(maxTextLength / 3)), language: 'en' };
    const lengths = () => [1, 2, 3, 4].map((id) => live.get(id)?.segments.length);
    for (const id of [1, 2, 3, 4]) live.add(id, `job ${id}`, third);
    expect(lengths()).toEqual([1, 1, 1, 0]);
    // The same answer again takes the place of the one before.
    live.add(1, 'job 1', third);
    live.end(2);
    live.add(4, 'job 4', third);
    expect(lengths()).toEqual([1, undefined, 1, 1]);
  });

  it('begins again with another job of the item', () => {
    const live = new LiveTranscripts();
    live.add(1, 'job', answered(said('a', 'b'), 0));
    expect(live.firstSegmentToRequest(1, 'other')).toBe(0);
    live.add(1, 'other', answered(said('x'), 0));
    expect(live.get(1)?.segments).toEqual(said('x'));
  });

  it('has its last words, cut at a word', () => {
    const live = new LiveTranscripts();
    expect(live.latestText(1)).toBe('');
    live.add(1, 'job', answered(said('one two.', 'three'), 0));
    expect(live.latestText(1)).toBe('one two. three');
    live.add(1, 'job', answered(said('word '.repeat(100), 'the end'), 0));
    expect(live.latestText(1)).toMatch(/^…word word .* the end$/);
    expect(live.latestText(1).length).toBeLessThan(125);
  });
});
