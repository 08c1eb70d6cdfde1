/** The maximum number of values of a JSON text: more than 64 MB of transcripts have, with the times of their words. */
export const maxJsonValues = 10_000_000;

/** A JSON text has more values than any transcript. */
export class TooManyValuesError extends Error {
  override readonly name = 'TooManyValuesError';

  constructor(maxValues: number) {
    super(`the JSON has more than ${maxValues} values`);
  }
}

/**
 * Parses foreign JSON. A text of many short values needs many times its length in memory, and while `JSON.parse` runs
 * out of memory, V8 ends the whole process, whatever the limit of the thread is.
 *
 * @throws TooManyValuesError, or what `JSON.parse` throws
 */
export function parseBoundedJson(text: string, maxValues = maxJsonValues): unknown {
  if (hasMoreValues(text, maxValues)) throw new TooManyValuesError(maxValues);
  return JSON.parse(text);
}

/** Whether a JSON text has more values than `maxValues`, of which it counts no more. */
export function hasMoreValues(text: string, maxValues: number): boolean {
  let values = 0;
  // One of these precedes each value, except after a key; those in strings are counted too.
  for (const character of [',', '[', '{'])
    for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1))
      if ((values += 1) > maxValues) return true;
  return false;
}
