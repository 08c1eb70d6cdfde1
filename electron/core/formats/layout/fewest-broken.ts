import { dueMs, latestMs, neededMs, stayMs, type PlacedCue } from './cue-times.ts';
import { costOfCue, costOfCut } from './line-breaks.ts';
import { areOfOneRun, type Speech } from './speech.ts';

// Beside `cueCost`: what it costs to join what was said apart, to be late by all that is allowed for reading, and to
// lack all of the time that is needed.
const joinCost = 8;
const lateCost = 10;
const lackCost = 20;

/** A way to lay out all that comes before an atom. */
interface Way {
  /** Cues that break a rule. */
  readonly broken: number;
  /** How bad it is otherwise. */
  readonly cost: number;
  /** When the cue that begins with the atom begins. */
  readonly startMs: number;
  /** Whether that is later than it has to be. */
  readonly isLate: boolean;
  readonly last: { readonly from: number; readonly before: Way } | null;
}

/**
 * Cuts and places the cues of speech so that as few as possible break a rule, and among such ways in the best places.
 *
 * Allowed is every cut between two atoms that leaves no label without a word, and every cue that its lines can hold, of
 * one run and, where it joins flows, said within the longest time. A cue begins when it is due, or later for the sake of the one before it, as far as
 * {@link latestMs} allows and not after its own last word. For each place where a cue could begin, of the ways that break
 * as many rules the earliest is kept, from which none ends with more, and the cheapest; none is that breaks more than
 * another one that is as early.
 *
 * @param from where a run begins, whose first cue begins when it is said.
 * @param isEnd whether the layout may end before an atom that begins a run. It does when the first cue of that can begin
 * when it is said in a way than which none breaks fewer rules: what follows is then the same whatever came before it.
 * @returns the cues from there on.
 */
export function fewestBroken(
  speech: Speech,
  from: number,
  isEnd: (at: number) => boolean,
): readonly PlacedCue[] {
  const { text, times } = speech;
  const count = text.atoms.length;
  const ways: Way[][] = [[{ broken: 0, cost: 0, startMs: times.startMs(from), isLate: false, last: null }]];
  const waysTo = (at: number): Way[] => (ways[at - from] ??= []);
  for (let at = from; at < count; at += 1) {
    const here = waysTo(at);
    if (at > from && !areOfOneRun(speech, at - 1, at) && isEnd(at)) {
      const best = bestOf(here, times.startMs(at));
      if (best !== null) return cuesOf(best, at);
    }
    for (let to = at + 1; to <= text.reach(at, speech.rules.maxLines); to += 1) {
      if (!areOfOneRun(speech, at, to - 1)) break;
      if (joinsOf(speech, at, to) > 0 && times.endMs(to) - times.startMs(at) > speech.rules.maxDurationMs)
        break;
      if (to < count && !text.canCut(to)) continue;
      addWays(speech, here, at, to, waysTo(to));
    }
  }
  const best = bestOf(waysTo(count), Infinity);
  return best === null ? [] : cuesOf(best, count);
}

/** How many flows go on in the next one inside of a cue. */
const joinsOf = ({ flowOf }: Speech, from: number, to: number): number =>
  (flowOf[to - 1] ?? 0) - (flowOf[from] ?? 0);

/** Goes on from the ways to an atom with a cue that begins with it. */
function addWays(speech: Speech, before: readonly Way[], from: number, to: number, ways: Way[]): void {
  const { text, times, rules, flowOf } = speech;
  const isLast = to === text.atoms.length;
  const needMs = neededMs(speech, from, to);
  const isInFlow = !isLast && flowOf[to - 1] === flowOf[to];
  const cost =
    costOfCue(speech, from, to) + joinCost * joinsOf(speech, from, to) + (isInFlow ? costOfCut(text, to) : 0);
  const wordsEndMs = times.endMs(to);
  for (const way of before) {
    const { startMs } = way;
    if (way.isLate && startMs > wordsEndMs) continue;
    const goOn = (nextMs: number, isLate: boolean): void => {
      const lackMs = needMs - stayMs(speech, startMs, nextMs);
      const late = isLast ? 0 : Math.max(0, nextMs - times.startMs(to)) / Math.max(1, rules.closedGapMs);
      addWay(ways, {
        broken: way.broken + (lackMs > 0 ? 1 : 0),
        cost: way.cost + cost + lateCost * late + lackCost * Math.min(1, Math.max(0, lackMs / needMs)),
        startMs: nextMs,
        isLate,
        last: { from, before: way },
      });
    };
    if (isLast) {
      goOn(Infinity, false);
      continue;
    }
    const onTimeMs = dueMs(speech, to, startMs);
    goOn(onTimeMs, false);
    const stays = stayMs(speech, startMs, onTimeMs);
    if (stays >= needMs) continue;
    const goneMs = startMs + rules.minGapMs;
    if (goneMs + needMs <= latestMs(speech, to, needMs)) goOn(goneMs + needMs, true);
    // What cannot be read in its time is at least seen.
    else if (stays < rules.minDurationMs) {
      const seenMs = Math.min(goneMs + rules.minDurationMs, times.startMs(to) + rules.closedGapMs);
      if (seenMs > onTimeMs) goOn(seenMs, true);
    }
  }
}

/** Adds a way if it is worth anything, and takes out those that are not beside it. */
function addWay(ways: Way[], way: Way): void {
  if (!isWorthMore(way, ways)) return;
  ways.push(way);
  for (let index = ways.length - 2; index >= 0; index -= 1) {
    const other = ways[index];
    if (other !== undefined && !isWorthMore(other, ways)) ways.splice(index, 1);
  }
}

/**
 * Whether a way breaks fewer rules than all others that are as early, and is the earliest or the cheapest of those that
 * break as many.
 */
function isWorthMore(way: Way, others: readonly Way[]): boolean {
  let isEarliest = true;
  let isCheapest = true;
  for (const other of others) {
    if (other === way || other.broken > way.broken || (other.isLate && !way.isLate)) continue;
    const isAsEarly = other.startMs <= way.startMs;
    if (other.broken < way.broken && isAsEarly) return false;
    if (other.broken < way.broken) continue;
    if (isAsEarly) isEarliest = false;
    if (other.cost <= way.cost) isCheapest = false;
  }
  return isEarliest || isCheapest;
}

/** The cheapest of the ways that break the fewest rules and begin the next cue by `byMs`; `null` when none does. */
function bestOf(ways: readonly Way[], byMs: number): Way | null {
  const fewest = Math.min(...ways.map(({ broken }) => broken));
  let best: Way | null = null;
  for (const way of ways) {
    const isWanted = way.broken === fewest && way.startMs <= byMs;
    if (isWanted && (best === null || way.cost < best.cost)) best = way;
  }
  return best;
}

function cuesOf(way: Way, end: number): readonly PlacedCue[] {
  const cues: PlacedCue[] = [];
  let to = end;
  for (let { last } = way; last !== null; { last } = last.before) {
    cues.push({ from: last.from, to, startMs: last.before.startMs });
    to = last.from;
  }
  return cues.reverse();
}
