import { filterBands, FilterBank, filterFrameLength, filterHop } from './filter-bank.ts';
import { windowSamples, windowStep } from './window-grid.ts';

/** Frames of the filter bank in a whole window. */
const featureFrames = (windowSamples - filterFrameLength) / filterHop + 1;
/** Frames of the filter bank from the start of one window to the start of the next. */
const featureStep = windowStep / filterHop;

/** The part of a recording that the models process at once. The arrays are reused for the next window. */
export interface AudioWindow {
  /** Its number from 0; it starts at this many times {@link windowStep} samples. */
  readonly index: number;
  /** 10 s; after the end of the recording it is silent. */
  readonly samples: Float32Array;
  /** How many of them are before the end of the recording. */
  readonly audibleSamples: number;
  /** Features of all whole frames before the end of the recording, {@link filterBands} values each. */
  readonly features: Float32Array;
}

/**
 * Divides a recording into overlapping windows. The last one is padded with silence unless the recording ends with it.
 * Holds one window at a time, and computes the features of each piece of audio once.
 *
 * @param chunks mono samples at 16 kHz in -1..1, in order, in pieces of any length
 */
export async function* splitIntoWindows(chunks: AsyncIterable<Float32Array>): AsyncGenerator<AudioWindow> {
  const filterBank = new FilterBank();
  const samples = new Float32Array(windowSamples);
  const features = new Float32Array(featureFrames * filterBands);
  let audibleSamples = 0;
  let featuresEnd = 0;
  let index = 0;
  const currentWindow = (): AudioWindow => ({
    index,
    samples,
    audibleSamples,
    features: features.subarray(0, featuresEnd),
  });

  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length;) {
      if (audibleSamples === windowSamples) {
        yield currentWindow();
        index += 1;
        samples.copyWithin(0, windowStep);
        features.copyWithin(0, featureStep * filterBands);
        audibleSamples -= windowStep;
        featuresEnd -= featureStep * filterBands;
      }
      const piece = chunk.subarray(from, from + windowSamples - audibleSamples);
      samples.set(piece, audibleSamples);
      const added = filterBank.push(piece);
      features.set(added, featuresEnd);
      audibleSamples += piece.length;
      featuresEnd += added.length;
      from += piece.length;
    }
  }
  samples.fill(0, audibleSamples);
  if (audibleSamples > 0) yield currentWindow();
}
