import type { TranscriptId } from '../../contract/identifiers.ts';
import { ProblemError } from '../../contract/problem.ts';
import type { SpeakersReport } from '../../contract/speakers.ts';
import type { IdentifiedTurn } from '../../contract/transcript.ts';
import { CancelledError } from '../../workers/protocol.ts';
import type { EditStore } from '../store/library/edit-store.ts';
import type { TranscriptStore } from '../store/library/transcript-store.ts';
import { stateOfRecording } from './recordings.ts';
import type { TaskOptions } from './task/run-task.ts';

/** A recording in which to find out who speaks when. */
export interface TurnRequest {
  /** The path of its file. */
  readonly recording: string;
  /** `null`: unknown. */
  readonly speakerCount: number | null;
  readonly signal: AbortSignal;
  /** Reports the seconds of audio that are done. */
  readonly onProgress: (secondsDone: number) => void;
}

/**
 * Finds out who speaks when: the turns in order of their start. One recording at a time.
 *
 * @throws ProblemError when it fails; CancelledError
 */
export type Diarize = (request: TurnRequest) => Promise<readonly IdentifiedTurn[]>;

export interface SpeakerIdentificationOptions {
  readonly edits: EditStore;
  readonly transcripts: TranscriptStore;
  readonly diarize: Diarize;
}

/**
 * Finds out who speaks when in the recording of a transcript, and assigns its segments to the speakers, in one edit of
 * the latest revision: edits made in the meantime stay. If it fails or is cancelled, nothing changes.
 *
 * @throws ProblemError `transcript_gone`, `transcript_untimed`, `recording_missing`, `recording_changed`,
 *   `file_missing`, or what `diarize` throws; CancelledError
 */
export async function identifySpeakersIn(
  id: TranscriptId,
  speakerCount: number | null,
  { edits, transcripts, diarize }: SpeakerIdentificationOptions,
  { signal, onProgress }: TaskOptions,
): Promise<SpeakersReport> {
  const total = durationOf(id, edits);
  const recording = await locateRecording(id, transcripts);
  const turns = await diarize({
    recording,
    speakerCount,
    signal,
    onProgress: (seconds) => onProgress({ done: Math.min(seconds, total), total, unit: 'seconds' }),
  });
  if (signal.aborted) throw new CancelledError();
  const revision = edits.revisionOf(id);
  if (revision === null) throw new ProblemError({ code: 'transcript_gone' });
  const speakers = new Set(turns.map(({ speaker }) => speaker)).size;
  if (speakers === 0) return { speakers, changed: false };
  const after = edits.edit(id, revision, { kind: 'assign-speakers', turns });
  return { speakers, changed: after.revision !== revision };
}

/** Returns the duration in seconds of a transcript with times; 0 if unknown. @throws ProblemError */
function durationOf(id: TranscriptId, edits: EditStore): number {
  const document = edits.openBeginning(id);
  if (document === null) throw new ProblemError({ code: 'transcript_gone' });
  if (document.text !== null) throw new ProblemError({ code: 'transcript_untimed' });
  return document.durationSeconds ?? 0;
}

/** Returns the path of a transcript's recording. @throws ProblemError if it is not there, or is another one */
export async function locateRecording(id: TranscriptId, transcripts: TranscriptStore): Promise<string> {
  const recording = transcripts.recordingOf(id);
  if (recording === null) throw new ProblemError({ code: 'recording_missing' });
  const { path } = recording;
  const state = await stateOfRecording(recording);
  if (state === 'missing') throw new ProblemError({ code: 'file_missing', detail: path });
  if (state === 'replaced') throw new ProblemError({ code: 'recording_changed', detail: path });
  return path;
}
