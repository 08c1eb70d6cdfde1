import { z } from 'zod';
import { accuracies } from './choices.ts';
import { maxSpeakers, termLimits } from './limits.ts';

/** A name or a term: not blank, without control characters. */
const termSchema = z
  .string()
  .max(termLimits.length)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'is not a name or a term')
  .refine((term) => term.trim() !== '', 'is not a name or a term');

/** A list of names and terms. */
export const termsSchema = z
  .array(termSchema)
  .max(termLimits.count)
  .refine(
    (terms) => terms.reduce((sum, term) => sum + term.length, 0) <= termLimits.total,
    `must have at most ${termLimits.total} characters in all`,
  )
  .readonly();

/** Whether speakers are identified once a transcript is saved, and how many there are if the user knows. */
export const speakerOptionSchema = z.union([z.enum(['off', 'automatic']), z.int().min(1).max(maxSpeakers)]);
export type SpeakerOption = z.infer<typeof speakerOptionSchema>;

/** The options of a transcription (API part 4.1), and of what follows it on this computer. */
export const jobOptionsSchema = z.strictObject({
  /** `auto`, or the ISO 639 code of the spoken language. */
  language: z.string().regex(/^(auto|[a-z]{2,3})$/),
  accuracy: z.enum(accuracies),
  translateToEnglish: z.boolean(),
  /** Names and terms that occur in the recording, the most important ones first; only for services with extensions. */
  terms: termsSchema,
  speakers: speakerOptionSchema,
});
export type JobOptions = Readonly<z.infer<typeof jobOptionsSchema>>;

/** The options that a service gets. */
export type SpeechOptions = Omit<JobOptions, 'speakers'>;

/** A list of names and terms that was read from a text. */
export interface TermList {
  readonly terms: readonly string[];
  /** Whether some were left out because of {@link termLimits}. */
  readonly isShortened: boolean;
}

/** Options as they are stored: earlier versions had no terms and no speakers. */
export const storedOptionsSchema = jobOptionsSchema.extend({
  terms: termsSchema.default([]),
  speakers: speakerOptionSchema.default('off'),
});

/** The API's own defaults (API part 4.1). */
export const defaultJobOptions: JobOptions = {
  language: 'auto',
  accuracy: 'balanced',
  translateToEnglish: false,
  terms: [],
  speakers: 'off',
};
