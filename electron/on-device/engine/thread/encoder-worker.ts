/** The thread that encodes audio for a speech model, so that the next window is encoded while one is decoded. */
import type { WorkerRequestContext } from '../../../workers/protocol.ts';
import { serveWorker } from '../../../workers/worker-server.ts';
import { Interrupt } from '../whisper/interrupt.ts';
import { type EncodedAudio, type EncoderFiles, WhisperEncoder } from '../whisper/whisper-encoder.ts';

export interface EncodeTask {
  readonly samples: Float32Array;
  /** The memory of an `Interrupt`. */
  readonly interrupt: SharedArrayBuffer;
}

let encoder: WhisperEncoder | null = null;
let lastRequest: Promise<unknown> = Promise.resolve();

const handlers = {
  /** Opens the encoder; the thread's first request. */
  async open(files: EncoderFiles): Promise<void> {
    encoder = await WhisperEncoder.open(files);
  },

  /** Requests run one at a time: another window's run would delay the one that is needed first. */
  encode(
    { samples, interrupt }: EncodeTask,
    { transfer }: WorkerRequestContext<never>,
  ): Promise<EncodedAudio> {
    const result = lastRequest.then(async () => {
      if (encoder === null) throw new Error('No encoder is open.');
      const audio = await encoder.encode(samples, new Interrupt(interrupt));
      transfer.push(audio.values.buffer as ArrayBuffer);
      return audio;
    });
    lastRequest = result.catch(() => undefined);
    return result;
  },
};
export type EncoderHandlers = typeof handlers;

serveWorker(handlers, async () => encoder?.release());
