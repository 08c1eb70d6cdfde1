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
  const text = new MeasuredText(atoms, rules);
  return { text, times: new AtomTimes(flows, flowEnds, text), rules, flows, flowEnds, flowOf, runOf };
}

/** Whether two atoms may share a cue, as far as speakers and pauses are concerned. */
export const areInSameRun = ({ flowOf, runOf }: Speech, atom: number, other: number): boolean =>
  runOf[flowOf[atom] ?? 0] === runOf[flowOf[other] ?? 0];
