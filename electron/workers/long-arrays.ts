/** The maximum number of elements in a message: a thread receives them in a few milliseconds. */
export const elementsPerMessage = 1000;
/** The maximum number of values in the elements of a message, unless it has one element. */
const valuesPerMessage = 20_000;

/**
 * A long array of a result. It is sent in several messages, because a thread does nothing else while it receives one.
 */
export interface LongArray {
  /** The keys from the result to the array. */
  readonly path: readonly string[];
  readonly elements: readonly unknown[];
}

/** A result without its long arrays. */
export interface SplitResult {
  /** Has empty arrays in their place. */
  readonly rest: unknown;
  readonly lists: readonly LongArray[];
}

/** Extracts the long arrays of a result. Those inside of other arrays stay. */
export function extractLongArrays(result: unknown): SplitResult {
  const lists: LongArray[] = [];
  const restOf = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value) && isLong(value)) {
      lists.push({ path, elements: value });
      return [];
    }
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [key, restOf(child, [...path, key])]),
    );
  };
  return { rest: restOf(result, []), lists };
}

const isLong = (list: readonly unknown[]): boolean =>
  list.length > elementsPerMessage || countValues(list, valuesPerMessage) > valuesPerMessage;

/** Counts a value and all values inside of it, until there are more than `max`. */
function countValues(value: unknown, max: number): number {
  let count = 1;
  // Buffers are received as one value.
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return count;
  for (const key in value) {
    if (count > max) break;
    count += countValues((value as Readonly<Record<string, unknown>>)[key], max - count);
  }
  return count;
}

/** Divides a long array into the elements of its messages. */
export function* splitIntoMessages(elements: readonly unknown[]): Generator<readonly unknown[]> {
  let message: unknown[] = [];
  let values = 0;
  for (const element of elements) {
    const count = countValues(element, valuesPerMessage);
    if (message.length === elementsPerMessage || (message.length > 0 && values + count > valuesPerMessage)) {
      yield message;
      message = [];
      values = 0;
    }
    message.push(element);
    values += count;
  }
  if (message.length > 0) yield message;
}

/** Returns the result that {@link extractLongArrays} has split. */
export function restoreLongArrays({ rest, lists }: SplitResult): unknown {
  return lists.reduce((result, { path, elements }) => withValueAt(result, path, elements), rest);
}

function withValueAt(result: unknown, [key, ...path]: readonly string[], value: unknown): unknown {
  if (key === undefined || !isPlainObject(result)) return value;
  return { ...result, [key]: withValueAt(result[key], path, value) };
}

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
