/** Decodes a recording slice by slice in a worker, and posts its waveform as it grows. */
import { isComplete, type Waveform } from '../../../../electron/contract/waveform.ts';
import { openSlices } from '../../../decoder/sliced-recording.ts';
import { coarseToFine, GrowingWaveform } from './growing-waveform.ts';

/** From the window to the worker. */
export interface WaveformRequest {
  readonly url: string;
  readonly sizeBytes: number;
  /** What was decoded before. */
  readonly previous: Waveform | null;
}

/** From the worker to the window. */
export type WaveformResponse =
  | { readonly kind: 'grown'; readonly waveform: Waveform }
  /** Another worker has to continue. */
  | { readonly kind: 'exhausted'; readonly waveform: Waveform }
  | { readonly kind: 'failed'; readonly message: string };

/** Minimum milliseconds between two posts. */
const minPostIntervalMs = 250;
/** Pause per unit of work: hours of audio take minutes, and the queue needs the processors more. */
const pauseRatio = 0.5;
/** Seconds of audio that one worker decodes: Chromium frees the memory of decoders only with their worker. */
const maxSecondsPerWorker = 1200;

const post = (response: WaveformResponse): void => self.postMessage(response);

self.addEventListener('message', (event: MessageEvent<WaveformRequest>) => {
  decode(event.data).catch((error: unknown) => post({ kind: 'failed', message: String(error) }));
});

async function decode({ url, sizeBytes, previous }: WaveformRequest): Promise<void> {
  const recording = await openSlices(sizeBytes, async (start, end) => {
    const response = await fetch(url, { headers: { range: `bytes=${start}-${end - 1}` } });
    if (response.status !== 206) throw new Error(`the recording answered ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  });
  const { sliceCount, durationSeconds, measuredFraction, isRandomAccess } = recording;
  const growing = new GrowingWaveform(sliceCount, durationSeconds, previous);
  const order = coarseToFine(sliceCount);
  post({ kind: 'grown', waveform: growing.waveform });
  let postedAt = performance.now();
  const missing = (isRandomAccess ? order : order.toSorted((a, b) => a - b)).filter(
    (slice) => !growing.has(slice),
  );
  const maxSlices = Math.ceil((maxSecondsPerWorker / (durationSeconds * measuredFraction)) * sliceCount);
  // In some formats, a later worker would have to read everything before its first slice.
  for (const slice of isRandomAccess ? missing.slice(0, maxSlices) : missing) {
    const startedAt = performance.now();
    growing.add(slice, await recording.measure(slice));
    const now = performance.now();
    if (now - postedAt > minPostIntervalMs) {
      post({ kind: 'grown', waveform: growing.waveform });
      postedAt = now;
    }
    await new Promise((done) => setTimeout(done, (now - startedAt) * pauseRatio));
  }
  recording.close();
  const { waveform } = growing;
  post({ kind: isComplete(waveform) ? 'grown' : 'exhausted', waveform });
}
