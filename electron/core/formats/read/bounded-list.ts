import { maxSegments } from '../../../contract/limits.ts';

/** A file has more text, segments or notes than a transcript can have. */
export class TooLongError extends Error {}

/** What is read of a file, in order. Reading ends at the first element too many, whatever the rest of the file has. */
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
  add(one: T): void {
    if (this.#all.length === this.#max) throw new TooLongError();
    this.#all.push(one);
  }
}
