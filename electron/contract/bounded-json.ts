/** The maximum number of values of a JSON text; 64 MB of transcripts with the times of their words have fewer. */
export const maxJsonValues = 10_000_000;

/** Thrown for a JSON text that has more values than any transcript. */
export class TooManyValuesError extends Error {
  override readonly name = 'TooManyValuesError';

  constructor(maxValues: number) {
    super(`the JSON has more than ${maxValues} values`);
  }
}

/**
 * Parses foreign JSON. A text of many short values needs many times its length in memory, and if `JSON.parse` runs out
 * of memory, V8 ends the whole process, even when the thread has a memory limit of its own.
 *
 * @throws TooManyValuesError, or what `JSON.parse` throws
 */
export function parseBoundedJson(text: string, maxValues = maxJsonValues): unknown {
  if (hasMoreValues(text, maxValues)) throw new TooManyValuesError(maxValues);
  return JSON.parse(text);
}

/** Whether a JSON text has more than `maxValues` values; the rest is not counted. */
export function hasMoreValues(text: string, maxValues: number): boolean {
  let values = 0;
  // One of these precedes each value, except after a key; those in strings are counted too.
  for (const character of [',', '[', '{'])
    for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1))
      if ((values += 1) > maxValues) return true;
  return false;
}
