import fc from 'fast-check';
import type { Segment } from '../../../../electron/contract/segment-schema.ts';
import { newSegment } from '../../../../electron/core/transcript/segment.ts';
import type { Word } from '../../../../electron/core/transcript/word-times.ts';

const spoken = fc.oneof(
  fc.constantFrom('the', 'fox', 'jumps,', 'Mbeki', '“No.”', '我', '爱', '你。', '—', '👩‍👩‍👦', 'e\u0301te\u0301'),
  fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).filter((text) => !/\s/u.test(text)),
);
const gap = fc.constantFrom('', ' ', ' ', ' ', '  ', '\u00a0', '\u3000');

/** A segment with times in milliseconds and its words; there may be none. */
export const spokenSegment = ({
  maxSeconds,
}: {
  readonly maxSeconds: number;
}): fc.Arbitrary<{ readonly segment: Segment; readonly words: readonly Word[] }> =>
  fc
    .record({
      startMs: fc.nat(36_000_000),
      durationMs: fc.integer({ min: 1, max: maxSeconds * 1000 }),
      pieces: fc.array(
        fc.record({
          spoken,
          gap,
          times: fc.tuple(fc.nat(1_000_000), fc.nat(1_000_000)),
          probability: fc.option(fc.integer({ min: 0, max: 1000 }).map((permille) => permille / 1000)),
        }),
        { maxLength: 12 },
      ),
      end: gap,
    })
    .map(({ startMs, durationMs, pieces, end }) => {
      const times = pieces
        .flatMap((piece) => piece.times)
        .map((share) => startMs + Math.round((share * durationMs) / 1_000_000))
        .sort((a, b) => a - b);
      let text = '';
      const words = pieces.map((piece, index) => {
        const from = text.length + piece.gap.length;
        text += piece.gap + piece.spoken;
        return {
          from,
          to: text.length,
          start: (times[2 * index] ?? 0) / 1000,
          end: (times[2 * index + 1] ?? 0) / 1000,
          probability: piece.probability,
        };
      });
      return { segment: newSegment(startMs / 1000, (startMs + durationMs) / 1000, text + end), words };
    });
