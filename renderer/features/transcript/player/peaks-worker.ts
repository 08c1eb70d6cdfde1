/** Computes a waveform beside the window: reads the recording piece by piece and tells as it goes. */
import { openRecording } from '../../../decoder/recording.ts';
import { Peaks, type PeaksAnswer, type PeaksRequest } from './peaks.ts';

/** Milliseconds of work between two tellings. */
const tellMs = 400;
/** Milliseconds of rest after each: hours of sound take minutes, and the queue needs the processors more. */
const restMs = 400;

const tell = (answer: PeaksAnswer): void => self.postMessage(answer);

self.addEventListener('message', (event: MessageEvent<PeaksRequest>) => {
  compute(event.data).catch((error: unknown) => tell({ kind: 'failed', message: String(error) }));
});

async function compute({ url, sizeBytes }: PeaksRequest): Promise<void> {
  const recording = await openRecording(sizeBytes, async (start, end) => {
    const answer = await fetch(url, { headers: { range: `bytes=${start}-${end - 1}` } });
    if (answer.status !== 206) throw new Error(`the recording answered ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  });
  const peaks = new Peaks(recording.durationSeconds);
  let told = performance.now();
  for await (const piece of recording.pieces) {
    peaks.add(piece);
    if (performance.now() - told < tellMs) continue;
    tell({ kind: 'some', peaks: peaks.values.slice() });
    await new Promise((rested) => setTimeout(rested, restMs));
    told = performance.now();
  }
  recording.close();
  tell({ kind: 'all', peaks: peaks.values.slice() });
}
