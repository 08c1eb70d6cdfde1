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
  for (const { at, end, inserted } of stretchesOf(before, after)) {
    if (end <= place) moved += inserted.length - (end - at);
    else if (at < place) return moved + inserted.length - (place - at);
  }
  return moved;
}

const pieces = /[\p{L}\p{M}\p{N}]+|\s+|[^]/gu;

/** The stretches in which two texts differ, word by word. */
function stretchesOf(before: string, after: string): readonly Stretch[] {
  const whole = differenceOf(before, after);
  if (whole === null) return [];
  const a = before.match(pieces) ?? [];
  const b = after.match(pieces) ?? [];
  const steps = stepsBetween(a, b);
  if (steps === null) {
    return [{ at: whole.at, end: whole.at + whole.removed, inserted: whole.inserted }];
  }
  const found: Stretch[] = [];
  let at = 0;
  for (const [kind, piece] of steps) {
    const last = found.at(-1);
    const goesOn = last?.end === at ? found.pop() : undefined;
    if (kind === 'same') {
      if (goesOn !== undefined) found.push(goesOn);
      at += piece.length;
      continue;
    }
    const { at: from, inserted } = goesOn ?? { at, inserted: '' };
    if (kind === 'removed') at += piece.length;
    found.push({ at: from, end: at, inserted: kind === 'inserted' ? inserted + piece : inserted });
  }
  return found;
}

type Step = readonly [kind: 'same' | 'removed' | 'inserted', piece: string];

/**
 * How one list becomes another by the fewest steps (E. W. Myers, “An O(ND) difference algorithm and its variations”);
 * `null` when it takes too many.
 */
function stepsBetween(a: readonly string[], b: readonly string[]): readonly Step[] | null {
  const rounds: Int32Array[] = [];
  // How far one comes in `a` on each diagonal, which is the place in `a` less that in `b`.
  const reach = new Int32Array(2 * mostDifferences + 3);
  const middle = mostDifferences + 1;
  for (let round = 0; round <= mostDifferences; round += 1) {
    rounds.push(reach.slice());
    for (let diagonal = -round; diagonal <= round; diagonal += 2) {
      let x = insertsOn(reach, middle, diagonal, round)
        ? (reach[middle + diagonal + 1] ?? 0)
        : (reach[middle + diagonal - 1] ?? 0) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      reach[middle + diagonal] = x;
      if (x >= a.length && x - diagonal >= b.length) return stepsBack(a, b, rounds, middle);
    }
  }
  return null;
}

const insertsOn = (reach: Int32Array, middle: number, diagonal: number, round: number): boolean =>
  diagonal === -round ||
  (diagonal !== round && (reach[middle + diagonal - 1] ?? 0) < (reach[middle + diagonal + 1] ?? 0));

function stepsBack(
  a: readonly string[],
  b: readonly string[],
  rounds: readonly Int32Array[],
  middle: number,
): readonly Step[] {
  const steps: Step[] = [];
  let [x, y] = [a.length, b.length];
  for (let round = rounds.length - 1; x > 0 || y > 0; round -= 1) {
    const reach = rounds[round] ?? new Int32Array();
    const diagonal = x - y;
    const inserts = insertsOn(reach, middle, diagonal, round);
    const from = round === 0 ? 0 : (reach[middle + diagonal + (inserts ? 1 : -1)] ?? 0);
    const fromY = round === 0 ? 0 : from - (diagonal + (inserts ? 1 : -1));
    while (x > from && y > fromY) {
      x -= 1;
      y -= 1;
      steps.push(['same', a[x] ?? '']);
    }
    if (round === 0) break;
    if (inserts) steps.push(['inserted', b[(y -= 1)] ?? '']);
    else steps.push(['removed', a[(x -= 1)] ?? '']);
  }
  return steps.reverse();
}
