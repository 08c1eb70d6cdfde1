import type { Segment } from '../../../../../electron/contract/segment-schema.ts';
import type { EditOperation, TranscriptDocument } from '../../../../../electron/contract/transcript.ts';
import { ProblemError } from '../../../../../electron/contract/problem.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';

/** The segments of the transcript that the tests edit. */
export const segments = [
  { start: 0, end: 4, text: 'One net. Two nets.' },
  { start: 4, end: 6, text: 'Three' },
  { start: 8, end: 9, text: 'Four' },
];
const originalText = 'One net. Two nets. Three Four';

let jobs = 0;

const many = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ start: at, end: at + 1, text: `Net ${at}, repaired` }));

/** Saves it again, one with `other` segments, or one with so many, or only a text. Returns its ID. */
export function save(store: Store, other?: number | readonly Segment[], text = ''): number {
  jobs += 1;
  const count = typeof other === 'number' ? other : undefined;
  const given = typeof other === 'number' ? many(other) : other;
  const transcript =
    given === undefined
      ? { text: originalText, segments, language: 'en' }
      : { text, segments: given, language: 'en' };
  return store.transcripts.save({
    itemId: null,
    service: 'on-device',
    jobId: `job-${jobs}`,
    name: 'nets.mp3',
    durationSeconds: count ?? 60,
    transcript,
    recording: null,
    createdAt: 1,
  }).id;
}

/** Opens a transcript in its present state. */
export const opened = (store: Store, id: number): TranscriptDocument => {
  const transcript = store.edits.open(id);
  if (transcript === null) throw new Error('it is not there');
  return transcript;
};

/** Makes edits in sequence. Returns the last revision. */
export function make(store: Store, id: number, operations: readonly EditOperation[]): number {
  let { revision } = opened(store, id);
  for (const one of operations) ({ revision } = store.edits.edit(id, revision, one));
  return revision;
}

export const split: EditOperation = { kind: 'split', segment: 0, offset: 8, atSeconds: null };

/** Returns the problem code with which `work` is rejected. */
export function refused(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ProblemError) return error.problem.code;
    throw error;
  }
  return 'taken';
}
