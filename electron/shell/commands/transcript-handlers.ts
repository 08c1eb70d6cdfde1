import { basename } from 'node:path';
import { windowDialogs } from '../window-dialogs.ts';
import type { RecordingFile } from '../../contract/library-commands.ts';
import type { RecordingStatus, RecordingChange } from '../../contract/recording-status.ts';
import type { transcriptCommands } from '../../contract/transcript-commands.ts';
import type { TranscriptId } from '../../contract/identifiers.ts';
import { ProblemError } from '../../contract/problem.ts';
import { Throttle } from '../../core/throttle.ts';
import { PipelinedEdits } from '../../core/store/library/pipelined-edits.ts';
import { assignToMissing, stateOfRecording } from '../../core/library/recordings.ts';
import { inspectFile } from '../../core/media/inspect-files.ts';
import { describeRecording, recordingPath } from '../pages/recording-paths.ts';
import type { HandlerContext, Handlers } from './handlers.ts';

/** Milliseconds after which the reading places that the page keeps are on the disk; Chromium would wait for seconds. */
const placesFlushMs = 500;

export function transcriptHandlers(context: HandlerContext): Handlers<typeof transcriptCommands> {
  const { edits, transcripts } = context.longhand;
  const { waveforms } = context.longhand.library;
  const pipelinedEdits = new PipelinedEdits(edits);
  const chooser = new RecordingChooser(context);
  const { window, clock } = context;
  const placesFlush = new Throttle(clock, placesFlushMs, () => {
    if (!window.isDestroyed()) window.webContents.session.flushStorageData();
  });
  return {
    'transcript.get': ({ id }) => {
      const document = edits.openBeginning(id);
      if (document !== null) context.onTranscriptOpened(document);
      // The place in the transcript that was left for this one.
      placesFlush.schedule();
      return document;
    },
    'transcript.segments': ({ id, revision, from }) => edits.piece(id, revision, from),
    'transcript.original': ({ id }) => edits.comparisonBase(id),
    'transcript.edit': (edit) => {
      placesFlush.schedule();
      return pipelinedEdits.edit(edit);
    },
    'transcript.undo': (on) => pipelinedEdits.undo(on),
    'transcript.redo': (on) => pipelinedEdits.redo(on),
    'transcript.setLanguage': ({ id, language }) => context.longhand.library.setLanguage(id, language),
    'transcript.recording': ({ id }) => recordingOf(context, id),
    'transcript.chooseRecording': ({ id }) => chooser.choose(id),
    'transcript.acceptReplaced': ({ id }) => chooser.acceptReplaced(id),
    'transcript.removeRecording': ({ id }) => chooser.remove(id),
    'transcript.undoRecording': ({ id }) => chooser.undoOrRedo(id, 'undo'),
    'transcript.redoRecording': ({ id }) => chooser.undoOrRedo(id, 'redo'),
    'transcript.waveform': ({ id }) => {
      const path = recordingPath(context.longhand, { kind: 'transcript', id });
      return path === null ? null : waveforms.get(path);
    },
    'transcript.keepWaveform': async ({ id, stamp, waveform }) => {
      const ready = await recordingOf(context, id);
      const recording = transcripts.recordingOf(id);
      if (ready.kind !== 'ready' || ready.stamp !== stamp || recording === null) return;
      await waveforms.store(recording.path, stamp, waveform);
    },
    'transcript.copy': ({ text }) => context.consent.copy(text),
    'transcript.accept': ({ id, finding, accepted }) => edits.setAccepted(id, finding, accepted),
  };
}

const recordingOf = ({ longhand }: HandlerContext, id: TranscriptId): Promise<RecordingStatus> =>
  describeRecording(longhand, { kind: 'transcript', id });

const nameOf = (file: RecordingFile | null): string | null => (file === null ? null : basename(file.path));

/** @throws ProblemError if the file is not a recording. */
async function inspectRecording(path: string): Promise<RecordingFile> {
  const file = await inspectFile(path);
  if (file.kind === 'rejected') throw new ProblemError(file.problem);
  return { path: file.path, sizeBytes: file.sizeBytes, fingerprint: file.fingerprint };
}

/** Changes which file is the recording of a transcript. */
class RecordingChooser {
  readonly #context: HandlerContext;
  /**
   * Earlier recordings of each transcript, the latest last: under `undo`, those before a change made here; under `redo`,
   * those before such a change was undone.
   */
  readonly #history = new Map<TranscriptId, Record<'undo' | 'redo', (RecordingFile | null)[]>>();

  constructor(context: HandlerContext) {
    this.#context = context;
  }

  /** @throws ProblemError if the file is not a recording. */
  async choose(id: TranscriptId): Promise<RecordingChange> {
    const { transcripts } = this.#context.longhand;
    const before = transcripts.recordingOf(id);
    const known = [before?.fingerprint ?? null, transcripts.transcribedFingerprint(id)];
    const chosen = await this.#pick(before, known);
    if (chosen === null) return this.#unchanged(id);
    const change = await this.#set(id, chosen);
    return { ...change, others: await assignToMissing(transcripts, chosen) };
  }

  /**
   * Accepts the file that has replaced the recording of a transcript.
   *
   * @throws ProblemError if it is not a recording.
   */
  async acceptReplaced(id: TranscriptId): Promise<RecordingChange> {
    const before = this.#context.longhand.transcripts.recordingOf(id);
    if (before === null || (await stateOfRecording(before)) !== 'replaced') return this.#unchanged(id);
    return this.#set(id, await inspectRecording(before.path));
  }

  /** Removes the recording of a transcript; without one, nothing changes, and nothing can be undone. */
  remove(id: TranscriptId): Promise<RecordingChange> {
    const { transcripts } = this.#context.longhand;
    return transcripts.recordingOf(id) === null ? this.#unchanged(id) : this.#set(id, null);
  }

  /** Undoes the last change of a transcript's recording, or redoes the last one that was undone. */
  async undoOrRedo(id: TranscriptId, kind: 'undo' | 'redo'): Promise<RecordingChange> {
    const history = this.#history.get(id);
    const next = history?.[kind].pop();
    if (history === undefined || next === undefined) return this.#unchanged(id);
    history[kind === 'undo' ? 'redo' : 'undo'].push(this.#context.longhand.transcripts.recordingOf(id));
    return this.#store(id, next);
  }

  /**
   * Lets the user pick a file until its content is that of the present recording or of the transcribed one (`known`), or
   * is confirmed; `null`: cancelled.
   */
  async #pick(
    expected: RecordingFile | null,
    known: readonly (string | null)[],
  ): Promise<RecordingFile | null> {
    const { canceled, filePaths } = await windowDialogs.showOpenDialog(this.#context.window, {
      properties: ['openFile'],
      ...(expected !== null && { defaultPath: expected.path }),
    });
    const [path] = filePaths;
    if (canceled || path === undefined) return null;
    const picked = await inspectRecording(path);
    if (expected === null || expected.fingerprint === null || known.includes(picked.fingerprint))
      return picked;
    const answer = await this.#askAboutOther(basename(picked.path));
    return answer === 'use' ? picked : answer === 'again' ? this.#pick(expected, known) : null;
  }

  /**
   * Asks what to do with a file whose content differs from that of the transcript's recording. It can be used anyway: the
   * present recording need not be the one that was transcribed.
   */
  async #askAboutOther(name: string): Promise<'use' | 'again' | 'cancel'> {
    const { window, translator } = this.#context;
    const { response } = await windowDialogs.showMessageBox(window, {
      type: 'question',
      message: translator.translate('otherRecording.title', { name }),
      detail: translator.translate('otherRecording.note'),
      buttons: [
        translator.translate('otherRecording.cancel'),
        translator.translate('otherRecording.use'),
        translator.translate('otherRecording.again'),
      ],
      defaultId: 2,
      cancelId: 0,
    });
    return response === 1 ? 'use' : response === 2 ? 'again' : 'cancel';
  }

  #set(id: TranscriptId, file: RecordingFile | null): Promise<RecordingChange> {
    const before = this.#context.longhand.transcripts.recordingOf(id);
    this.#history.set(id, { undo: [...(this.#history.get(id)?.undo ?? []), before], redo: [] });
    return this.#store(id, file);
  }

  async #store(id: TranscriptId, file: RecordingFile | null): Promise<RecordingChange> {
    const { transcripts, library } = this.#context.longhand;
    const before = nameOf(transcripts.recordingOf(id));
    const title = this.#titleOf(id);
    transcripts.setRecording(id, file);
    library.notifyRecordingsChanged();
    const recording = await recordingOf(this.#context, id);
    const titleAfter = this.#titleOf(id);
    const renamedTo = titleAfter === title ? null : titleAfter;
    return { recording, renamedTo, name: nameOf(file), before, isChanged: true, others: 0 };
  }

  async #unchanged(id: TranscriptId): Promise<RecordingChange> {
    const recording = await recordingOf(this.#context, id);
    return { recording, renamedTo: null, name: null, before: null, isChanged: false, others: 0 };
  }

  #titleOf(id: TranscriptId): string | null {
    return this.#context.longhand.library.listNames([id])[0]?.name ?? null;
  }
}
