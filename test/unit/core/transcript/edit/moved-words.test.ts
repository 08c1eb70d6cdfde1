import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Draft } from '../../../../../electron/contract/transcript.ts';
import { compareSegments } from '../../../../../electron/core/transcript/edit/compare.ts';
import { draftOf } from '../../../../../electron/core/transcript/edit/edit.ts';
import { edited, rearranging, restoration } from './edit-arbitraries.ts';

const wordsIn = ({ segments }: Draft): string[] => segments.flatMap(({ text }) => text.match(/\S/gu) ?? []);

/** Segments of one-letter words, each of which occurs once. */
const lettered = fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 6 }).map((counts) => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  return draftOf(
    counts.map((count, index) => ({
      start: index * 4,
      end: index * 4 + 4,
      text: letters.splice(0, count).join(' '),
    })),
  );
});
/** Types a capital letter at the start or the end of a segment, and may delete the word that was there. */
const typing = fc.record({ id: fc.nat({ max: 14 }), atStart: fc.boolean(), deletes: fc.boolean() });

test('moved words are neither doubled nor lost by a restoration, wherever they were moved', () => {
  fc.assert(
    fc.property(
      lettered,
      fc.array(fc.oneof({ arbitrary: rearranging, weight: 3 }, typing), { maxLength: 12 }),
      (original, operations) => {
        let now = original;
        for (const [index, one] of operations.entries()) {
          if ('kind' in one) now = edited(now, original, [one]);
          else {
            const words = now.segments.find(({ id }) => id === one.id)?.text.split(' ') ?? [];
            if (one.deletes) words.splice(one.atStart ? 0 : -1, 1);
            words.splice(one.atStart ? 0 : words.length, 0, 'ABCDEFGHIJKL'.charAt(index));
            now = edited(now, original, [{ kind: 'set-text', segment: one.id, text: words.join(' ') }]);
          }
        }
        for (const row of compareSegments(now.segments, original.segments)) {
          const words = wordsIn(edited(now, original, [restoration(row)]));
          expect(words).toHaveLength(new Set(words).size);
          expect(words).toStrictEqual(expect.arrayContaining(wordsIn(now).filter((word) => word >= 'a')));
        }
      },
    ),
    { numRuns: 1000 },
  );
});

test('words that were only moved between segments are not a change, however often they occur', () => {
  fc.assert(
    fc.property(
      fc
        .array(fc.array(fc.constantFrom('ja', 'nein'), { maxLength: 4 }), { maxLength: 6 })
        .map((texts) =>
          draftOf(texts.map((text, index) => ({ start: index, end: index + 1, text: text.join(' ') }))),
        ),
      fc.array(rearranging, { maxLength: 8 }),
      (original, operations) => {
        const now = edited(original, original, operations);
        for (const { before, after } of compareSegments(now.segments, original.segments))
          expect(after.replaceAll(' ', '')).toBe(before.replaceAll(' ', ''));
      },
    ),
  );
});
