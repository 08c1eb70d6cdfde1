/** The number of elements in a message: a thread receives them in a few milliseconds. */
export const elementsPerMessage = 1000;

/**
 * A long array of a result. It is sent in several messages, because a thread does nothing else while it receives one.
 */
export interface LongList {
  /** The keys from the result to the array. */
  readonly path: readonly string[];
  readonly elements: readonly unknown[];
}

/** A result without its long arrays. */
export interface TakenApart {
  /** Has empty arrays in their place. */
  readonly rest: unknown;
  readonly lists: readonly LongList[];
}

/** Takes the long arrays out of a result. Those inside of other arrays stay. */
export function takeLongLists(result: unknown): TakenApart {
  const lists: LongList[] = [];
  const restOf = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value) && value.length > elementsPerMessage) {
      lists.push({ path, elements: value });
      return [];
    }
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, restOf(one, [...path, key])]));
  };
  return { rest: restOf(result, []), lists };
}

/** Returns the result that {@link takeLongLists} took apart. */
export function putLongLists({ rest, lists }: TakenApart): unknown {
  return lists.reduce((result, { path, elements }) => withValueAt(result, path, elements), rest);
}

function withValueAt(result: unknown, [key, ...path]: readonly string[], value: unknown): unknown {
  if (key === undefined || !isPlainObject(result)) return value;
  return { ...result, [key]: withValueAt(result[key], path, value) };
}

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
