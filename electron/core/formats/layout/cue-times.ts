import { tolerance } from './measured-text.ts';
import type { Speech } from './speech.ts';
import type { SubtitleRules } from '../../../contract/subtitle-rules.ts';

/** A cue without line breaks: the atoms from `from` to before `to`, shown from `startMs`. */
export interface PlacedCue {
  readonly from: number;
  readonly to: number;
  readonly startMs: number;
}

/** Returns how long a cue must be shown to be neither too short nor too fast; may exceed the maximum duration. */
export function minDisplayMs({ text, rules }: Speech, from: number, to: number): number {
  const readMs = Math.ceil((text.readColumns(from, to) * 1000) / rules.maxSpeed - tolerance);
  return Math.max(rules.minDurationMs, readMs);
}

/** Returns how long a cue that starts at `startMs` can be shown if the next one starts at `nextMs`. */
export const maxDisplayMs = ({ rules }: Speech, startMs: number, nextMs: number): number =>
  Math.min(rules.maxDurationMs, nextMs - rules.minGapMs - startMs);

/** Returns the minimum time for which each cue is visible, however dense the speech: half of its minimum duration. */
export const minVisibleMs = ({ minDurationMs, maxDurationMs }: SubtitleRules): number =>
  Math.ceil(Math.min(minDurationMs, maxDurationMs) / 2);

/** Returns when the cue that begins with atom `at` can start: with its first word, once the previous one was visible. */
export const earliestStartMs = ({ times, rules }: Speech, at: number, previousStartMs: number): number =>
  Math.max(times.startMs(at), previousStartMs + minVisibleMs(rules) + rules.minGapMs);

/**
 * Returns how late the cue that begins with atom `at` may start so that the previous one is shown for `neededMs`: without
 * limit if that is at most the minimum duration, otherwise only with an unnoticeable delay.
 */
export const latestStartMs = ({ times, rules }: Speech, at: number, neededMs: number): number =>
  neededMs <= rules.minDurationMs ? Infinity : times.startMs(at) + rules.closeGapsBelowMs;

/**
 * Places cues on the timeline, each as early as possible.
 *
 * @param ends for each cue, its exclusive end: one past its last atom
 * @returns the cues, and the indexes of those that cannot be shown as long as they need
 */
export function placeCues(
  speech: Speech,
  ends: readonly number[],
): { readonly cues: readonly PlacedCue[]; readonly violations: readonly number[] } {
  const cues: PlacedCue[] = [];
  const violations: number[] = [];
  let from = 0;
  let startMs = speech.times.startMs(0);
  ends.forEach((to, index) => {
    cues.push({ from, to, startMs });
    const nextMs = index + 1 < ends.length ? earliestStartMs(speech, to, startMs) : Infinity;
    if (maxDisplayMs(speech, startMs, nextMs) < minDisplayMs(speech, from, to)) violations.push(index);
    from = to;
    startMs = nextMs;
  });
  return { cues, violations };
}

/**
 * Closes gaps so short that they would flicker. A cue that reaches the maximum duration in the middle of a flow would
 * leave one: the next cue starts right after it instead, slightly early.
 */
export function closeShortGaps(speech: Speech, cues: readonly PlacedCue[]): readonly PlacedCue[] {
  const { rules, flowOf } = speech;
  let previousStartMs = -Infinity;
  return cues.map((cue) => {
    const previousEndMs = previousStartMs + rules.maxDurationMs;
    const gapMs = cue.startMs - previousEndMs;
    const isFlicker = gapMs > rules.minGapMs && gapMs < rules.closeGapsBelowMs;
    const continuesFlow = cue.from > 0 && flowOf[cue.from] === flowOf[cue.from - 1];
    const startMs = isFlicker && continuesFlow ? previousEndMs + rules.minGapMs : cue.startMs;
    previousStartMs = startMs;
    return startMs === cue.startMs ? cue : { ...cue, startMs };
  });
}

/** Returns when a cue ends: once its words are spoken and read, and before the next one. */
export function cueEndMs(speech: Speech, { from, to, startMs }: PlacedCue, nextMs: number): number {
  const { text, times, rules } = speech;
  const speed = Math.min(rules.targetSpeed, rules.maxSpeed);
  const readMs = Math.ceil((text.readColumns(from, to) * 1000) / speed - tolerance);
  const wantedMs = Math.max(times.endBeforeMs(to), startMs + Math.max(rules.minDurationMs, readMs));
  const latestEndMs = startMs + maxDisplayMs(speech, startMs, nextMs);
  const endMs = nextMs - wantedMs < rules.closeGapsBelowMs ? latestEndMs : Math.min(wantedMs, latestEndMs);
  return Math.max(startMs + 1, endMs);
}
