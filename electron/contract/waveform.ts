/**
 * The loudness of a recording over time, as far as it has been decoded. It is decoded in slices, each with the same
 * number of peaks.
 */
export interface Waveform {
  /** The duration of each slice; `null` until it is decoded. */
  readonly sliceSeconds: readonly (number | null)[];
  /** The peaks of the equal sections of each slice, 0 to 255. */
  readonly peaks: Uint8Array<ArrayBuffer>;
}

/** Whether the whole recording has been decoded. */
export const isComplete = ({ sliceSeconds }: Waveform): boolean =>
  sliceSeconds.every((seconds) => seconds !== null);
