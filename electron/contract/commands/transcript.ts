import { z } from 'zod';
import type {
  EditOperation,
  EditState,
  LocatedRecording,
  OriginalTranscript,
  Recording,
  SegmentPiece,
  SentDocument,
  StepResult,
} from '../transcript.ts';
import { maxSegmentTextLength, maxFindLength, maxTextLength, maxSegments } from '../limits.ts';
import type { Waveform } from '../waveform.ts';
import { id } from './inputs.ts';

const number = z.int().nonnegative();
/** A time of a recording, or how far times are put off: some months at the most, and before the start as well. */
const seconds = z.number().min(-1_000_000).max(10_000_000);
const text = z.string().max(maxSegmentTextLength);
const segments = z.array(number).max(maxSegments).readonly();
/** A hundred speakers are more than anybody tells apart. */
const mostSpeakers = 100;
const speaker = z
  .int()
  .min(0)
  .max(mostSpeakers - 1);

/** How a text is looked for. */
export const querySchema = z.strictObject({
  text: z.string().max(maxFindLength),
  matchCase: z.boolean(),
  wholeWords: z.boolean(),
});

const operation = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('set-text'), segment: number, text }),
  z.strictObject({
    kind: z.literal('split'),
    segment: number,
    offset: number,
    atSeconds: seconds.nullable(),
  }),
  z.strictObject({ kind: z.literal('merge'), segment: number }),
  z.strictObject({
    kind: z.literal('move-boundary'),
    segment: number,
    edge: z.enum(['start', 'end']),
    toSeconds: seconds,
  }),
  z.strictObject({ kind: z.literal('insert'), after: number.nullable(), text, fillsGap: z.boolean() }),
  z.strictObject({
    kind: z.literal('put-back'),
    start: seconds,
    end: seconds,
    text,
    speaker: speaker.nullable(),
  }),
  z.strictObject({ kind: z.literal('delete'), segments }),
  z.strictObject({
    kind: z.literal('retime'),
    factor: z.number().min(0.01).max(100),
    offsetSeconds: seconds,
  }),
  z.strictObject({ kind: z.literal('set-speaker'), segments, speaker: speaker.nullable() }),
  z.strictObject({
    kind: z.literal('name-speakers'),
    names: z.array(z.string().max(200)).max(mostSpeakers).readonly(),
  }),
  z.strictObject({
    kind: z.literal('replace'),
    query: querySchema,
    replacement: z.string().max(maxFindLength),
    segments: segments.optional(),
  }),
  z.strictObject({ kind: z.literal('add-note'), atSeconds: seconds, text }),
  z.strictObject({ kind: z.literal('change-note'), note: number, text }),
  z.strictObject({ kind: z.literal('remove-note'), note: number }),
  z.strictObject({
    kind: z.literal('edit-text'),
    at: number,
    removed: number,
    inserted: z.string().max(maxTextLength),
  }),
  z.strictObject({ kind: z.literal('restore') }),
]) satisfies z.ZodType<EditOperation>;

/** The revision that the user sees. */
const revision = number;
/** Whether it follows something that was sent before it and not answered yet. */
const ahead = z.boolean().optional();

export const transcriptCommands = {
  'transcript.get': z.strictObject({ id }),
  'transcript.segments': z.strictObject({ id, revision, from: number }),
  'transcript.original': z.strictObject({ id }),
  'transcript.edit': z.strictObject({ id, revision, ahead, operation, continues: z.boolean().optional() }),
  'transcript.undo': z.strictObject({ id, revision, ahead }),
  'transcript.redo': z.strictObject({ id, revision, ahead }),
  'transcript.recording': z.strictObject({ id }),
  'transcript.locate': z.strictObject({ id }),
  'transcript.waveform': z.strictObject({ id }),
  'transcript.keepWaveform': z.strictObject({
    id,
    stamp: z.string().regex(/^[\da-f]{32}$/u),
    waveform: z.strictObject({
      sliceSeconds: z.array(z.number().nonnegative().nullable()).max(1000).readonly(),
      peaks: z.instanceof(Uint8Array).refine((peaks) => peaks.length <= 100_000),
    }),
  }),
  'transcript.copy': z.strictObject({ text: z.string().max(maxTextLength) }),
  'transcript.accept': z.strictObject({ id, finding: z.string().max(500), accepted: z.boolean() }),
} as const;

export interface TranscriptResults {
  'transcript.get': SentDocument | null;
  /** More segments of a transcript. Refused with `transcript_changed` when the revision is no longer the present one. */
  'transcript.segments': SegmentPiece;
  'transcript.original': OriginalTranscript;
  /**
   * Refused with `transcript_changed` when the revision is no longer the present one, as steps are. What `continues`
   * becomes one edit with the typing before it; what is made `ahead` follows one that was not answered when it was sent.
   */
  'transcript.edit': EditState;
  'transcript.undo': StepResult;
  'transcript.redo': StepResult;
  'transcript.recording': Recording;
  /** Asks the user for the recording's file; others of the same content get it too. */
  'transcript.locate': LocatedRecording;
  /** The waveform of the recording as far as it was kept; `null` when nothing was. */
  'transcript.waveform': Waveform | null;
  /** Keeps the waveform of the file that has this stamp; of any other it is nothing. */
  'transcript.keepWaveform': void;
  /** Puts a text on the clipboard. */
  'transcript.copy': void;
  /** Keeps a finding of the review from being shown again, or lets it. */
  'transcript.accept': void;
}
