import { z } from 'zod';
import { maxFindLength } from './limits.ts';

/** A text to find, with options. */
export interface Query {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWords: boolean;
}

/** What is wrong with a regular expression that the user typed; `other` if V8 reports anything else. */
export type PatternError =
  | 'group'
  | 'parenthesis'
  | 'class'
  | 'repeat'
  | 'braces'
  | 'range'
  | 'escape'
  | 'property'
  | 'name'
  | 'other';

/** Why a pattern has no matches; `slow`: it takes too long, `long`: the texts would become too long. */
export type PatternFailure = PatternError | 'slow' | 'long';

/** What a pattern matched; a group that took no part is `null`. */
export interface Captures {
  /** The whole match, then the groups. */
  readonly groups: readonly (string | null)[];
  /** `null` for a pattern without named groups. */
  readonly named: Readonly<Record<string, string | null>> | null;
}

/** A text to find, with options. */
export const querySchema = z.strictObject({
  text: z.string().max(maxFindLength),
  matchCase: z.boolean(),
  wholeWords: z.boolean(),
});
