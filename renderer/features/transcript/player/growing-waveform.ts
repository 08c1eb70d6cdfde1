import type { Waveform } from '../../../../electron/contract/waveform.ts';
import type { SliceLoudness } from '../../../decoder/sliced-recording.ts';

/** Minimum number of peaks of a long recording: more than a wide window shows. */
const peakCount = 2000;
/** Minimum seconds per peak. */
const minPeakSeconds = 0.02;

/** A waveform that is built slice by slice. */
export class GrowingWaveform {
  readonly #seconds: (number | null)[];
  readonly #peaks: Uint8Array<ArrayBuffer>;

  /** @param previous what was decoded before; ignored if it does not fit this recording */
  constructor(sliceCount: number, durationSeconds: number, previous: Waveform | null) {
    const minPeaks = Math.min(peakCount, Math.ceil(durationSeconds / minPeakSeconds));
    const peaksPerSlice = Math.max(1, Math.ceil(minPeaks / sliceCount));
    const fits =
      previous?.sliceSeconds.length === sliceCount && previous.peaks.length === sliceCount * peaksPerSlice;
    this.#seconds = fits ? [...previous.sliceSeconds] : Array.from({ length: sliceCount }, () => null);
    this.#peaks = fits ? previous.peaks.slice() : new Uint8Array(sliceCount * peaksPerSlice);
  }

  get waveform(): Waveform {
    return { sliceSeconds: [...this.#seconds], peaks: this.#peaks.slice() };
  }

  /** Whether a slice was added. */
  has(slice: number): boolean {
    return this.#seconds[slice] !== null;
  }

  /** Adds the loudness of a slice, by its index. */
  add(slice: number, { seconds, loudness }: SliceLoudness): void {
    this.#seconds[slice] = seconds;
    const peaksPerSlice = this.#peaks.length / this.#seconds.length;
    for (const { from, to, level } of loudness) {
      const peak = Math.min(255, Math.round(level * 255));
      const last = Math.min(peaksPerSlice - 1, Math.ceil((to / seconds) * peaksPerSlice) - 1);
      for (
        let offset = Math.max(0, Math.floor((from / seconds) * peaksPerSlice));
        offset <= last;
        offset += 1
      ) {
        const index = slice * peaksPerSlice + offset;
        if (peak > (this.#peaks[index] ?? 0)) this.#peaks[index] = peak;
      }
    }
  }
}

/**
 * Returns the order in which slices are decoded: first a few far apart, then those between them, so that the whole
 * recording is visible early and becomes more detailed.
 */
export function coarseToFine(sliceCount: number): readonly number[] {
  const order = sliceCount > 0 ? [0] : [];
  let step = 1;
  while (step < sliceCount) step *= 2;
  for (; step >= 1; step /= 2) {
    for (let slice = step; slice < sliceCount; slice += 2 * step) order.push(slice);
  }
  return order;
}

/** Returns how much of a recording was decoded, 0 to 1. */
export const decodedFraction = ({ sliceSeconds }: Waveform): number =>
  sliceSeconds.filter((seconds) => seconds !== null).length / Math.max(1, sliceSeconds.length);

/**
 * Returns the levels to draw, at equal intervals. A slice that was not decoded yet repeats the one before it; until all
 * are decoded, slices are drawn equally long.
 */
export function displayLevels({ sliceSeconds, peaks }: Waveform): Uint8Array {
  const levels = new Uint8Array(peakCount);
  const isComplete = !sliceSeconds.includes(null);
  const durations = sliceSeconds.map((seconds) => (isComplete ? (seconds ?? 0) : 1));
  const total = durations.reduce((sum, duration) => sum + duration, 0);
  const peaksPerSlice = peaks.length / sliceSeconds.length;
  let startsAt = 0;
  let lastDecoded = sliceSeconds.findIndex((seconds) => seconds !== null);
  if (total === 0 || lastDecoded < 0) return levels;
  durations.forEach((duration, slice) => {
    if (sliceSeconds[slice] !== null) lastDecoded = slice;
    for (let offset = 0; offset < peaksPerSlice; offset += 1) {
      const from = Math.floor(((startsAt + (duration * offset) / peaksPerSlice) / total) * peakCount);
      const to = Math.ceil(((startsAt + (duration * (offset + 1)) / peaksPerSlice) / total) * peakCount);
      const peak = peaks[lastDecoded * peaksPerSlice + offset] ?? 0;
      for (let index = from; index < Math.min(to, peakCount); index += 1) {
        if (peak > (levels[index] ?? 0)) levels[index] = peak;
      }
    }
    startsAt += duration;
  });
  return levels;
}
