/**
 * Audio between the decoder of the file and the model. Requests chunks only while it holds fewer samples than its target,
 * so that decoding runs ahead of the model but not without limit.
 */
export class SampleQueue implements AsyncIterable<Float32Array> {
  readonly #requestChunk: () => void;
  readonly #targetSamples: number;
  readonly #chunks: Float32Array[] = [];
  #bufferedSamples = 0;
  #isRequested = false;
  #end: { readonly error?: Error } | null = null;
  #wake: () => void = () => undefined;

  /**
   * @param targetSamples how many samples to hold ready
   * @param requestChunk asks for one more chunk; {@link push}, {@link end} or {@link fail} is the response
   */
  constructor(targetSamples: number, requestChunk: () => void) {
    this.#targetSamples = targetSamples;
    this.#requestChunk = requestChunk;
  }

  push(chunk: Float32Array): void {
    this.#chunks.push(chunk);
    this.#bufferedSamples += chunk.length;
    this.#isRequested = false;
    this.#requestMore();
    this.#wake();
  }

  /** Marks the end of the audio. */
  end(): void {
    this.#end ??= {};
    this.#wake();
  }

  /** Ends the audio with an error, which the reader gets after the chunks that came before. */
  fail(error: Error): void {
    this.#end ??= { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Float32Array> {
    for (;;) {
      this.#requestMore();
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) {
        this.#bufferedSamples -= chunk.length;
        yield chunk;
      } else if (this.#end !== null) {
        if (this.#end.error !== undefined) throw this.#end.error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  #requestMore(): void {
    if (this.#isRequested || this.#end !== null || this.#bufferedSamples >= this.#targetSamples) return;
    this.#isRequested = true;
    this.#requestChunk();
  }
}
