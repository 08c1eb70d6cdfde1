import { dialog } from 'electron';
import type { LocatedRecording, Recording, transcriptCommands } from '../../contract/transcript.ts';
import type { TranscriptId } from '../../contract/identifiers.ts';
import { ProblemError } from '../../contract/problem.ts';
import { PipelinedEdits } from '../../core/store/library/pipelined-edits.ts';
import { shareRecording } from '../../core/library/recordings.ts';
import { inspectFile } from '../../core/media/inspect-files.ts';
import { describeRecording } from '../pages/recordings.ts';
import type { CommandOptions, Handlers } from './handlers.ts';

export function transcriptHandlers(options: CommandOptions): Handlers<typeof transcriptCommands> {
  const { edits, transcripts } = options.longhand;
  const { waveforms } = options.longhand.library;
  const sent = new PipelinedEdits(edits);
  return {
    'transcript.get': ({ id }) => edits.openBeginning(id),
    'transcript.segments': ({ id, revision, from }) => edits.piece(id, revision, from),
    'transcript.original': ({ id }) => edits.original(id),
    'transcript.edit': (edit) => sent.edit(edit),
    'transcript.undo': (on) => sent.undo(on),
    'transcript.redo': (on) => sent.redo(on),
    'transcript.recording': ({ id }) => recordingOf(options, id),
    'transcript.locate': ({ id }) => locate(options, id),
    'transcript.waveform': ({ id }) => {
      const recording = transcripts.recordingOf(id);
      return recording === null ? null : waveforms.get(recording.path);
    },
    'transcript.keepWaveform': async ({ id, stamp, waveform }) => {
      const ready = await recordingOf(options, id);
      const recording = transcripts.recordingOf(id);
      if (ready.kind !== 'ready' || ready.stamp !== stamp || recording === null) return;
      await waveforms.store(recording.path, stamp, waveform);
    },
    'transcript.copy': ({ text }) => options.consent.copy(text),
    'transcript.accept': ({ id, finding, accepted }) => edits.setAccepted(id, finding, accepted),
  };
}

const recordingOf = ({ longhand }: CommandOptions, id: TranscriptId): Promise<Recording> =>
  describeRecording(longhand, { kind: 'transcript', id });

async function locate(options: CommandOptions, id: TranscriptId): Promise<LocatedRecording> {
  const { longhand, window } = options;
  const { transcripts } = longhand;
  const before = transcripts.recordingOf(id);
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    properties: ['openFile'],
    ...(before !== null && { defaultPath: before.path }),
  });
  const [path] = filePaths;
  const file = canceled || path === undefined ? null : await inspectFile(path);
  if (file?.kind === 'rejected') throw new ProblemError(file.problem);
  if (file?.kind !== 'file')
    return { recording: await recordingOf(options, id), others: 0, isDifferentRecording: false };
  const { sizeBytes, fingerprint } = file;
  const located = { path: file.path, sizeBytes, fingerprint };
  transcripts.setRecording(id, located);
  const others = await shareRecording(transcripts, id, located);
  longhand.library.removeUnusedWaveforms();
  const isDifferentRecording =
    before !== null && before.fingerprint !== null && before.fingerprint !== fingerprint;
  return { recording: await recordingOf(options, id), others, isDifferentRecording };
}
