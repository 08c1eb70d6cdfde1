import { diffArrays } from 'diff';
import { differenceOf } from './whole-text.ts';

/** Words that may differ between two texts before they are compared as a whole: looking further takes too long. */
const mostDifferences = 400;

/** A stretch of a text, in UTF-16 units, and what comes in its place. */
interface Stretch {
  readonly at: number;
  readonly end: number;
  readonly inserted: string;
}

/**
 * A text that two have changed, of whom one is typing in it: no letter of `mine` is lost, and `theirs` counts wherever
 * nothing was typed.
 */
export function mergeTexts(base: string, mine: string, theirs: string): string {
  const typed = differenceOf(base, mine);
  if (typed === null) return theirs;
  if (theirs === base) return mine;
  const [at, end] = [typed.at, typed.at + typed.removed];
  const others = stretchesOf(base, theirs).filter((one) => one.end <= at || one.at >= end);
  // What was inserted at the very place comes before what was typed there.
  const all = [...others, { at, end, inserted: typed.inserted }].sort((a, b) => a.at - b.at || a.end - b.end);
  let text = '';
  let done = 0;
  for (const stretch of all) {
    text += base.slice(done, stretch.at) + stretch.inserted;
    done = stretch.end;
  }
  return text + base.slice(done);
}

/** Where a place of a text is once it has become another, in UTF-16 units. */
export function movedPlace(before: string, after: string, place: number): number {
  let moved = place;
  for (const stretch of stretchesOf(before, after)) {
    // Of a word that differs, the letters that do: a place beside them stays where it is.
    const letters = differenceOf(before.slice(stretch.at, stretch.end), stretch.inserted);
    if (letters === null) continue;
    const { removed, inserted } = letters;
    const at = stretch.at + letters.at;
    if (at + removed <= place) moved += inserted.length - removed;
    else if (at < place) return moved + inserted.length - (place - at);
  }
  return moved;
}

const pieces = /[\p{L}\p{M}\p{N}]+|\s+|[^]/gu;

/** The stretches in which two texts differ, word by word. */
function stretchesOf(before: string, after: string): readonly Stretch[] {
  const changes = diffArrays(before.match(pieces) ?? [], after.match(pieces) ?? [], {
    maxEditLength: mostDifferences,
  });
  if (changes === undefined) {
    const whole = differenceOf(before, after);
    return whole === null ? [] : [{ at: whole.at, end: whole.at + whole.removed, inserted: whole.inserted }];
  }
  const stretches: Stretch[] = [];
  let at = 0;
  for (const { added, removed, value } of changes) {
    const text = value.join('');
    if (!added && !removed) {
      at += text.length;
      continue;
    }
    const begun = stretches.at(-1)?.end === at ? stretches.pop() : undefined;
    const from = begun?.at ?? at;
    if (removed) at += text.length;
    stretches.push({ at: from, end: at, inserted: (begun?.inserted ?? '') + (added ? text : '') });
  }
  return stretches;
}
