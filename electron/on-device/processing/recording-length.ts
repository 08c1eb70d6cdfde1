import { decodedSampleRate } from '../../contract/decoder.ts';
import { roundToMilliseconds } from '../../contract/milliseconds.ts';
import type { DecodedRecording } from '../decode/decoder.ts';
import { ServiceError } from '../service-error.ts';

const hour = 3600;

/**
 * The length of a recording in seconds. Where it is not told, or is longer than a recording may be, as broken times make
 * it, all of the sound is counted: as much as may be, and no more.
 *
 * @throws ServiceError `file_too_large` when it holds more than `maxSeconds` of sound; what reading the samples throws.
 */
export async function lengthOf(
  { durationSeconds, samples }: Pick<DecodedRecording, 'durationSeconds' | 'samples'>,
  maxSeconds: number,
  signal: AbortSignal,
): Promise<number> {
  if (durationSeconds !== null && durationSeconds > 0 && durationSeconds <= maxSeconds) {
    return roundToMilliseconds(durationSeconds);
  }
  let count = 0;
  for await (const chunk of samples()) {
    signal.throwIfAborted();
    count += chunk.length;
    if (count > maxSeconds * decodedSampleRate) throw tooLong(maxSeconds);
  }
  return roundToMilliseconds(count / decodedSampleRate);
}

function tooLong(maxSeconds: number): ServiceError {
  return new ServiceError(
    'file_too_large',
    `Recordings of more than ${maxSeconds / hour} hours are not taken. Cut it into shorter ones.`,
  );
}
