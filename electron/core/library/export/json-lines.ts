/**
 * Returns the values of a text with one JSON value in each line. Skips lines that a crash cut off.
 *
 * @param parse throws for a value that is not expected
 */
export const parseJsonLines = <T>(text: string, parse: (value: unknown) => T): readonly T[] =>
  text.split('\n').flatMap((line) => {
    try {
      return [parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
