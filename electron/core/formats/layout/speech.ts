import { addAtoms, keepLabelTogether, type Atom } from './atoms.ts';
import type { LabelledSegment } from '../content.ts';
import { functionWordsOf } from './function-words.ts';
import { AtomTimes, flowsOf, followsWithoutPause, type Flow } from './flows.ts';
import { MeasuredText } from './measured-text.ts';
import type { SubtitleRules } from '../../../contract/subtitle-rules.ts';

/** The measured and timed words of a transcript: everything that determines which cues are possible. */
export interface Speech {
  readonly text: MeasuredText;
  readonly times: AtomTimes;
  readonly rules: SubtitleRules;
  readonly flows: readonly Flow[];
  /** For each flow, its exclusive end: one past its last atom. */
  readonly flowEnds: readonly number[];
  /** For each atom, the index of its flow. */
  readonly flowOf: Uint32Array;
  /** For each atom, the index of its sentence; a flow begins a new one. */
  readonly sentenceOf: Uint32Array;
  /** For each flow, the index of its run: flows of one speaker without pauses, which may share a cue. */
  readonly runOf: Uint32Array;
}

/** Measures and times segments for the layout. */
export function speechOf(
  segments: readonly LabelledSegment[],
  language: string | null,
  rules: SubtitleRules,
): Speech {
  const words = functionWordsOf(language);
  const flows = flowsOf(segments, rules);
  const atoms: Atom[] = [];
  let before = '';
  const flowEnds = flows.map((flow) => {
    const from = atoms.length;
    addAtoms(atoms, flow.text, before, words, rules);
    if (flow.label !== null) keepLabelTogether(atoms, from, flow.label);
    before = flow.text;
    return atoms.length;
  });
  const flowOf = new Uint32Array(atoms.length);
  const runOf = new Uint32Array(flows.length);
  flows.forEach((flow, index) => {
    const previous = flows[index - 1];
    flowOf.fill(index, flowEnds[index - 1] ?? 0, flowEnds[index]);
    if (previous !== undefined)
      runOf[index] = (runOf[index - 1] ?? 0) + (followsWithoutPause(previous, flow, rules) ? 0 : 1);
  });
  const sentenceOf = new Uint32Array(atoms.length);
  atoms.forEach(({ continuesWord }, index) => {
    const endsBefore = atoms[index - 1]?.endKind === 'sentence' || flowOf[index] !== flowOf[index - 1];
    sentenceOf[index] = (sentenceOf[index - 1] ?? 0) + (index > 0 && endsBefore && !continuesWord ? 1 : 0);
  });
  const text = new MeasuredText(atoms, rules);
  return {
    text,
    times: new AtomTimes(flows, flowEnds, text),
    rules,
    flows,
    flowEnds,
    flowOf,
    sentenceOf,
    runOf,
  };
}

/** Whether two atoms may share a cue, as far as speakers and pauses are concerned. */
export const areInSameRun = ({ flowOf, runOf }: Speech, atom: number, other: number): boolean =>
  runOf[flowOf[atom] ?? 0] === runOf[flowOf[other] ?? 0];

/**
 * Whether a cue, the atoms from `from` to before `to`, joins the end of a sentence with the beginning of another one, or a
 * part of a flow with another flow: a reader would take the parts for one sentence.
 */
export function joinsParts({ flowOf, sentenceOf }: Speech, from: number, to: number): boolean {
  if (flowOf[from] !== flowOf[to - 1]) return !begins(flowOf, from) || !begins(flowOf, to);
  return sentenceOf[from] !== sentenceOf[to - 1] && !begins(sentenceOf, from) && !begins(sentenceOf, to);
}

/** Whether an atom is the first of its flow or sentence, or follows the last atom. */
const begins = (indexes: Uint32Array, at: number): boolean => indexes[at] !== indexes[at - 1];
