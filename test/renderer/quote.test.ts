import { beforeAll, describe, expect, it, test } from 'vitest';
import type { DraftSegment } from '../../electron/contract/transcript.ts';
import { formatQuote, plainTextOf } from '../../renderer/features/transcript/editing/quote.ts';
import { i18n, loadTexts } from '../../renderer/i18n.ts';

beforeAll(() => loadTexts());

const segments: readonly DraftSegment[] = [
  { id: 4, start: 60, end: 70, text: 'One net. Two nets.', speaker: 0 },
  { id: 9, start: 70, end: 80, text: ' Three nets. ', speaker: 0 },
  { id: 2, start: 80, end: 90, text: 'And a boat?', speaker: 1 },
];
const fullRange = ({ id, text }: DraftSegment) => ({ segment: id, start: 0, end: text.length });
const quote = (...selected: Parameters<typeof formatQuote>[1]) =>
  formatQuote(segments, selected, ['Anna', 'Piet'], 'Nets.mp3');

test('plain text does not attribute a segment without a speaker to the previous speaker', () => {
  const unnamed = { id: 5, start: 90, end: 95, text: 'Perhaps.', speaker: null };
  const draft = { segments: [...segments, unnamed], speakers: ['Anna', 'Piet'], text: null };
  expect(plainTextOf({ ...draft, notes: [], nextId: 10 }, i18n.t)).toBe(
    'Anna: One net. Two nets. Three nets.\nPiet: And a boat?\nNo speaker: Perhaps.',
  );
});

describe('a quote', () => {
  it('of some words has the time at which they are spoken', () => {
    // Seven of fifteen characters without spaces precede it.
    expect(quote({ segment: 4, start: 9, end: 18 })).toBe('“Two nets.” (Anna, Nets.mp3, 1:04)');
    expect(quote({ segment: 4, start: 8, end: 12 })).toBe('“Two” (Anna, Nets.mp3, 1:04)');
  });

  it('of several segments starts with the first, and names the speakers', () => {
    expect(quote(...segments.slice(0, 2).map(fullRange))).toBe(
      '“One net. Two nets. Three nets.” (Anna, Nets.mp3, 1:00)',
    );
    expect(quote(fullRange(segments[1]!), { segment: 2, start: 0, end: 3 })).toBe(
      '“Three nets.” (Anna, Nets.mp3, 1:10)\n“And” (Piet, Nets.mp3, 1:20)',
    );
  });

  it('names no speaker when there is none, and omits empty and deleted segments', () => {
    const [first] = segments;
    const nobody = [{ ...first!, speaker: null }];
    expect(formatQuote(nobody, [{ segment: 4, start: 0, end: 8 }], [], 'Nets.mp3')).toBe(
      '“One net.” (Nets.mp3, 1:00)',
    );
    expect(quote({ segment: 4, start: 3, end: 4 }, { segment: 77, start: 0, end: 4 })).toBe('');
  });
});
