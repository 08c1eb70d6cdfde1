import { z } from 'zod';
import { id, command, result } from './command.ts';
import { languageTag } from './languages.ts';
import {
  maxFindLength,
  maxFindingLength,
  maxLanguageLength,
  maxSegments,
  maxSegmentTextLength,
  maxSpeakerNameLength,
  maxSpeakers,
  maxSpellings,
  maxTextLength,
  storedLimits,
} from './limits.ts';
import { querySchema } from './query.ts';
import type { RecordingChange, RecordingStatus } from './recording-status.ts';
import { segmentExtrasSchema } from './segment-schema.ts';
import type { Waveform } from './waveform.ts';
import type {
  EditOperation,
  EditState,
  UndoResult,
  SegmentPiece,
  OpenedDocument,
  ComparisonBase,
} from './transcript.ts';

const number = z.int().nonnegative();
/** A time of a recording or an offset, which may be negative: any that a stored transcript may have, to correct it. */
const seconds = z.number().min(-storedLimits.seconds).max(storedLimits.seconds);
const text = z.string().max(maxSegmentTextLength);
const segments = z.array(number).max(maxSegments).readonly();
const wordsInSegment = { segment: number, from: number, text };
/** Index of a speaker. */
export const speakerIndex = z
  .int()
  .min(0)
  .max(maxSpeakers - 1);

const operation = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('set-text'),
    segment: number,
    text,
    typed: z.strictObject({ from: number, to: number }).optional(),
  }),
  z.strictObject({
    kind: z.literal('split'),
    segment: number,
    offset: number,
    atSeconds: seconds.nullable(),
  }),
  z.strictObject({ kind: z.literal('merge'), segment: number, through: number.optional() }),
  z.strictObject({
    kind: z.literal('move-boundary'),
    segment: number,
    edge: z.enum(['start', 'end']),
    toSeconds: seconds,
  }),
  z.strictObject({
    kind: z.literal('move-word'),
    segment: number,
    edge: z.enum(['start', 'end']),
    by: z.union([z.literal(-1), z.literal(1)]),
  }),
  z.strictObject({ kind: z.literal('set-times'), segment: number, start: seconds, end: seconds }),
  z.strictObject({ kind: z.literal('insert'), after: number.nullable(), text, fillsGap: z.boolean() }),
  z.strictObject({
    kind: z.literal('put-back'),
    start: seconds,
    end: seconds,
    text,
    extras: segmentExtrasSchema.optional(),
    speaker: speakerIndex.nullable(),
  }),
  z.strictObject({ kind: z.literal('delete'), segments }),
  z.strictObject({
    kind: z.literal('retime'),
    factor: z.number().min(0.01).max(100),
    offsetSeconds: seconds,
  }),
  z.strictObject({ kind: z.literal('set-speaker'), segments, speaker: speakerIndex.nullable() }),
  z.strictObject({ kind: z.literal('set-highlight'), segments, isHighlighted: z.boolean() }),
  z.strictObject({
    kind: z.literal('highlight-words'),
    passages: z.array(z.strictObject(wordsInSegment)).max(maxSegments).readonly(),
    isHighlighted: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('name-speakers'),
    names: z.array(z.string().max(maxSpeakerNameLength)).max(maxSpeakers).readonly(),
    becomes: z.array(speakerIndex.nullable()).max(maxSpeakers).readonly().optional(),
  }),
  // Only a replacement in all transcripts, which is a command of its own, chooses matches and renames speakers.
  z.strictObject({
    kind: z.literal('replace'),
    query: querySchema,
    replacement: z.string().max(maxFindLength),
  }),
  z.strictObject({
    kind: z.literal('set-texts'),
    texts: z
      .array(z.strictObject({ segment: number, before: text, text }))
      .max(maxSegments)
      .readonly(),
  }),
  z.strictObject({
    kind: z.literal('respell'),
    spellings: z.array(z.string().max(maxFindLength)).max(maxSpellings).readonly(),
    replacement: z.string().max(maxFindLength),
  }),
  z.strictObject({ kind: z.literal('accept-words'), ...wordsInSegment }),
  z.strictObject({ kind: z.literal('add-note'), atSeconds: seconds, text }),
  z.strictObject({ kind: z.literal('change-note'), note: number, text }),
  z.strictObject({ kind: z.literal('remove-note'), note: number }),
  z.strictObject({
    kind: z.literal('edit-text'),
    at: number,
    removed: number,
    inserted: z.string().max(maxTextLength),
  }),
  z.strictObject({
    kind: z.literal('restore'),
    only: z
      .strictObject({
        current: segments,
        original: segments,
        speakers: z
          .array(z.strictObject({ segment: number, speaker: speakerIndex.nullable() }))
          .max(maxSegments)
          .readonly()
          .optional(),
      })
      .optional(),
  }),
]) satisfies z.ZodType<EditOperation>;

/** The revision that the user sees. */
const revision = number;
/** Whether it follows a pending command. */
const isPipelined = z.boolean().optional();
/** Whether the sender has the change already, so that the result omits it: a change of a long text takes long to send. */
const knowsChange = z.boolean().optional();

export const transcriptCommands = {
  'transcript.get': command({ input: z.strictObject({ id }), result: result<OpenedDocument | null>() }),
  /** Returns more segments of a transcript. Rejects with `transcript_changed` if the revision is not current. */
  'transcript.segments': command({
    input: z.strictObject({ id, revision, from: number }),
    result: result<SegmentPiece>(),
  }),
  'transcript.original': command({ input: z.strictObject({ id }), result: result<ComparisonBase>() }),
  /**
   * Rejects with `transcript_changed` if the revision is not current, as undo and redo do. With `continues` it becomes
   * one edit with the typing before it; with `isPipelined` it follows a pending command.
   */
  'transcript.edit': command({
    input: z.strictObject({ id, revision, isPipelined, operation, continues: z.boolean().optional() }),
    result: result<EditState>(),
  }),
  'transcript.undo': command({
    input: z.strictObject({ id, revision, isPipelined, knowsChange }),
    result: result<UndoResult>(),
  }),
  'transcript.redo': command({
    input: z.strictObject({ id, revision, isPipelined, knowsChange }),
    result: result<UndoResult>(),
  }),
  /** Sets the language, as a canonical BCP 47 tag; `null`: unknown. Rejects with `transcript_gone`. */
  'transcript.setLanguage': command({
    input: z.strictObject({
      id,
      language: z
        .string()
        .max(maxLanguageLength)
        .refine((tag) => languageTag(tag) === tag)
        .nullable(),
    }),
  }),
  'transcript.recording': command({ input: z.strictObject({ id }), result: result<RecordingStatus>() }),
  /**
   * Asks the user for the recording's file, and to confirm it if its content differs. Transcripts of the same content get
   * it too.
   */
  'transcript.chooseRecording': command({ input: z.strictObject({ id }), result: result<RecordingChange>() }),
  /** Makes the file that has replaced the recording the recording of the transcript; without one, nothing changes. */
  'transcript.acceptReplaced': command({ input: z.strictObject({ id }), result: result<RecordingChange>() }),
  /** Detaches the recording from the transcript; the file stays. */
  'transcript.removeRecording': command({ input: z.strictObject({ id }), result: result<RecordingChange>() }),
  /** Reverts the last change of a transcript's recording since the window was opened. */
  'transcript.undoRecording': command({ input: z.strictObject({ id }), result: result<RecordingChange>() }),
  /** Makes the last reverted change again, unless another one was made since. */
  'transcript.redoRecording': command({ input: z.strictObject({ id }), result: result<RecordingChange>() }),
  /** The cached waveform of the recording; `null` if there is none. */
  'transcript.waveform': command({ input: z.strictObject({ id }), result: result<Waveform | null>() }),
  /** Stores the waveform of the file with this stamp; ignored if the file has changed. */
  'transcript.keepWaveform': command({
    input: z.strictObject({
      id,
      stamp: z.string().regex(/^[\da-f]{32}$/u),
      waveform: z.strictObject({
        sliceSeconds: z.array(z.number().nonnegative().nullable()).max(1000).readonly(),
        peaks: z.instanceof(Uint8Array).refine((peaks) => peaks.length <= 100_000),
      }),
    }),
  }),
  /** Copies a text to the clipboard. */
  'transcript.copy': command({ input: z.strictObject({ text: z.string().max(maxTextLength) }) }),
  /** Hides a finding of the review, or shows it again. */
  'transcript.accept': command({
    input: z.strictObject({ id, finding: z.string().max(maxFindingLength), accepted: z.boolean() }),
  }),
} as const;
