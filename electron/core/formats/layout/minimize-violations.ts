import { earliestStartMs, latestStartMs, minDisplayMs, maxDisplayMs, type PlacedCue } from './cue-times.ts';
import { costOfCue, costOfCueEnd } from './line-breaks.ts';
import { areInSameRun, joinsParts, type Speech } from './speech.ts';

// In the unit of `breakCost`, in addition to the cost of each cue.
/** The cost of joining two flows in a cue. */
const joinCost = 8;
/** The cost of the longest allowed delay of a cue; shorter delays cost proportionally less. */
const lateCost = 10;
/**
 * How many other violations are better than a cue that is shorter than its minimum duration: a reader can stop a cue
 * that is too fast, but may not even see one that is too short.
 */
export const tooShortViolations = 1000;
/** The cost of a cue that is shown for none of the time that it needs. */
const missingTimeCost = 20;

/**
 * The maximum number of candidates for an atom. Usually there are a few; where segments overlap for minutes, there
 * would be hundreds, and the work grows with the cube of their number.
 */
const maxCandidates = 16;

/** A layout of everything before an atom. */
interface Candidate {
  /** The number of cues that violate a rule, and {@link tooShortViolations} for each that is too short. */
  readonly violations: number;
  /** How bad it is in all other respects. */
  readonly cost: number;
  /** When the cue that begins with the atom starts. */
  readonly startMs: number;
  /** Whether that is later than necessary. */
  readonly isLate: boolean;
  readonly last: { readonly from: number; readonly before: Candidate } | null;
}

/**
 * Cuts and places cues with as few violations as possible and, among such layouts, with the best breaks.
 *
 * A cut is allowed between any two atoms, unless it leaves a label without a word. A cue is allowed if it fits on its
 * lines, belongs to one run, does not join parts of sentences ({@link joinsParts}), and does not join flows that together
 * last longer than the maximum duration. A cue starts as early as possible, or later so that the previous one is shown
 * longer: at most as late as {@link latestStartMs} allows, and not after its own last word.
 *
 * For each atom that a cue could begin with, dominated candidates are dropped. Of those with the same number of
 * violations, two are kept: the earliest, as it leaves the most time for what follows, and the cheapest. A candidate
 * with more violations is kept only if it is earlier. Beyond {@link maxCandidates}, the worst are dropped too.
 *
 * @param from the first atom of a run; its cue starts with it
 * @param isEnd whether the layout may end before an atom that begins a run. It does if an optimal candidate lets that
 *   run start on time: the rest is then independent of what precedes it.
 * @returns the cues from `from` on
 */
export function minimizeViolations(
  speech: Speech,
  from: number,
  isEnd: (at: number) => boolean,
): readonly PlacedCue[] {
  const { text, times } = speech;
  const count = text.atoms.length;
  const candidates: Candidate[][] = [
    [{ violations: 0, cost: 0, startMs: times.startMs(from), isLate: false, last: null }],
  ];
  const candidatesAt = (at: number): Candidate[] => (candidates[at - from] ??= []);
  for (let at = from; at < count; at += 1) {
    const here = candidatesAt(at);
    if (at > from && !areInSameRun(speech, at - 1, at) && isEnd(at)) {
      const best = bestCandidate(here, times.startMs(at));
      if (best !== null) return cuesOf(best, at);
    }
    for (let to = at + 1; to <= text.endOfLines(at, speech.rules.maxLines); to += 1) {
      if (!areInSameRun(speech, at, to - 1)) break;
      if (joinsParts(speech, at, to)) continue;
      if (
        joinsOf(speech, at, to) > 0 &&
        times.endBeforeMs(to) - times.startMs(at) > speech.rules.maxDurationMs
      )
        break;
      if (to < count && !text.canEndCue(to)) continue;
      extendCandidates(speech, here, at, to, candidatesAt(to));
    }
  }
  const best = bestCandidate(candidatesAt(count), Infinity);
  return best === null ? [] : cuesOf(best, count);
}

/** Returns how many boundaries of flows are inside a cue. */
const joinsOf = ({ flowOf }: Speech, from: number, to: number): number =>
  (flowOf[to - 1] ?? 0) - (flowOf[from] ?? 0);

/** Extends the candidates for an atom by a cue that begins with it. */
function extendCandidates(
  speech: Speech,
  before: readonly Candidate[],
  from: number,
  to: number,
  candidates: Candidate[],
): void {
  const { text, times, rules, flowOf } = speech;
  const isLast = to === text.atoms.length;
  const neededMs = minDisplayMs(speech, from, to);
  const isInFlow = !isLast && flowOf[to - 1] === flowOf[to];
  const cost =
    costOfCue(speech, from, to) +
    joinCost * joinsOf(speech, from, to) +
    (isInFlow ? costOfCueEnd(text, to) : 0);
  const wordsEndMs = times.endBeforeMs(to);
  for (const candidate of before) {
    const { startMs } = candidate;
    if (candidate.isLate && startMs > wordsEndMs) continue;
    const extend = (nextMs: number, isLate: boolean): void => {
      const shownMs = maxDisplayMs(speech, startMs, nextMs);
      const missingMs = neededMs - shownMs;
      const late = isLast ? 0 : Math.max(0, nextMs - times.startMs(to)) / Math.max(1, rules.closeGapsBelowMs);
      addCandidate(candidates, {
        violations:
          candidate.violations +
          (missingMs > 0 ? 1 : 0) +
          (shownMs < rules.minDurationMs ? tooShortViolations : 0),
        cost:
          candidate.cost +
          cost +
          lateCost * late +
          missingTimeCost * Math.min(1, Math.max(0, missingMs / neededMs)),
        startMs: nextMs,
        isLate,
        last: { from, before: candidate },
      });
    };
    if (isLast) {
      extend(Infinity, false);
      continue;
    }
    const onTimeMs = earliestStartMs(speech, to, startMs);
    extend(onTimeMs, false);
    const availableMs = maxDisplayMs(speech, startMs, onTimeMs);
    if (availableMs >= neededMs) continue;
    const startAfterMs = startMs + neededMs + rules.minGapMs;
    if (startAfterMs <= latestStartMs(speech, to, neededMs)) extend(startAfterMs, true);
    // A cue that is not shown long enough to be read has at least its minimum duration.
    if (availableMs < rules.minDurationMs && rules.minDurationMs < neededMs)
      extend(startMs + rules.minDurationMs + rules.minGapMs, true);
  }
}

/** Adds a candidate unless it is dominated, and drops those that it dominates. */
function addCandidate(candidates: Candidate[], candidate: Candidate): void {
  if (!isUndominated(candidate, candidates)) return;
  candidates.push(candidate);
  for (let index = candidates.length - 2; index >= 0; index -= 1) {
    const other = candidates[index];
    if (other !== undefined && !isUndominated(other, candidates)) candidates.splice(index, 1);
  }
  if (candidates.length > maxCandidates) {
    const worst = candidates.reduce((one, other) => (isWorse(other, one) ? other : one));
    candidates.splice(candidates.indexOf(worst), 1);
  }
}

const isWorse = (one: Candidate, other: Candidate): boolean =>
  one.violations === other.violations ? one.cost > other.cost : one.violations > other.violations;

/**
 * Whether a candidate has fewer violations than all others that are not later, and is the earliest or the cheapest of
 * those with as many.
 */
function isUndominated(candidate: Candidate, others: readonly Candidate[]): boolean {
  let isEarliest = true;
  let isCheapest = true;
  for (const other of others) {
    if (other === candidate || other.violations > candidate.violations || (other.isLate && !candidate.isLate))
      continue;
    const isNotLater = other.startMs <= candidate.startMs;
    if (other.violations < candidate.violations && isNotLater) return false;
    if (other.violations < candidate.violations) continue;
    if (isNotLater) isEarliest = false;
    if (other.cost <= candidate.cost) isCheapest = false;
  }
  return isEarliest || isCheapest;
}

/** Returns the cheapest candidate with the fewest violations that starts the next cue by `byMs`, or `null`. */
function bestCandidate(candidates: readonly Candidate[], byMs: number): Candidate | null {
  const minViolations = Math.min(...candidates.map((one) => one.violations));
  let best: Candidate | null = null;
  for (const candidate of candidates) {
    const isEligible = candidate.violations === minViolations && candidate.startMs <= byMs;
    if (isEligible && (best === null || candidate.cost < best.cost)) best = candidate;
  }
  return best;
}

function cuesOf(candidate: Candidate, end: number): readonly PlacedCue[] {
  const cues: PlacedCue[] = [];
  let to = end;
  for (let { last } = candidate; last !== null; { last } = last.before) {
    cues.push({ from: last.from, to, startMs: last.before.startMs });
    to = last.from;
  }
  return cues.reverse();
}
