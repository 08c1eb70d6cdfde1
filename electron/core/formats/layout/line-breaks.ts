import type { MeasuredText } from './measured-text.ts';
import { joinsParts, type Speech } from './speech.ts';
import type { SubtitleRules } from '../../../contract/subtitle-rules.ts';

// What makes a split good, in the unit of `breakCost`. A cue costs as much as a break between any two words, so a few
// full cues beat many; evenly filled cues beat a full one followed by a single word.
const cueCost = 5;
const cueBreakWeight = 3;
const lineBreakWeight = 0.6;
const fullnessCost = 6;
const tooShortCost = 10;
const tooLongCost = 20;
const tooFastCost = 20;
const unevenLinesCost = 6;

/** Returns how bad a cue is, regardless of its times. */
export function costOfCue({ text, times, rules }: Speech, first: number, end: number): number {
  const width = text.width(first, end);
  const fullness = width / (rules.maxLines * rules.columnsPerLine);
  const excessDuration = (times.endBeforeMs(end) - times.startMs(first)) / rules.maxDurationMs - 1;
  let cost = cueCost + fullnessCost * fullness * fullness;
  if (width > rules.columnsPerLine) cost += lineBreakWeight * costOfLineBreak(text, first, end, rules);
  if (excessDuration > 0) cost += tooLongCost * excessDuration;
  return cost;
}

/** Returns how bad it is to end a cue before an atom. */
export const costOfCueEnd = (text: MeasuredText, at: number): number => cueBreakWeight * text.breakCost(at);

/**
 * Splits a flow, the atoms from `from` to before `to`, into as many cues as necessary, at the best breaks.
 *
 * @returns where each cue ends, the last one at `to`
 */
export function splitFlow(speech: Speech, from: number, to: number): readonly number[] {
  const { text, times, rules } = speech;
  const costOfTimedCue = (first: number, end: number): number => {
    const startMs = times.startMs(first);
    let cost = costOfCue(speech, first, end);
    if (times.endBeforeMs(end) - startMs < rules.minDurationMs) cost += tooShortCost;
    const untilMs = end < text.atoms.length ? times.startMs(end) - rules.minGapMs : Infinity;
    const readMs = Math.min(rules.maxDurationMs, Math.max(untilMs - startMs, 1));
    if (text.readColumns(first, end) * 1000 > rules.maxSpeed * readMs) cost += tooFastCost;
    return cost;
  };

  // best[end - from]: the lowest cost of cues for the atoms before `end`; the last of them begins with `origin`.
  const best = [0];
  const origin = [from];
  let earliest = from;
  for (let end = from + 1; end <= to; end += 1) {
    while (text.endOfLines(earliest, rules.maxLines) < end) earliest += 1;
    if (end < to && !text.canEndCue(end)) {
      best.push(Infinity);
      origin.push(earliest);
      continue;
    }
    let lowest = Infinity;
    let lowestFirst = earliest;
    for (let first = earliest; first < end; first += 1) {
      const before = best[first - from] ?? 0;
      // A cue costs at least this much, which rules out most breaks.
      if (before + cueCost >= lowest || joinsParts(speech, first, end)) continue;
      const cost = before + costOfTimedCue(first, end);
      if (cost < lowest) {
        lowest = cost;
        lowestFirst = first;
      }
    }
    best.push(lowest + (end < to ? costOfCueEnd(text, end) : 0));
    origin.push(lowestFirst);
  }

  const ends: number[] = [];
  for (let end = to; end > from; end = origin[end - from] ?? from) ends.push(end);
  return ends.reverse();
}

/** Returns the cost of the best line break in a cue that fits on two lines. */
function costOfLineBreak(text: MeasuredText, first: number, end: number, rules: SubtitleRules): number {
  let at = text.endOfLines(first, 1);
  let lowest = Infinity;
  for (; at > first && text.width(at, end) <= rules.columnsPerLine; at -= 1) {
    lowest = Math.min(lowest, text.breakCost(at));
  }
  return lowest === Infinity ? 0 : lowest;
}

/**
 * Breaks a cue into lines: one if it fits, else lines of similar length with good breaks.
 *
 * @returns where each line ends, the last one at `to`
 */
export function breakLines(
  text: MeasuredText,
  from: number,
  to: number,
  rules: SubtitleRules,
): readonly number[] {
  const ends: number[] = [];
  let first = from;
  for (let linesLeft = rules.maxLines; first < to; linesLeft -= 1) {
    const end =
      linesLeft <= 1 || text.endOfLines(first, 1) >= to ? to : bestBreak(text, first, to, linesLeft, rules);
    ends.push(end);
    first = end;
  }
  return ends;
}

/** Returns the best end for the first of at most `linesLeft` lines. */
function bestBreak(
  text: MeasuredText,
  first: number,
  to: number,
  linesLeft: number,
  rules: SubtitleRules,
): number {
  const furthest = text.endOfLines(first, 1);
  let lowest = Infinity;
  let best = furthest;
  for (let end = first + 1; end <= furthest; end += 1) {
    if (text.endOfLines(end, linesLeft - 1) < to) continue;
    const uneven = Math.abs(text.width(first, end) - text.width(end, to) / (linesLeft - 1));
    const cost = text.breakCost(end) + (unevenLinesCost * uneven) / rules.columnsPerLine;
    if (cost < lowest) {
      lowest = cost;
      best = end;
    }
  }
  return best;
}
