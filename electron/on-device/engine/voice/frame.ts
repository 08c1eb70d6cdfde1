import { speechSampleRate } from '../../../contract/decoder-protocol.ts';

/** Samples per frame of the voice detector: 32 ms. */
export const frameSamples = 512;
export const frameSeconds = frameSamples / speechSampleRate;

/** Returns the number of frames in a duration. */
export const framesIn = (seconds: number): number => Math.round(seconds / frameSeconds);

/** The minimum of voice that is not a click or a knock, but may be a word. */
export const minVoiceFrames = framesIn(0.1);

/** A piece of audio of {@link frameSamples} samples. */
export interface Frame {
  readonly samples: Float32Array;
  /** Position of the first sample in the recording. */
  readonly start: number;
  /** Whether somebody speaks in it. */
  readonly voiced: boolean;
  /** Only in the first frame of each run of the voice detector: the detector's state before the run. */
  readonly detectorState?: Float32Array;
}
