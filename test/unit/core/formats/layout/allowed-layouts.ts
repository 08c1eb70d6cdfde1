import type { SubtitleRules } from '../../../../../electron/contract/subtitle-rules.ts';
import type { LabelledSegment } from '../../../../../electron/core/formats/content.ts';

/** A word as it is said; texts here have words of Latin letters alone, none of which is an article. */
interface SaidWord {
  readonly columns: number;
  readonly startMs: number;
  readonly endMs: number;
  /** What goes on without the end of a sentence and without a pause, by number, */
  readonly flow: number;
  /** and what goes on without a pause. */
  readonly run: number;
  /** Whether it goes on with a label, or is the first word after it; and whether it is that word. */
  readonly bound: boolean;
  readonly first: boolean;
}

/**
 * How late a cue may begin that is due at `dueMs`: not after its own last word, nor after `latestMs`. The cue before it
 * would have all the time it needs if it began at `enoughMs`.
 */
export type StartChoice = (dueMs: number, latestMs: number, enoughMs: number) => readonly number[];

/** Every millisecond. */
export const anyStart: StartChoice = (dueMs, latestMs) => [
  dueMs,
  ...Array.from({ length: Math.max(0, latestMs - dueMs) }, (_, late) => dueMs + 1 + late),
];

/** When it is due, or as late as the cue before it needs. */
export const usefulStart: StartChoice = (dueMs, latestMs, enoughMs) =>
  enoughMs > dueMs && enoughMs <= latestMs ? [dueMs, enoughMs] : [dueMs];

function saidWords(segments: readonly LabelledSegment[], { closedGapMs }: SubtitleRules): SaidWord[] {
  const words: SaidWord[] = [];
  let flow = 0;
  let run = 0;
  segments.forEach(({ start, end, text: said, speaker, label }, index) => {
    const text = label === undefined ? said : `${label} ${said}`;
    const labelWords = label?.split(' ').length ?? 0;
    const [startMs, endMs] = [Math.round(start * 1000), Math.round(end * 1000)];
    const before = segments[index - 1];
    if (before !== undefined) {
      const pauseMs = startMs - Math.round(before.end * 1000);
      const isOneRun = before.speaker === speaker && pauseMs < closedGapMs;
      if (!isOneRun) run += 1;
      if (!isOneRun || pauseMs < 0 || before.text.endsWith('.')) flow += 1;
    }
    const timeAt = (column: number): number =>
      startMs + Math.round(((endMs - startMs) * column) / text.length);
    let column = 0;
    text.split(' ').forEach((word, at) => {
      const endColumn = column + word.length;
      words.push({
        columns: word.length,
        startMs: timeAt(column),
        endMs: timeAt(endColumn),
        flow,
        run,
        bound: at > 0 && at <= labelWords,
        first: at > 0 && at === labelWords,
      });
      column = endColumn + 1;
    });
  });
  return words;
}

/**
 * The fewest cues that break a rule of time in any layout that is allowed: every one is tried.
 *
 * Allowed is what docs/export-formats.md says under “What the text allows”.
 */
export function fewestOfAll(
  segments: readonly LabelledSegment[],
  rules: SubtitleRules,
  startsOf: StartChoice,
): number {
  const words = saidWords(segments, rules);
  const known = new Map<string, number>();

  const isCue = (from: number, to: number): boolean => {
    const [first, last] = [words[from]!, words[to - 1]!];
    if (first.run !== last.run) return false;
    if (first.flow !== last.flow && last.endMs - first.startMs > rules.maxDurationMs) return false;
    return isHeld(from, to);
  };
  /** Whether the lines of a cue hold words. */
  const isHeld = (from: number, to: number): boolean => {
    let lines = 1;
    let column = -1;
    for (const { columns } of words.slice(from, to)) {
      if (column + 1 + columns > rules.lineColumns) {
        lines += 1;
        column = -1;
      }
      column += 1 + columns;
    }
    return lines <= rules.maxLines;
  };
  /** Whether a cue may end before a word: not in or after a label with a word after it that one cue could hold. */
  const isEnd = (to: number): boolean => {
    if (words[to]?.bound !== true) return true;
    const first = words.findIndex((word, at) => at >= to && word.first);
    return !isHeld(to - 1, first + 1);
  };
  const readMs = (from: number, to: number): number => {
    const columns = words.slice(from, to).reduce((sum, word) => sum + word.columns + 1, -1);
    return Math.ceil((columns * 1000) / rules.maxSpeed);
  };

  /** Of all that begins with a word whose cue begins at a time; `isLate` when that is later than due. */
  const fewestFrom = (from: number, startMs: number, isLate: boolean): number => {
    const key = `${from} ${startMs} ${isLate}`;
    const found = known.get(key) ?? lookFrom(from, startMs, isLate);
    known.set(key, found);
    return found;
  };
  const lookFrom = (from: number, startMs: number, isLate: boolean): number => {
    let fewest = Infinity;
    for (let to = from + 1; to <= words.length && isCue(from, to); to += 1) {
      if (!isEnd(to) || (isLate && startMs > words[to - 1]!.endMs)) continue;
      const needMs = Math.max(rules.minDurationMs, readMs(from, to));
      const breaks = (endMs: number): number =>
        Math.min(rules.maxDurationMs, endMs - startMs) < needMs ? 1 : 0;
      const next = words[to];
      if (next === undefined) return Math.min(fewest, breaks(Infinity));
      const dueMs = Math.max(next.startMs, startMs + 1);
      const enoughMs = startMs + needMs + rules.minGapMs;
      // Later for the shortest time as long as it takes, for reading not so late that it is noticed.
      const latestMs = needMs === rules.minDurationMs ? enoughMs : next.startMs + rules.closedGapMs;
      for (const nextMs of startsOf(dueMs, latestMs, enoughMs)) {
        const rest = fewestFrom(to, nextMs, nextMs > dueMs);
        fewest = Math.min(fewest, breaks(nextMs - rules.minGapMs) + rest);
      }
    }
    return fewest;
  };
  return words.length === 0 ? 0 : fewestFrom(0, words[0]!.startMs, false);
}
