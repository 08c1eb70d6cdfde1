import { speechSampleRate } from '../../contract/decoder-protocol.ts';

/** Samples that the segmentation model processes at once: 10 s. */
export const windowSamples = 160_000;
/** Samples from one window to the next: 3 s. */
export const windowStep = 48_000;
/** Frames of the segmentation of a window. */
export const windowFrames = 589;
/** The largest number of speakers that the segmentation of a window distinguishes: its voices. */
export const maxVoices = 3;

/** Samples from one frame to the next. */
const frameStep = 270;
/** Samples that a frame depends on. */
const receptiveField = 991;

/** Returns which frame of the recording is the first one of a window. */
export const firstFrameOf = (window: number): number => Math.round((window * windowStep) / frameStep);

/** Returns when a frame starts, in seconds: half a step before the centre of what it depends on. */
export const frameStartSeconds = (frame: number): number =>
  (frame * frameStep + (receptiveField - frameStep) / 2) / speechSampleRate;

/** Returns the frame whose centre is closest to a sample of its window. */
export const frameAt = (sample: number): number =>
  Math.min(Math.max(Math.round((sample - (receptiveField - 1) / 2) / frameStep), 0), windowFrames - 1);
