import { z } from 'zod';
import { accuracies } from './choices.ts';

/** The options of a transcription (API part 4.1). */
export const jobOptionsSchema = z.strictObject({
  /** `auto`, or the ISO 639 code of the spoken language. */
  language: z.string().regex(/^(auto|[a-z]{2,3})$/),
  accuracy: z.enum(accuracies),
  translateToEnglish: z.boolean(),
});
export type JobOptions = Readonly<z.infer<typeof jobOptionsSchema>>;

/** The API's own defaults (API part 4.1). */
export const defaultJobOptions: JobOptions = {
  language: 'auto',
  accuracy: 'balanced',
  translateToEnglish: false,
};
