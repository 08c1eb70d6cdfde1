import { z } from 'zod';
import { maxFindLength } from './limits.ts';

/** A text to find, with options. */
export interface Query {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWords: boolean;
}

/** A text to find, with options. */
export const querySchema = z.strictObject({
  text: z.string().max(maxFindLength),
  matchCase: z.boolean(),
  wholeWords: z.boolean(),
});
