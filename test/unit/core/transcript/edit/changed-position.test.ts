import { describe, expect, test } from 'vitest';
import type { Change, Draft, StoredOperation } from '../../../../../electron/contract/transcript.ts';
import {
  applyChange,
  changedPosition,
  invertChange,
} from '../../../../../electron/core/transcript/edit/change.ts';
import { changeOf, draftOf } from '../../../../../electron/core/transcript/edit/edit.ts';
import { newSegment } from '../../../../../electron/core/transcript/segment.ts';

const changeBy = (draft: Draft, operation: StoredOperation): Change =>
  changeOf(draft, operation, { recordingSeconds: null, original: () => draft });

const replacing = (text: string, replacement = 'ship'): StoredOperation => ({
  kind: 'replace',
  query: { text, matchCase: true, wholeWords: true },
  replacement,
  speakers: [0],
});

describe('a change is visible in the segment that is nearest to what the user sees', () => {
  const spoken: Draft = {
    ...draftOf(
      ['A net.', 'A boat.', 'A rope.', 'A boat.', 'A net.'].map((text, at) => newSegment(at, at + 1, text)),
    ),
    speakers: ['Ann', 'Ben'],
  };
  const assigned: Draft = {
    ...spoken,
    segments: spoken.segments.map((segment, at) => ({ ...segment, speaker: at % 2 })),
  };
  const visibleAt = (operation: StoredOperation, near: number): readonly unknown[] => {
    const change = changeBy(assigned, operation);
    const after = applyChange(assigned, change);
    const back = invertChange(change);
    return [changedPosition(after, change, near), changedPosition(applyChange(after, back), back, near)];
  };

  test('of several', () => {
    expect(visibleAt(replacing('net'), 0)).toStrictEqual([
      { segment: 0, offset: 6 },
      { segment: 0, offset: 5 },
    ]);
    expect(visibleAt(replacing('net'), 3)).toStrictEqual([
      { segment: 4, offset: 6 },
      { segment: 4, offset: 5 },
    ]);
  });

  test('where all segments were restored', () => {
    const change = changeBy(spoken, { kind: 'restore' });
    expect(changedPosition(applyChange(spoken, change), change, 2)).toStrictEqual({ segment: 2, offset: 0 });
  });

  test('nowhere for renamed and merged speakers, whose segments are anywhere', () => {
    expect(visibleAt({ kind: 'name-speakers', names: ['Ann', 'Ann'] }, 4)).toStrictEqual([null, null]);
    expect(visibleAt(replacing('Ann', 'Ben'), 0)).toStrictEqual([null, null]);
  });

  test('for a text that was replaced together with the name of a speaker', () => {
    const before = { ...assigned, speakers: ['net', 'Ben'] };
    const change = changeBy(before, replacing('net', 'Ben'));
    expect(changedPosition(applyChange(before, change), change, 3)).toStrictEqual({ segment: 4, offset: 5 });
  });
});
