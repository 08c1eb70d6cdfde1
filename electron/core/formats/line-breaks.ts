import { breakCost, type Atom } from './atoms.ts';
import type { SubtitleRules } from '../../contract/model/subtitles.ts';

// What makes a split good, in the unit of `breakCost`. A cue costs as much as a break between any two words, so that
// full cues win over many; filling evenly wins over one full cue and one with a last word.
const cueCost = 5;
const cueBreakWeight = 3;
const fullnessCost = 6;
const tooShortCost = 10;
const tooLongCost = 20;
const unevenLinesCost = 6;

/** Where atoms lie when they are written on one endless line. */
interface Ruler {
  readonly count: number;
  /** The columns that the atoms `from` (included) to `to` (not included) take. */
  width(from: number, to: number): number;
  /** The first atom that does not fit on `lines` lines that begin with atom `from`. */
  reach(from: number, lines: number): number;
}

function rulerOf(atoms: readonly Atom[], lineColumns: number): Ruler {
  const count = atoms.length;
  const starts = new Float64Array(count);
  const ends = new Float64Array(count);
  let position = 0;
  for (let index = 0; index < count; index += 1) {
    const atom = atoms[index];
    if (atom === undefined) break;
    if (atom.spaced && index > 0) position += 1;
    starts[index] = position;
    position += atom.columns;
    ends[index] = position;
  }
  const width = (from: number, to: number): number => (ends[to - 1] ?? 0) - (starts[from] ?? 0);

  const lineReach = new Uint32Array(count);
  for (let from = 0, to = 0; from < count; from += 1) {
    to = Math.max(to, from + 1);
    while (to < count && width(from, to + 1) <= lineColumns) to += 1;
    lineReach[from] = to;
  }
  const reach = (from: number, lines: number): number => {
    let to = from;
    for (let line = 0; line < lines && to < count; line += 1) to = lineReach[to] ?? count;
    return to;
  };
  return { count, width, reach };
}

/** Whether one cue can hold all the atoms. */
export function fitsCue(atoms: readonly Atom[], rules: SubtitleRules): boolean {
  return rulerOf(atoms, rules.lineColumns).reach(0, rules.maxLines) >= atoms.length;
}

/**
 * Splits the atoms of a segment into as many cues as it takes, at the best places. The segment lasts `durationMs`,
 * shared by characters.
 */
export function splitAtoms(
  atoms: readonly Atom[],
  durationMs: number,
  rules: SubtitleRules,
): (readonly Atom[])[] {
  const ruler = rulerOf(atoms, rules.lineColumns);
  const { count } = ruler;
  if (durationMs <= rules.maxDurationMs && ruler.reach(0, rules.maxLines) >= count) return [atoms];

  const capacity = rules.maxLines * rules.lineColumns;
  const msPerColumn = durationMs / ruler.width(0, count);
  const costOfCue = (from: number, to: number): number => {
    const width = ruler.width(from, to);
    const ms = width * msPerColumn;
    const fullness = width / capacity;
    let cost = cueCost + fullnessCost * fullness * fullness;
    if (ms < rules.minDurationMs) cost += tooShortCost;
    if (ms > rules.maxDurationMs) cost += tooLongCost * (ms / rules.maxDurationMs - 1);
    return cost;
  };

  // best[to]: the least cost of cues that hold the atoms before `to`, the last of which begins with atom origin[to].
  const best = [0];
  const origin = [0];
  let earliest = 0;
  for (let to = 1; to <= count; to += 1) {
    while (ruler.reach(earliest, rules.maxLines) < to) earliest += 1;
    let least = Infinity;
    let leastFrom = earliest;
    for (let from = earliest; from < to; from += 1) {
      const cost = (best[from] ?? 0) + costOfCue(from, to);
      if (cost < least) {
        least = cost;
        leastFrom = from;
      }
    }
    best.push(least + cueBreakWeight * costOfBreak(atoms, to));
    origin.push(leastFrom);
  }

  const pieces: (readonly Atom[])[] = [];
  for (let to = count; to > 0; to = origin[to] ?? 0) pieces.push(atoms.slice(origin[to], to));
  return pieces.reverse();
}

/** Breaks the atoms of one cue into lines: one if it holds them, else lines of like length broken at good places. */
export function breakLines(atoms: readonly Atom[], rules: SubtitleRules): (readonly Atom[])[] {
  const ruler = rulerOf(atoms, rules.lineColumns);
  const { count } = ruler;
  const lines: (readonly Atom[])[] = [];
  let from = 0;
  for (let left = rules.maxLines; from < count; left -= 1) {
    const to = left <= 1 || ruler.reach(from, 1) >= count ? count : bestBreak(from, left);
    lines.push(atoms.slice(from, to));
    from = to;
  }
  return lines;

  function bestBreak(from: number, left: number): number {
    const furthest = ruler.reach(from, 1);
    let least = Infinity;
    let best = furthest;
    for (let to = from + 1; to <= furthest; to += 1) {
      if (ruler.reach(to, left - 1) < count) continue;
      const uneven = Math.abs(ruler.width(from, to) - ruler.width(to, count) / (left - 1));
      const cost = costOfBreak(atoms, to) + (unevenLinesCost * uneven) / rules.lineColumns;
      if (cost < least) {
        least = cost;
        best = to;
      }
    }
    return best;
  }
}

function costOfBreak(atoms: readonly Atom[], at: number): number {
  const before = atoms[at - 1];
  const after = atoms[at];
  return before !== undefined && after !== undefined ? breakCost(before, after) : 0;
}
