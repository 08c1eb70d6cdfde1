import { beforeAll, describe, expect, test } from 'vitest';
import { findingText } from '../../renderer/features/transcript/review/finding-text.ts';
import { i18n, loadTexts } from '../../renderer/i18n.ts';
import { createFormat } from '../../renderer/ui/text/format.ts';

beforeAll(() => loadTexts());

describe('a finding about times says them as people read them', () => {
  test.each([
    ['gap', 359_949, 'Gap of 99 h 59 min before this: words may be missing.'],
    ['gap', 14.2, 'Gap of 14 s before this: words may be missing.'],
    ['short', 0.34, 'Shown for only 0.3 s: too short to read.'],
    ['short', 0.004, 'Shown for only 0.004 s: too short to read.'],
    ['short', 0, 'Has no duration, so it is never shown.'],
    ['overlap', 0.02, 'Starts 0.02 s before the previous one ends.'],
  ] as const)('%s of %s s', (kind, amount, text) => {
    const finding = { key: 'one', kind, segment: 0, range: null, fix: null, amount } as const;
    expect(findingText(i18n.t, createFormat('en-GB', i18n.t), finding)).toBe(text);
  });
});

test('a finding about a stretched word names it and says how long it lasts', () => {
  const text = 'moved';
  const finding = {
    key: 'one',
    kind: 'stretched',
    segment: 0,
    range: null,
    fix: null,
    amount: 3.02,
    text,
  } as const;
  expect(findingText(i18n.t, createFormat('en-GB', i18n.t), finding)).toBe(
    '“moved” lasts 3 s: words may be missing there.',
  );
});
