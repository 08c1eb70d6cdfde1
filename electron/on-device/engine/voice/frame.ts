import { speechSampleRate } from '../../../contract/decoder-protocol.ts';

/** Samples that the voice detector looks at in one go: 32 ms. */
export const frameSamples = 512;
export const frameSeconds = frameSamples / speechSampleRate;

/** A short piece of sound, {@link frameSamples} samples long. */
export interface Frame {
  readonly samples: Float32Array;
  /** Position of the first sample in the recording. */
  readonly start: number;
  /** Whether somebody speaks in it. */
  readonly voiced: boolean;
}
