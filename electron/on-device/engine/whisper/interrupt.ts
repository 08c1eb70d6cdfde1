/** The number of dimensions of the encoder's result, which an interruption reshapes: batch, audio frames, width. */
export const interruptShapeLength = 3;
/** ONNX's Reshape keeps a dimension that is given as zero. */
const unchangedDimension = 0n;
/** The batch has one window, so Reshape fails on a batch of two. */
const invalidDimension = 2n;

/** The work was cancelled. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/**
 * Cancels work from another thread, even in the middle of a graph's run. ONNX Runtime's binding for Node cannot cancel a
 * run, and a run blocks its thread, so no message arrives either. Therefore the graph reads its own shape from memory
 * shared between the threads at several points: an invalid shape makes the run fail there.
 */
export class Interrupt {
  /** Memory to send to the other thread, which creates its own `Interrupt` from it. */
  readonly shared: SharedArrayBuffer;
  /** The shape that the encoder's graph reads while it runs. */
  readonly shape: BigInt64Array;

  constructor(shared = new SharedArrayBuffer(interruptShapeLength * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.shape = new BigInt64Array(shared);
  }

  /** Makes the current run fail, and all later ones. */
  request(): void {
    Atomics.store(this.shape, 0, invalidDimension);
  }

  get isRequested(): boolean {
    return Atomics.load(this.shape, 0) !== unchangedDimension;
  }

  /** @throws InterruptedError once it is requested */
  throwIfRequested(): void {
    if (this.isRequested) throw new InterruptedError('The work was cancelled.');
  }
}
