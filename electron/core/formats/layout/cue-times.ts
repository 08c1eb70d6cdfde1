import { tolerance } from './measured-text.ts';
import type { Speech } from './speech.ts';

/** A cue before its lines are broken: the atoms `from` to before `to`, on the screen from `startMs`. */
export interface PlacedCue {
  readonly from: number;
  readonly to: number;
  readonly startMs: number;
}

/** How long a cue has to stay to break no rule; longer than the longest time when there is no such time. */
export function neededMs({ text, rules }: Speech, from: number, to: number): number {
  const readMs = Math.ceil((text.readColumns(from, to) * 1000) / rules.maxSpeed - tolerance);
  return Math.max(rules.minDurationMs, readMs);
}

/** How long a cue that begins at `startMs` can stay when the next one begins at `nextMs`. */
export const stayMs = ({ rules }: Speech, startMs: number, nextMs: number): number =>
  Math.min(rules.maxDurationMs, nextMs - rules.minGapMs - startMs);

/** When the cue that begins with atom `at` is due: when its first word is said, after the one before it. */
export const dueMs = ({ times }: Speech, at: number, previousMs: number): number =>
  Math.max(times.startMs(at), previousMs + 1);

/**
 * The latest that the cue that begins with atom `at` may begin for the sake of the one before, which needs `needMs`:
 * for its shortest time whenever its own words are still being said, for reading not so late that it is noticed.
 */
export const latestMs = ({ times, rules }: Speech, at: number, needMs: number): number =>
  needMs <= rules.minDurationMs ? Infinity : times.startMs(at) + rules.closedGapMs;

/**
 * Puts cues on the time line, each when it is due.
 *
 * @param ends the atom after the last one of each.
 * @returns the cues, and which of them cannot stay for as long as they need.
 */
export function placeCues(
  speech: Speech,
  ends: readonly number[],
): { readonly cues: readonly PlacedCue[]; readonly broken: readonly number[] } {
  const cues: PlacedCue[] = [];
  const broken: number[] = [];
  let from = 0;
  let startMs = speech.times.startMs(0);
  ends.forEach((to, index) => {
    cues.push({ from, to, startMs });
    const nextMs = index + 1 < ends.length ? dueMs(speech, to, startMs) : Infinity;
    if (stayMs(speech, startMs, nextMs) < neededMs(speech, from, to)) broken.push(index);
    from = to;
    startMs = nextMs;
  });
  return { cues, broken };
}

/**
 * A cue that has to go before all of it is said, in the middle of a flow, would leave a gap that flickers before the
 * next one: that begins right after it instead, a moment early.
 */
export function closeFlickers(speech: Speech, cues: readonly PlacedCue[]): readonly PlacedCue[] {
  const { rules, flowOf } = speech;
  let previousMs = -Infinity;
  return cues.map((cue) => {
    const goneMs = previousMs + rules.maxDurationMs;
    const gapMs = cue.startMs - goneMs;
    const isFlicker = gapMs > rules.minGapMs && gapMs < rules.closedGapMs;
    const isInside = cue.from > 0 && flowOf[cue.from] === flowOf[cue.from - 1];
    previousMs = isFlicker && isInside ? goneMs + rules.minGapMs : cue.startMs;
    return previousMs === cue.startMs ? cue : { ...cue, startMs: previousMs };
  });
}

/** When a cue goes: when its words are said and read, and before the next one. */
export function goneMs(speech: Speech, { from, to, startMs }: PlacedCue, nextMs: number): number {
  const { text, times, rules } = speech;
  const speed = Math.min(rules.aimedSpeed, rules.maxSpeed);
  const readMs = Math.ceil((text.readColumns(from, to) * 1000) / speed - tolerance);
  const wantedMs = Math.max(times.endMs(to), startMs + Math.max(rules.minDurationMs, readMs));
  const latestMs = startMs + stayMs(speech, startMs, nextMs);
  const endMs = nextMs - wantedMs < rules.closedGapMs ? latestMs : Math.min(wantedMs, latestMs);
  return Math.max(startMs + 1, endMs);
}
