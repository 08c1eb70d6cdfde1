import type { Segment } from '../../../contract/segment-schema.ts';
import type { Change, Draft, DraftSegment, EditOperation } from '../../../contract/transcript.ts';
import { mergeSegments, newSegment, splitSegment, moveEdges } from '../segment.ts';
import { wordsOrEstimates } from '../word-edits.ts';
import { findSegment } from './draft.ts';
import { earliestEnd, latestStart } from './segment-times.ts';

type WordMove = Omit<Extract<EditOperation, { kind: 'move-word' }>, 'kind'>;

/** Why no word can move across an edge of a segment. */
export type WordMoveRefusal =
  /** There is no text, or no segment beyond the edge. */
  | 'no-words'
  /** The segment that would lose the word has no other one. */
  | 'only-word'
  /** Segments are out of order there. */
  | 'order';

/** The word that a move takes across an edge. */
interface WordAtEdge {
  /** The index of the segment before the edge; the other one follows. */
  readonly index: number;
  readonly before: DraftSegment;
  readonly after: DraftSegment;
  /** Where the text of the segment that loses the word is split, in UTF-16 units, and the times on both sides. */
  readonly offset: number;
  readonly endSeconds: number;
  readonly startSeconds: number;
}

/**
 * Moves the first or last word of a segment across an edge into its neighbour, with its times; they are estimated where
 * words have none.
 */
export function moveWord(draft: Draft, move: WordMove): Change {
  const found = findWord(draft, move);
  if (typeof found === 'string') return [];
  const { index, before, after, offset, startSeconds } = found;
  // Segments without a gap have none afterwards.
  const endSeconds = before.end >= after.start ? startSeconds : found.endSeconds;
  const halvesOf = (segment: DraftSegment): readonly [DraftSegment, DraftSegment] => {
    const [head, tail] = splitSegment(segment, offset, startSeconds);
    return [moveEdges(head, head.start, endSeconds), tail];
  };
  const pairs = (left: DraftSegment, right: DraftSegment): Change => [
    {
      kind: 'replace',
      pairs: [
        { at: index, before, after: left },
        { at: index + 1, before: after, after: right },
      ],
    },
  ];
  if (move.by === 1) {
    const [word, rest] = halvesOf(after);
    return pairs({ ...before, ...mergeSegments<Segment>(before, onlyWord(word)) }, rest);
  }
  const [rest, word] = halvesOf(before);
  return pairs(rest, { ...after, ...mergeSegments<Segment>(onlyWord(word), after) });
}

/** Returns the moved word without the extras of the segment that loses it, except its time and its highlight. */
const onlyWord = ({ start, end, text, extras: { words, highlight } = {} }: DraftSegment): Segment =>
  newSegment(start, end, text, {
    ...(words !== undefined && { words }),
    ...(highlight !== undefined && { highlight }),
  });

/** Returns why no word can move; `null` if one can. */
export function wordMoveRefusal(draft: Draft, move: WordMove): WordMoveRefusal | null {
  const found = findWord(draft, move);
  return typeof found === 'string' ? found : null;
}

function findWord(draft: Draft, { segment: id, edge, by }: WordMove): WordAtEdge | WordMoveRefusal {
  const located = findSegment(draft, id);
  const index = (located?.index ?? 0) - (edge === 'start' ? 1 : 0);
  const [before, after, beyond] = [index, index + 1, index + 2].map((at) => draft.segments[at]);
  if (located === null || before === undefined || after === undefined) return 'no-words';
  const words = wordsOrEstimates(by === 1 ? after : before);
  const [left, right] = by === 1 ? [words[0], words[1]] : [words.at(-2), words.at(-1)];
  if (left === undefined || right === undefined) return words.length === 0 ? 'no-words' : 'only-word';
  // The segment that loses the word keeps the minimum duration.
  const clamp = (seconds: number): number =>
    by === 1 ? Math.min(seconds, latestStart(after)) : Math.max(seconds, earliestEnd(before));
  const [endSeconds, startSeconds] = [clamp(left.end), clamp(right.start)];
  const isOrdered = before.start <= startSeconds && startSeconds <= (beyond?.start ?? Infinity);
  if (!isOrdered) return 'order';
  return { index, before, after, offset: right.from, endSeconds, startSeconds };
}
