import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { RecordingStatus, RecordingChange } from '../../../electron/contract/recording-status.ts';

/** The name of a transcript's recording, and those that undo and redo lead to, the next one last; `null`: none. */
interface RecordingHistory {
  readonly now: string | null;
  readonly undo: readonly (string | null)[];
  readonly redo: readonly (string | null)[];
}

interface Target {
  readonly id: TranscriptId;
}

/**
 * Returns the handlers that change the recordings of transcripts, with their own history for each.
 *
 * @param recordings what can be opened; every other recording is missing
 */
export function fakeRecordings(recordings: Readonly<Record<number, RecordingStatus>> = {}) {
  const histories = new Map<TranscriptId, RecordingHistory>();
  const historyOf = (id: TranscriptId): RecordingHistory =>
    histories.get(id) ?? { now: recordings[id] === undefined ? null : 'talk.mp3', undo: [], redo: [] };
  const change = (id: TranscriptId, next: RecordingHistory): RecordingChange => {
    const before = historyOf(id).now;
    histories.set(id, next);
    const { now: name } = next;
    const recording: RecordingStatus =
      name === null ? { kind: 'none' } : (recordings[id] ?? { kind: 'missing', name });
    return { recording, renamedTo: null, name, before, isChanged: true, others: 0 };
  };
  const set = (id: TranscriptId, name: string | null): RecordingChange => {
    const { now, undo } = historyOf(id);
    return change(id, { now: name, undo: [...undo, now], redo: [] });
  };
  return {
    'transcript.chooseRecording': ({ id }: Target) => set(id, 'talk.mp3'),
    'transcript.acceptReplaced': ({ id }: Target) => set(id, 'talk.mp3'),
    'transcript.removeRecording': ({ id }: Target) => set(id, null),
    'transcript.undoRecording': ({ id }: Target) => {
      const { now, undo, redo } = historyOf(id);
      return change(id, { now: undo.at(-1) ?? null, undo: undo.slice(0, -1), redo: [...redo, now] });
    },
    'transcript.redoRecording': ({ id }: Target) => {
      const { now, undo, redo } = historyOf(id);
      return change(id, { now: redo.at(-1) ?? null, undo: [...undo, now], redo: redo.slice(0, -1) });
    },
  };
}
