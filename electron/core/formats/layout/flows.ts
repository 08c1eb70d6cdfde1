import { sentenceEnd } from './atoms.ts';
import { columnsOf } from './columns.ts';
import { isNamed, type LabelledSegment } from '../content.ts';
import { tolerance, type MeasuredText } from './measured-text.ts';
import { needsSpace, oneLine } from '../../transcript/plain-text.ts';
import type { SubtitleRules } from '../../../contract/subtitle-rules.ts';
import { toMilliseconds } from '../../../contract/milliseconds.ts';

/** Where on a flow's line a segment lies, and when it is said. */
interface Stretch {
  readonly startColumn: number;
  readonly endColumn: number;
  readonly startMs: number;
  /** Not before `startMs`. */
  readonly endMs: number;
}

/** What one person says without a pause, on one line. */
export interface Flow {
  readonly text: string;
  /** What the text begins with to say who speaks. */
  readonly label: string | null;
  /** The segments that it came in; at least one. */
  readonly stretches: readonly Stretch[];
  readonly speaker: string | null;
}

/**
 * The segments in their order, ready to be laid out. Services cut where the sound allows it, often in the middle of a
 * sentence: what goes on in the next segment is one flow, so that a cue can begin where the sentence has its joint.
 */
export function flowsOf(segments: readonly LabelledSegment[], rules: SubtitleRules): readonly Flow[] {
  const flows: { text: string; label: string | null; stretches: Stretch[]; speaker: string | null }[] = [];
  let before: { readonly text: string; readonly stretch: Stretch } | null = null;
  for (const { start, end, text: words, speaker: who, label: name } of segments.toSorted(
    (a, b) => a.start - b.start,
  )) {
    const said = oneLine(words);
    if (said === '') continue;
    const label = name === undefined ? null : oneLine(name);
    const text = label === null ? said : `${label} ${said}`;
    const speaker = isNamed(who) ? who : null;
    const startMs = toMilliseconds(start);
    const endMs = Math.max(startMs, toMilliseconds(end));
    const columns = columnsOf(text, rules.wideColumns);
    const flow = flows.at(-1);
    const gapMs = startMs - (before?.stretch.endMs ?? 0);
    const goesOn = gapMs >= 0 && gapMs < rules.closedGapMs && !sentenceEnd.test(before?.text ?? '');
    if (flow === undefined || before === null || flow.speaker !== speaker || label !== null || !goesOn) {
      const stretch = { startColumn: 0, endColumn: columns, startMs, endMs };
      flows.push({ text, label, stretches: [stretch], speaker });
      before = { text, stretch };
    } else {
      const space = needsSpace(before.text, text) ? ' ' : '';
      const startColumn: number = before.stretch.endColumn + space.length;
      const stretch: Stretch = { startColumn, endColumn: startColumn + columns, startMs, endMs };
      flow.text += space + text;
      flow.stretches.push(stretch);
      before = { text, stretch };
    }
  }
  return flows;
}

/** Whether a flow follows another one of the same speaker without a pause. */
export function goOnAtOnce(one: Flow, next: Flow, { closedGapMs }: SubtitleRules): boolean {
  const pauseMs = (next.stretches[0]?.startMs ?? Infinity) - (one.stretches.at(-1)?.endMs ?? 0);
  return one.speaker === next.speaker && pauseMs < closedGapMs;
}

/** When the atoms of a transcript are said, in milliseconds. */
export class AtomTimes {
  readonly #starts: Float64Array;
  readonly #ends: Float64Array;

  /** @param ends where each flow ends: the atom after its last. */
  constructor(flows: readonly Flow[], ends: readonly number[], text: MeasuredText) {
    this.#starts = new Float64Array(text.atoms.length);
    this.#ends = new Float64Array(text.atoms.length);
    let from = 0;
    for (const [index, to] of ends.entries()) {
      this.#measure(flows[index]?.stretches ?? [], text, from, to);
      from = to;
    }
  }

  #measure(stretches: readonly Stretch[], text: MeasuredText, from: number, to: number): void {
    const [only, second] = stretches;
    // Most flows come in one segment: no other one has to be looked for at each of their atoms.
    if (only !== undefined && second === undefined) {
      for (let index = from; index < to; index += 1) {
        this.#starts[index] = timeAt(text.offset(from, index), only);
        this.#ends[index] = timeAt(text.width(from, index + 1), only);
      }
      return;
    }
    let at = 0;
    for (let index = from; index < to; index += 1) {
      const startColumn = text.offset(from, index);
      const endColumn = text.width(from, index + 1);
      while ((stretches[at + 1]?.startColumn ?? Infinity) <= startColumn + tolerance) at += 1;
      this.#starts[index] = timeAt(startColumn, stretches[at]);
      // An article that stands at the end of one segment and its noun in the next are one atom.
      let end = at;
      while ((stretches[end]?.endColumn ?? Infinity) < endColumn - tolerance) end += 1;
      this.#ends[index] = timeAt(endColumn, stretches[end]);
    }
  }

  /** When an atom begins. */
  startMs(atom: number): number {
    return this.#starts[atom] ?? 0;
  }

  /** When the atom before this one ends. */
  endMs(next: number): number {
    return this.#ends[next - 1] ?? 0;
  }
}

/** Time is shared by characters. */
function timeAt(column: number, stretch: Stretch | undefined): number {
  if (stretch === undefined) return 0;
  const columns = Math.max(1, stretch.endColumn - stretch.startColumn);
  const share = Math.min(1, Math.max(0, (column - stretch.startColumn) / columns));
  return stretch.startMs + Math.round((stretch.endMs - stretch.startMs) * share);
}
