import { danglingWords } from './atoms.ts';
import { columnsOf } from './columns.ts';
import { isNamed, type SpokenSegment } from './content.ts';
import type { FunctionWords } from './function-words.ts';
import { needsSpace, oneLine } from './plain-text.ts';
import type { SubtitleRules } from '../../contract/model/subtitles.ts';
import { toMilliseconds } from './time-code.ts';

/** What is said from one time to another, on one line. */
export interface Passage {
  readonly startMs: number;
  /** Not before `startMs`. */
  readonly endMs: number;
  readonly text: string;
  readonly speaker: string | null;
}

/**
 * The segments in their order, ready to be laid out. Services cut where the sound allows it, so a segment may end with
 * words that belong to the next one: `went to the | house`. These are moved there with their share of the time.
 */
export function passagesOf(
  segments: readonly SpokenSegment[],
  words: FunctionWords,
  rules: SubtitleRules,
): Passage[] {
  const passages: Passage[] = [];
  for (const { start, end, text: said, speaker: who } of segments.toSorted((a, b) => a.start - b.start)) {
    const text = oneLine(said);
    if (text === '') continue;
    const startMs = toMilliseconds(start);
    const passage: Passage = {
      startMs,
      endMs: Math.max(startMs, toMilliseconds(end)),
      text,
      speaker: isNamed(who) ? who : null,
    };
    const last = passages.at(-1);
    const [before, moved] = last === undefined ? [null, passage] : moveDangling(last, passage, words, rules);
    if (before !== null) passages[passages.length - 1] = before;
    passages.push(moved);
  }
  return passages;
}

function moveDangling(
  last: Passage,
  next: Passage,
  words: FunctionWords,
  rules: SubtitleRules,
): readonly [Passage | null, Passage] {
  const gap = next.startMs - last.endMs;
  const isOneFlow = last.speaker === next.speaker && gap >= 0 && gap < rules.closedGapMs;
  const count = isOneFlow && needsSpace(last.text, next.text) ? danglingWords(last.text, words) : 0;
  if (count === 0) return [null, next];
  const all = last.text.split(' ');
  const kept = all.slice(0, -count).join(' ');
  const share = columnsOf(kept, rules.wideColumns) / columnsOf(last.text, rules.wideColumns);
  const atMs = last.startMs + Math.round((last.endMs - last.startMs) * share);
  return [
    { ...last, endMs: atMs, text: kept },
    { ...next, startMs: atMs, text: `${all.slice(-count).join(' ')} ${next.text}` },
  ];
}
