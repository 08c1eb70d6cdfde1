/** The maximum number of values of a JSON text: more than 64 MB of transcripts have, with the times of their words. */
const maxValues = 10_000_000;

/** A JSON text has more values than any transcript. */
export class TooManyValuesError extends Error {
  override readonly name = 'TooManyValuesError';

  constructor() {
    super(`the JSON has more than ${maxValues} values`);
  }
}

/**
 * Parses foreign JSON. A text of many short values needs many times its length in memory, and while `JSON.parse` runs
 * out of memory, V8 ends the whole process, whatever the limit of the thread is.
 *
 * @throws TooManyValuesError, or what `JSON.parse` throws
 */
export function parseBoundedJson(text: string): unknown {
  let values = 0;
  // One of these precedes each value, except after a key; those in strings are counted too.
  for (const character of [',', '[', '{'])
    for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1))
      if ((values += 1) > maxValues) throw new TooManyValuesError();
  return JSON.parse(text);
}
