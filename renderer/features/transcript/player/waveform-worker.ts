/** Hears a recording beside the window, slice by slice, and tells its waveform as it grows. */
import { isWhole, type Waveform } from '../../../../electron/contract/waveform.ts';
import { openSlices } from '../../../decoder/sliced-recording.ts';
import { coarseToFine, GrowingWaveform } from './growing-waveform.ts';

/** From the window to the worker. */
export interface WaveformRequest {
  readonly url: string;
  readonly sizeBytes: number;
  /** What is known from before. */
  readonly known: Waveform | null;
}

/** From the worker to the window. */
export type WaveformAnswer =
  | { readonly kind: 'grown'; readonly waveform: Waveform }
  /** Another worker is to go on. */
  | { readonly kind: 'tired'; readonly waveform: Waveform }
  | { readonly kind: 'failed'; readonly message: string };

/** Milliseconds between two tellings at least. */
const minPostIntervalMs = 250;
/** Rest for each moment of work: hours of sound take minutes, and the queue needs the processors more. */
const restShare = 0.5;
/** Seconds that one worker decodes: what decoders leave behind, Chromium lets go of with the worker alone. */
const maxSecondsPerWorker = 1200;

const post = (answer: WaveformAnswer): void => self.postMessage(answer);

self.addEventListener('message', (event: MessageEvent<WaveformRequest>) => {
  decode(event.data).catch((error: unknown) => post({ kind: 'failed', message: String(error) }));
});

async function decode({ url, sizeBytes, known }: WaveformRequest): Promise<void> {
  const recording = await openSlices(sizeBytes, async (start, end) => {
    const answer = await fetch(url, { headers: { range: `bytes=${start}-${end - 1}` } });
    if (answer.status !== 206) throw new Error(`the recording answered ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  });
  const { slices, durationSeconds, share, isRandomAccess: anyOrder } = recording;
  const growing = new GrowingWaveform(slices, durationSeconds, known);
  const order = coarseToFine(slices);
  post({ kind: 'grown', waveform: growing.waveform });
  let told = performance.now();
  const missing = (anyOrder ? order : order.toSorted((a, b) => a - b)).filter((slice) => !growing.has(slice));
  const slicesAtOnce = Math.ceil((maxSecondsPerWorker / (durationSeconds * share)) * slices);
  // Going back to the middle of some kinds costs reading all that comes before it.
  for (const slice of anyOrder ? missing.slice(0, slicesAtOnce) : missing) {
    const begun = performance.now();
    growing.add(slice, await recording.measure(slice));
    const now = performance.now();
    if (now - told > minPostIntervalMs) {
      post({ kind: 'grown', waveform: growing.waveform });
      told = now;
    }
    await new Promise((rested) => setTimeout(rested, (now - begun) * restShare));
  }
  recording.close();
  const { waveform } = growing;
  post({ kind: isWhole(waveform) ? 'grown' : 'tired', waveform });
}
