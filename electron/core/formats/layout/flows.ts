import { columnsOf, isNarrow } from './columns.ts';
import { isNamed, type LabelledSegment } from '../content.ts';
import { tolerance, type MeasuredText } from './measured-text.ts';
import { needsSpace, oneLine } from '../../transcript/plain-text.ts';
import { fitOverfullSegments, type FittedSegment } from './overfull-segments.ts';
import { splitSegmentAt, moveEdges } from '../../transcript/segment.ts';
import { endsSentence } from '../../transcript/sentences.ts';
import { wordsOf } from '../../transcript/word-times.ts';
import type { Segment } from '../../../contract/segment-schema.ts';
import type { SubtitleRules } from '../../../contract/subtitle-rules.ts';
import { toMilliseconds } from '../../../contract/milliseconds.ts';
import { partitionPoint } from '../../transcript/partition-point.ts';

/** Columns of a flow's text, and when they are spoken. */
interface TimedColumns {
  readonly startColumn: number;
  readonly endColumn: number;
  readonly startMs: number;
  /** Not before `startMs`. */
  readonly endMs: number;
}

/** A segment in its flow's text. */
interface TimedSpan extends TimedColumns {
  /** Its words, in order; empty if their times are unknown. A label is not one of them. */
  readonly words: readonly TimedColumns[];
}

/** The words of one speaker without a pause, on one line. */
export interface Flow {
  readonly text: string;
  /** The label of the speaker that the text begins with. */
  readonly label: string | null;
  /** Its segments; at least one. */
  readonly spans: readonly TimedSpan[];
  readonly speaker: string | null;
}

/**
 * Sorts segments and joins them into flows. Services cut where the audio allows it, often in the middle of a sentence:
 * a sentence that continues in the next segment is one flow, so that cues can break at a good point of the sentence.
 */
export function flowsOf(segments: readonly LabelledSegment[], rules: SubtitleRules): readonly Flow[] {
  const flows: { text: string; label: string | null; spans: TimedSpan[]; speaker: string | null }[] = [];
  let previous: { readonly text: string; readonly span: TimedSpan; readonly isOverfull: boolean } | null =
    null;
  for (const segment of fitOverfullSegments(segments, rules).flatMap((one) => splitAtPauses(one, rules))) {
    const { start, end, speaker: who, label: name, isOverfull } = segment;
    const spoken = oneLine(segment.text);
    if (spoken === '') continue;
    const label = name === undefined ? null : oneLine(name);
    const text = label === null ? spoken : `${label} ${spoken}`;
    const speaker = isNamed(who) ? who : null;
    const startMs = toMilliseconds(start);
    const endMs = Math.max(startMs, toMilliseconds(end));
    const columns = columnsOf(text, rules.columnsPerWideCharacter);
    const spanFrom = (startColumn: number): TimedSpan => {
      const endColumn = startColumn + columns;
      const words = timedWords(
        segment,
        endColumn - columnsOf(spoken, rules.columnsPerWideCharacter),
        endColumn,
        rules,
      );
      return { startColumn, endColumn, startMs, endMs, words };
    };
    const flow = flows.at(-1);
    const gapMs = startMs - (previous?.span.endMs ?? 0);
    const continuesFlow = gapMs >= 0 && gapMs < rules.closeGapsBelowMs && !endsSentence(previous?.text ?? '');
    if (
      flow === undefined ||
      previous === null ||
      flow.speaker !== speaker ||
      label !== null ||
      // The text of an overfull segment was not spoken as it stands, so its times say nothing about its neighbours.
      previous.isOverfull ||
      isOverfull ||
      !continuesFlow
    ) {
      const span = spanFrom(0);
      flows.push({ text, label, spans: [span], speaker });
      previous = { text, span, isOverfull };
    } else {
      const space = needsSpace(previous.text, text) ? ' ' : '';
      const span: TimedSpan = spanFrom(previous.span.endColumn + space.length);
      flow.text += space + text;
      flow.spans.push(span);
      previous = { text, span, isOverfull };
    }
  }
  return flows;
}

/**
 * A pause within a segment ends a flow only if it is this many times as long as one between segments: people hesitate.
 */
const pauseFactor = 2;

/** Splits a segment at the long pauses between its words, as far as their times are known. */
function splitAtPauses(
  segment: FittedSegment,
  { closeGapsBelowMs }: SubtitleRules,
): readonly FittedSegment[] {
  const words = wordsOf(segment) ?? [];
  const pauses = words.flatMap((word, index) => {
    const before = words[index - 1];
    if (before === undefined) return [];
    const pauseMs = toMilliseconds(word.start) - toMilliseconds(before.end);
    const isLong = pauseMs > 0 && pauseMs >= pauseFactor * closeGapsBelowMs;
    return isLong ? [{ offset: word.from, atSeconds: word.start, end: before.end }] : [];
  });
  const { label, ...spoken } = segment;
  return splitSegmentAt(spoken, pauses).map((part, index) => {
    const end = pauses[index]?.end;
    const fitted = end === undefined ? part : moveEdges(part, part.start, end);
    return index === 0 && label !== undefined ? { ...fitted, label } : fitted;
  });
}

/**
 * Returns the words of a segment with their columns; none if they are unknown, or do not end at `endColumn`.
 *
 * @param startColumn where the text of the segment starts in its flow
 * @param endColumn where it ends
 */
function timedWords(
  segment: Segment,
  startColumn: number,
  endColumn: number,
  { columnsPerWideCharacter }: SubtitleRules,
): readonly TimedColumns[] {
  const { text } = segment;
  const segmentWords = wordsOf(segment);
  if (segmentWords === null) return [];
  // Most texts need no measuring of their words.
  const isPlain = text.length === endColumn - startColumn && isNarrow(text) && oneLine(text) === text;
  let column = startColumn;
  let previousTo = 0;
  const words = segmentWords.map(({ from, to, start, end }, index) => {
    const [startMs, endMs] = [toMilliseconds(start), toMilliseconds(end)];
    if (isPlain) return { startColumn: startColumn + from, endColumn: startColumn + to, startMs, endMs };
    // Any white space becomes one space.
    if (index > 0 && from > previousTo) column += 1;
    previousTo = to;
    const wordColumn = column;
    column += columnsOf(oneLine(text.slice(from, to)), columnsPerWideCharacter);
    return { startColumn: wordColumn, endColumn: column, startMs, endMs };
  });
  return isPlain || Math.abs(column - endColumn) <= tolerance ? words : [];
}

/** Whether a flow follows another flow of the same speaker without a pause. */
export function followsWithoutPause(one: Flow, next: Flow, { closeGapsBelowMs }: SubtitleRules): boolean {
  const pauseMs = (next.spans[0]?.startMs ?? Infinity) - (one.spans.at(-1)?.endMs ?? 0);
  return one.speaker === next.speaker && pauseMs < closeGapsBelowMs;
}

/** When the atoms of a transcript are spoken, in milliseconds. */
export class AtomTimes {
  readonly #starts: Float64Array;
  readonly #ends: Float64Array;

  /** @param ends for each flow, its exclusive end: one past its last atom */
  constructor(flows: readonly Flow[], ends: readonly number[], text: MeasuredText) {
    this.#starts = new Float64Array(text.atoms.length);
    this.#ends = new Float64Array(text.atoms.length);
    let from = 0;
    for (const [index, to] of ends.entries()) {
      this.#measure(flows[index]?.spans ?? [], text, from, to);
      from = to;
    }
  }

  #measure(spans: readonly TimedSpan[], text: MeasuredText, from: number, to: number): void {
    const [only, second] = spans;
    // Most flows are one segment: no need to search for the segment of each atom.
    if (only !== undefined && second === undefined) {
      for (let index = from; index < to; index += 1) {
        this.#starts[index] = startAt(text.offset(from, index), only);
        this.#ends[index] = endAt(text.width(from, index + 1), only);
      }
      return;
    }
    let at = 0;
    for (let index = from; index < to; index += 1) {
      const startColumn = text.offset(from, index);
      const endColumn = text.width(from, index + 1);
      while ((spans[at + 1]?.startColumn ?? Infinity) <= startColumn + tolerance) at += 1;
      this.#starts[index] = startAt(startColumn, spans[at]);
      // An article at the end of one segment and its noun in the next are one atom.
      let end = at;
      while ((spans[end]?.endColumn ?? Infinity) < endColumn - tolerance) end += 1;
      this.#ends[index] = endAt(endColumn, spans[end]);
    }
  }

  /** Returns when an atom starts. */
  startMs(atom: number): number {
    return this.#starts[atom] ?? 0;
  }

  /** Returns when the text before an atom ends. */
  endBeforeMs(atom: number): number {
    return this.#ends[atom - 1] ?? 0;
  }
}

/** Returns when the text that begins at a column is spoken; a label is read with the first word. */
function startAt(column: number, span: TimedSpan | undefined): number {
  if (span === undefined) return 0;
  if (span.words.length === 0) return timeAt(column, span);
  const next = partitionPoint(span.words, ({ startColumn }) => startColumn <= column + tolerance);
  return timeAt(column, span.words[Math.max(0, next - 1)] ?? span);
}

/** Returns when the text that ends at a column is spoken. */
function endAt(column: number, span: TimedSpan | undefined): number {
  if (span === undefined) return 0;
  const at = partitionPoint(span.words, ({ endColumn }) => endColumn < column - tolerance);
  return timeAt(column, span.words[at] ?? span.words.at(-1) ?? span);
}

/** Estimates the time at a column of a word or a segment: the time passes evenly from its first to its last column. */
function timeAt(column: number, span: TimedColumns): number {
  const columns = Math.max(1, span.endColumn - span.startColumn);
  const fraction = Math.min(1, Math.max(0, (column - span.startColumn) / columns));
  return span.startMs + Math.round((span.endMs - span.startMs) * fraction);
}
