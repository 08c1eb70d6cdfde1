import { describe, expect, it, test } from 'vitest';
import type { ChangeStep, Draft, DraftSegment } from '../../../../../electron/contract/transcript.ts';
import { fitsDraft } from '../../../../../electron/core/transcript/edit/change.ts';
import { draftOf } from '../../../../../electron/core/transcript/edit/edit.ts';

const segment = (id: number): DraftSegment => ({ id, start: id, end: id + 1, text: 'net', speaker: null });
const spoken: Draft = { ...draftOf([]), segments: [segment(4), segment(7)] };
const fits = (step: ChangeStep, draft: Draft = spoken) => fitsDraft(draft, step);

const times = (...after: readonly number[]) => fits({ kind: 'times', before: [], after });

const replace = (...pairs: readonly (readonly [at: number, before: number, after: number])[]) =>
  fits({
    kind: 'replace',
    pairs: pairs.map(([at, before, after]) => ({ at, before: segment(before), after: segment(after) })),
  });

const splice = (at: number, ...removed: readonly number[]) =>
  fits({ kind: 'splice', at, removed: removed.map(segment), inserted: [segment(9)] });

describe('a step of a stored history fits', () => {
  it('where it finds the segments that it removes', () => {
    expect([splice(0, 4), splice(1, 7), splice(0, 4, 7), splice(0), splice(2)]).not.toContain(false);
    expect([
      splice(0, 7),
      splice(1, 7, 8),
      splice(0, 4, 8),
      splice(3),
      splice(-1),
      splice(0.5),
    ]).not.toContain(true);
  });

  it('where it finds the segments that it replaces by others of the same id', () => {
    expect([replace([0, 4, 4]), replace([0, 4, 4], [1, 7, 7]), replace()]).not.toContain(false);
    expect([replace([0, 7, 7]), replace([0, 4, 7]), replace([2, 4, 4])]).not.toContain(true);
    expect(replace([0, 4, 4], [1, 4, 4])).toBe(false);
  });

  it('where it has the times of each segment', () => {
    expect([times(0, 1, 1, 2), times(0, 1), times(0, 1, 1, 2, 2, 3)]).toEqual([true, false, false]);
  });

  it('where it finds the text that it removes', () => {
    const untimed = { ...draftOf([], 'Nets'), segments: [] };
    const text = (at: number, removed: string, draft: Draft = untimed) =>
      fits({ kind: 'text', at, removed, inserted: 'x' }, draft);
    expect([text(0, 'Ne'), text(2, 'ts'), text(4, ''), text(1, '')]).not.toContain(false);
    expect([text(1, 'Ne'), text(2, 'tsx'), text(5, ''), text(0, '', spoken)]).not.toContain(true);
  });
});

test('names of speakers and notes fit any draft', () => {
  expect(fits({ kind: 'speakers', before: [], after: ['Anna'] })).toBe(true);
  expect(fits({ kind: 'notes', before: [], after: [] })).toBe(true);
});
