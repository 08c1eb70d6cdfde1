import { z } from 'zod';

/** The maximum length of a segment's extras as JSON, in UTF-16 units. */
const maxExtrasLength = 65_536;
/** The maximum number of values in them; all words together count as one value. */
const maxExtrasValues = 1000;

/** The maximum number of highlighted ranges of a segment: with their values, others must still fit. */
export const maxHighlightedRanges = 100;

/** A range of a segment's text, in UTF-16 units. */
const highlightedRange = z.object({ from: z.int().nonnegative(), to: z.int().nonnegative() }).readonly();

/** The extras that record what a person did: only edits, Longhand's own JSON and backups may set them, never a service. */
const personExtras = {
  /** Whether a person removed its speaker; it has no meaning for a segment with a speaker. */
  noSpeaker: z.literal(true).optional().catch(undefined),
  /** What a person has highlighted of it: all of it, or ranges of its text; see `core/transcript/highlights.ts`. */
  highlight: z
    .union([z.literal(true), z.array(highlightedRange).max(maxHighlightedRanges).readonly()])
    .optional()
    .catch(undefined),
} satisfies z.ZodRawShape;

/** The names of the extras that record what a person did. */
export const personExtraNames: ReadonlySet<string> = new Set(Object.keys(personExtras));

/**
 * The extras that this version knows, with the schemas of their values. A name that is added here needs a rule in
 * `core/transcript/segment.ts`; otherwise that file does not compile.
 */
const knownExtras = {
  /** The words with their times, packed by `core/transcript/word-times.ts`. */
  words: z.string().optional().catch(undefined),
  /** How certain it is who speaks, from 0 to 1; absent if nobody speaks or a person assigned the speaker. */
  speakerConfidence: z.number().min(0).max(1).optional().catch(undefined),
  ...personExtras,
} satisfies z.ZodRawShape;

/** The names of the extras that this version knows. */
export type ExtraName = keyof typeof knownExtras;

/**
 * What a segment has in addition to its times and text, by name. Every layer passes on all of it, so an extra that a
 * newer service sends survives in a version that does not know it. See `docs/decisions/0007-segments.md`.
 */
export const segmentExtrasSchema = z
  .looseObject(knownExtras)
  .refine((extras) => isStorable(extras), 'too long')
  .readonly();
export type SegmentExtras = z.infer<typeof segmentExtrasSchema>;

/** The schema of {@link Segment}, from which every other schema of a segment is derived. */
export const segmentSchema = z.object({
  start: z.number(),
  end: z.number(),
  text: z.string(),
  // Extras that cannot be stored are dropped; the segment stays.
  extras: segmentExtrasSchema.optional().catch(undefined),
});

/**
 * A timed piece of a transcript; times in seconds from the start of the recording. Only the functions of
 * `core/transcript/segment.ts` create or change segments.
 */
export type Segment = Readonly<z.infer<typeof segmentSchema>>;

/** The maximum depth of a segment's extras: a worker can parse deeper JSON than another thread can receive from it. */
const maxExtrasDepth = 20;

const isStorable = (value: unknown): boolean =>
  isSmallAndFlat(value) && JSON.stringify(value).length <= maxExtrasLength;

function isSmallAndFlat(value: unknown): boolean {
  let valuesLeft = maxExtrasValues + 1;
  const isWithinLimits = (one: unknown, depth: number): boolean => {
    valuesLeft -= 1;
    if (valuesLeft < 0) return false;
    return (
      typeof one !== 'object' ||
      one === null ||
      (depth > 0 && Object.values(one).every((inner) => isWithinLimits(inner, depth - 1)))
    );
  };
  return isWithinLimits(value, maxExtrasDepth);
}
