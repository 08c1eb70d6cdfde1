/** Of the encoder's state: batch, moments, width. */
export const stateDimensions = 3;
/** ONNX's Reshape takes a zero for "as it is". */
const asItIs = 0n;
/** The encoder hears one window at a time, so nothing of it can be shared out among two. */
const impossible = 2n;

/** The work was not wanted any more. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/**
 * Ends work from another thread, within the run of a graph too. ONNX Runtime's binding for Node cannot be asked to end a
 * run, nor can a message come in during one, since a run holds its thread. So the graph has places at which it takes its
 * shape anew from memory that threads share: when that says an impossible one, the run fails there.
 */
export class Interrupt {
  /** To be handed to the other thread, which makes its own `Interrupt` of it. */
  readonly shared: SharedArrayBuffer;
  /** The shape that the encoder's graph reads while it is run. */
  readonly shape: BigInt64Array;

  constructor(shared = new SharedArrayBuffer(stateDimensions * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.shape = new BigInt64Array(shared);
  }

  /** Fails the run that is under way with it, and all later ones. */
  request(): void {
    Atomics.store(this.shape, 0, impossible);
  }

  get requested(): boolean {
    return Atomics.load(this.shape, 0) !== asItIs;
  }

  /** @throws InterruptedError once it is requested */
  throwIfRequested(): void {
    if (this.requested) throw new InterruptedError('The work is not wanted any more.');
  }
}
