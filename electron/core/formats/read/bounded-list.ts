import { maxSegments } from '../../../contract/limits.ts';

/** A file has more text, segments or notes than a transcript can have. */
export class TooLongError extends Error {}

/**
 * The elements read from a file, in order. Adding one too many throws, so that reading stops there, however long the
 * file is.
 */
export class BoundedList<T> {
  readonly #all: T[] = [];
  readonly #max: number;

  constructor(max = maxSegments) {
    this.#max = max;
  }

  get all(): readonly T[] {
    return this.#all;
  }

  /** @throws TooLongError */
  add(element: T): void {
    if (this.#all.length === this.#max) throw new TooLongError();
    this.#all.push(element);
  }
}
