/**
 * Sound on its way from where it is decoded to where it is heard: asks for more while it holds less than it should, so
 * that decoding goes on while the model works, and no further.
 */
export class SampleQueue implements AsyncIterable<Float32Array> {
  readonly #wanted: () => void;
  readonly #holdSamples: number;
  readonly #chunks: Float32Array[] = [];
  #held = 0;
  #asked = false;
  #over: { readonly error?: Error } | null = null;
  #wake: () => void = () => undefined;

  /**
   * @param holdSamples how many samples to hold ready
   * @param wanted called when one more chunk is wanted; {@link push}, {@link end} or {@link fail} is the answer
   */
  constructor(holdSamples: number, wanted: () => void) {
    this.#holdSamples = holdSamples;
    this.#wanted = wanted;
  }

  push(chunk: Float32Array): void {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    this.#asked = false;
    this.#ask();
    this.#wake();
  }

  /** There is no more sound. */
  end(): void {
    this.#over ??= {};
    this.#wake();
  }

  /** There is no more sound because of an error; the reader gets it after what came before it. */
  fail(error: Error): void {
    this.#over ??= { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Float32Array> {
    for (;;) {
      this.#ask();
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) {
        this.#held -= chunk.length;
        yield chunk;
      } else if (this.#over !== null) {
        if (this.#over.error !== undefined) throw this.#over.error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  #ask(): void {
    if (this.#asked || this.#over !== null || this.#held >= this.#holdSamples) return;
    this.#asked = true;
    this.#wanted();
  }
}
