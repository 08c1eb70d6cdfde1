import { addAtoms, bindLabel, type Atom } from './atoms.ts';
import type { LabelledSegment } from '../content.ts';
import { functionWordsOf } from './function-words.ts';
import { AtomTimes, flowsOf, goOnAtOnce, type Flow } from './flows.ts';
import { MeasuredText } from './measured-text.ts';
import type { SubtitleRules } from '../../../contract/subtitle-rules.ts';

/** What is said, measured and timed: all that says which cues there can be. */
export interface Speech {
  readonly text: MeasuredText;
  readonly times: AtomTimes;
  readonly rules: SubtitleRules;
  readonly flows: readonly Flow[];
  /** For each flow, the atom after its last. */
  readonly flowEnds: readonly number[];
  /** For each atom, the number of its flow. */
  readonly flowOf: Uint32Array;
  /** For each flow, the number of its run: flows of one speaker without a pause between, which may share a cue. */
  readonly runOf: Uint32Array;
}

/** Segments ready to be laid out. */
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
    if (flow.label !== null) bindLabel(atoms, from, flow.label);
    before = flow.text;
    return atoms.length;
  });
  const flowOf = new Uint32Array(atoms.length);
  const runOf = new Uint32Array(flows.length);
  flows.forEach((flow, index) => {
    const previous = flows[index - 1];
    flowOf.fill(index, flowEnds[index - 1] ?? 0, flowEnds[index]);
    if (previous !== undefined)
      runOf[index] = (runOf[index - 1] ?? 0) + (goOnAtOnce(previous, flow, rules) ? 0 : 1);
  });
  const text = new MeasuredText(atoms, rules);
  return { text, times: new AtomTimes(flows, flowEnds, text), rules, flows, flowEnds, flowOf, runOf };
}

/** Whether a cue may be of both of two atoms as far as their speaker and the pauses between are concerned. */
export const areOfOneRun = ({ flowOf, runOf }: Speech, atom: number, other: number): boolean =>
  runOf[flowOf[atom] ?? 0] === runOf[flowOf[other] ?? 0];
