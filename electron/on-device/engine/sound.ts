import { decodedSampleRate } from '../../contract/decoder.ts';

/** Samples per second of all sound in the engine. */
export const sampleRate = decodedSampleRate;
