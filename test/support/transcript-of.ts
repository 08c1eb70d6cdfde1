import type { TranscriptId } from '../../electron/contract/identifiers.ts';
import type { QueueRow } from '../../electron/contract/queue-commands.ts';

/** Returns the transcript of a row; -1 if it has none. */
export function transcriptOf(row: Pick<QueueRow, 'state'> | undefined): TranscriptId {
  const transcript = row?.state.kind === 'done' ? row.state.transcript : null;
  return transcript === null || transcript.kind === 'deleted' ? -1 : transcript.id;
}

/** Returns the transcripts of those rows that have one. */
export const transcriptsOf = (rows: readonly QueueRow[]): readonly TranscriptId[] =>
  rows.map(transcriptOf).filter((id) => id !== -1);
