/**
 * The loudness of a recording over its length, as far as it was heard. The recording is heard in slices, of which each
 * has the same number of peaks.
 */
export interface Waveform {
  /** The length of each slice; `null` while it was not heard. */
  readonly sliceSeconds: readonly (number | null)[];
  /** The loudest of each stretch of each slice, 0 to 255; stretches of a slice are of equal length. */
  readonly peaks: Uint8Array<ArrayBuffer>;
}

/** Whether all of the recording was heard. */
export const isWhole = ({ sliceSeconds }: Waveform): boolean =>
  sliceSeconds.every((seconds) => seconds !== null);
