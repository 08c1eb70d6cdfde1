import { WorkerClient } from '../../../workers/worker-client.ts';
import type { Interrupt } from '../whisper/interrupt.ts';
import type { AudioEncoder, EncodedAudio, EncoderFiles } from '../whisper/whisper-encoder.ts';
import type { EncoderHandlers } from './encoder-worker.ts';

/** An encoder in a thread of its own. */
export class EncoderThread implements AudioEncoder {
  readonly isConcurrent = true;
  readonly #worker: WorkerClient<EncoderHandlers>;

  private constructor(worker: WorkerClient<EncoderHandlers>) {
    this.#worker = worker;
  }

  /** @param url of `encoder-worker.ts` */
  static async open(url: URL, files: EncoderFiles): Promise<EncoderThread> {
    const worker = new WorkerClient<EncoderHandlers>({
      name: 'encoder',
      url,
      maxHeapMb: 512,
      // As in the speech thread: V8's default young generation would add 20 MB of garbage.
      maxYoungHeapMb: 8,
      // A new thread would have no encoder. This one ends as well, and the speech engine starts both again.
      onCrash: (error) => {
        setImmediate(() => {
          throw error;
        });
      },
    });
    try {
      await worker.request('open', files, {
        transfer: [files.encoder.buffer as ArrayBuffer],
      });
    } catch (error) {
      await worker.finish();
      throw error;
    }
    return new EncoderThread(worker);
  }

  async encode(samples: Float32Array, interrupt: Interrupt): Promise<EncodedAudio> {
    try {
      return await this.#worker.request(
        'encode',
        { samples, interrupt: interrupt.shared },
        { transfer: [samples.buffer as ArrayBuffer] },
      );
    } catch (error) {
      interrupt.throwIfRequested();
      throw error;
    }
  }

  release(): Promise<void> {
    return this.#worker.finish();
  }
}
