import type { SubtitleRules } from '../../../../../electron/contract/subtitle-rules.ts';
import type { LabelledSegment } from '../../../../../electron/core/formats/content.ts';
import { fitOverfullSegments } from '../../../../../electron/core/formats/layout/overfull-segments.ts';
import { tooShortViolations } from '../../../../../electron/core/formats/layout/minimize-violations.ts';
import { wordsOf, type Word } from '../../../../../electron/core/transcript/word-times.ts';

/** A spoken word; texts here have only words in Latin letters, none of which is an article. */
interface SpokenWord {
  readonly columns: number;
  readonly startMs: number;
  readonly endMs: number;
  /** The index of its flow: words without a pause or the end of a sentence between them. */
  readonly flow: number;
  /** The index of its sentence; a flow begins a new one. */
  readonly sentence: number;
  readonly endsSentence: boolean;
  /** The index of its run: words without a pause between them. */
  readonly run: number;
  /** Whether it continues a label or is the first word after one. */
  readonly noBreakBefore: boolean;
  readonly isFirstAfterLabel: boolean;
}

/**
 * Returns when a cue that is due at `dueMs` may start: not after its own last word, nor after `latestMs`. The previous
 * cue has its minimum duration, or the time it needs, if this one starts at one of `usefulMs`.
 */
export type StartChoice = (dueMs: number, latestMs: number, usefulMs: readonly number[]) => readonly number[];

/** Returns every millisecond. */
export const anyStart: StartChoice = (dueMs, latestMs) => [
  dueMs,
  ...Array.from({ length: Math.max(0, latestMs - dueMs) }, (_, late) => dueMs + 1 + late),
];

/** Returns when it is due, or as late as the previous cue needs. */
export const usefulStart: StartChoice = (dueMs, latestMs, usefulMs) => [
  dueMs,
  ...new Set(usefulMs.filter((startMs) => startMs > dueMs && startMs <= latestMs)),
];

/** Returns the times of a word; those before the first are its label, which is read with the first. */
function timesOf(words: readonly Word[], index: number): Pick<SpokenWord, 'startMs' | 'endMs'> {
  const { start, end } = words[Math.max(0, index)]!;
  return { startMs: Math.round(start * 1000), endMs: Math.round((index < 0 ? start : end) * 1000) };
}

function spokenWords(segments: readonly LabelledSegment[], rules: SubtitleRules): SpokenWord[] {
  const { closeGapsBelowMs } = rules;
  const words: SpokenWord[] = [];
  let flow = 0;
  let sentence = 0;
  let run = 0;
  const fitted = fitOverfullSegments(segments, rules);
  fitted.forEach((segment, index) => {
    const { start, end, text: said, speaker, label } = segment;
    const timed = wordsOf(segment);
    const text = label === undefined ? said : `${label} ${said}`;
    const labelWords = label?.split(' ').length ?? 0;
    const [startMs, endMs] = [Math.round(start * 1000), Math.round(end * 1000)];
    const before = fitted[index - 1];
    if (before !== undefined) {
      const pauseMs = startMs - Math.round(before.end * 1000);
      const isOneRun = before.speaker === speaker && pauseMs < closeGapsBelowMs;
      if (!isOneRun) run += 1;
      const isOverfull = segment.isOverfull || before.isOverfull;
      if (!isOneRun || pauseMs < 0 || isOverfull || /[.!?]$/.test(before.text)) flow += 1;
    }
    const timeAt = (column: number): number =>
      startMs + Math.round(((endMs - startMs) * column) / text.length);
    let column = 0;
    text.split(' ').forEach((word, at) => {
      const [previous, next] = [timed?.[at - labelWords - 1], timed?.[at - labelWords]];
      if (previous !== undefined && next !== undefined) {
        const pauseMs = Math.round(next.start * 1000) - Math.round(previous.end * 1000);
        if (pauseMs > 0 && pauseMs >= 2 * closeGapsBelowMs) {
          flow += 1;
          run += 1;
        }
      }
      const endColumn = column + word.length;
      const last = words.at(-1);
      if (last !== undefined && (last.flow !== flow || last.endsSentence)) sentence += 1;
      words.push({
        columns: word.length,
        ...(timed === null
          ? { startMs: timeAt(column), endMs: timeAt(endColumn) }
          : timesOf(timed, at - labelWords)),
        flow,
        sentence,
        endsSentence: /[.!?]$/.test(word),
        run,
        noBreakBefore: at > 0 && at <= labelWords,
        isFirstAfterLabel: at > 0 && at === labelWords,
      });
      column = endColumn + 1;
    });
  });
  return words;
}

/**
 * Returns the minimum number of cues that violate a timing rule in any allowed layout, by trying all of them. One that is
 * too short counts as {@link tooShortViolations} more.
 *
 * docs/export-formats.md defines the allowed layouts under “Guarantee”.
 */
export function minViolations(
  segments: readonly LabelledSegment[],
  rules: SubtitleRules,
  startsOf: StartChoice,
): number {
  const words = spokenWords(segments, rules);
  const known = new Map<string, number>();

  const isCue = (from: number, to: number): boolean => {
    const [first, last] = [words[from]!, words[to - 1]!];
    if (first.run !== last.run) return false;
    const begins = (index: 'flow' | 'sentence', at: number): boolean =>
      words[at]?.[index] !== words[at - 1]?.[index];
    if (first.flow !== last.flow) {
      if (last.endMs - first.startMs > rules.maxDurationMs) return false;
      if (!begins('flow', from) || !begins('flow', to)) return false;
    } else if (first.sentence !== last.sentence && !begins('sentence', from) && !begins('sentence', to))
      return false;
    return true;
  };
  /** Whether words fit on the lines of a cue. */
  const fits = (from: number, to: number): boolean => {
    let lines = 1;
    let column = -1;
    for (const { columns } of words.slice(from, to)) {
      if (column + 1 + columns > rules.columnsPerLine) {
        lines += 1;
        column = -1;
      }
      column += 1 + columns;
    }
    return lines <= rules.maxLines;
  };
  /** Whether a cue may end before a word: not between a label and a word that fits on the same cue. */
  const isEnd = (to: number): boolean => {
    if (words[to]?.noBreakBefore !== true) return true;
    const first = words.findIndex((word, at) => at >= to && word.isFirstAfterLabel);
    return !fits(to - 1, first + 1);
  };
  const readMs = (from: number, to: number): number => {
    const columns = words.slice(from, to).reduce((sum, word) => sum + word.columns + 1, -1);
    return Math.ceil((columns * 1000) / rules.maxSpeed);
  };

  /** The minimum for the words from `from` on if their first cue starts at `startMs`; `isLate`: later than due. */
  const minFrom = (from: number, startMs: number, isLate: boolean): number => {
    const key = `${from} ${startMs} ${isLate}`;
    const found = known.get(key) ?? computeMinFrom(from, startMs, isLate);
    known.set(key, found);
    return found;
  };
  const computeMinFrom = (from: number, startMs: number, isLate: boolean): number => {
    let min = Infinity;
    for (let to = from + 1; to <= words.length && fits(from, to); to += 1) {
      if (!isCue(from, to) || !isEnd(to) || (isLate && startMs > words[to - 1]!.endMs)) continue;
      const needMs = Math.max(rules.minDurationMs, readMs(from, to));
      const violationsUntil = (endMs: number): number => {
        const shownMs = Math.min(rules.maxDurationMs, endMs - startMs);
        return (shownMs < needMs ? 1 : 0) + (shownMs < rules.minDurationMs ? tooShortViolations : 0);
      };
      const next = words[to];
      if (next === undefined) return Math.min(min, violationsUntil(Infinity));
      const minVisibleMs = Math.ceil(Math.min(rules.minDurationMs, rules.maxDurationMs) / 2);
      const dueMs = Math.max(next.startMs, startMs + minVisibleMs + rules.minGapMs);
      // For the minimum duration as late as necessary, for reading time only unnoticeably late.
      const longMs = startMs + rules.minDurationMs + rules.minGapMs;
      const enoughMs = startMs + needMs + rules.minGapMs;
      const latestMs = Math.max(longMs, next.startMs + rules.closeGapsBelowMs);
      for (const nextMs of startsOf(dueMs, latestMs, [longMs, enoughMs])) {
        const rest = minFrom(to, nextMs, nextMs > dueMs);
        min = Math.min(min, violationsUntil(nextMs - rules.minGapMs) + rest);
      }
    }
    return min;
  };
  return words.length === 0 ? 0 : minFrom(0, words[0]!.startMs, false);
}
