import type { z } from 'zod';

/** Returns the values of a text with one JSON value in each line; without lines that a crash cut off. */
export const parseJsonLines = <T>(text: string, schema: z.ZodType<T>): readonly T[] =>
  text.split('\n').flatMap((line) => {
    try {
      return [schema.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
