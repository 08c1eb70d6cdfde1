import { speechSampleRate, type DecodeFailure } from '../../contract/decoder-protocol.ts';
import { roundToMilliseconds } from '../../contract/milliseconds.ts';
import { ServiceError } from '../service-error.ts';

/** A recording whose sound can be read. */
export interface DecodedRecording {
  /** `null` where only the samples tell: what the file's header claims is not believed unless it can be checked. */
  readonly durationSeconds: number | null;
  readonly hasVideo: boolean;
  /** Mono samples in -1..1 at 16 kHz. Decoded as they are read, so memory does not grow with the length. */
  samples(): AsyncIterable<Float32Array>;
  /** Ends the decoding and lets go of the file. Safe to call twice. */
  close(): Promise<void>;
}

/** Opens media files of any common kind. */
export interface Decoder {
  /**
   * @param signal ends the opening, and later the reading of the samples, at once.
   * @throws DecodeError when the file gives no sound, with the reason; DecoderUnavailableError when that cannot be told
   *   now. Reading the samples may end with either as well.
   */
  open(path: string, signal: AbortSignal): Promise<DecodedRecording>;
}

/** The decoder itself is not there, or went away in the middle; the same recording may be tried again later. */
export class DecoderUnavailableError extends Error {
  override readonly name = 'DecoderUnavailableError';
}

/** The file gives no sound; `message` says why in words for a person. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly reason: DecodeFailure;

  constructor(reason: DecodeFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

const hour = 3600;

/**
 * The length of a recording in seconds. Where it is not told, or is longer than a recording may be, as broken times make
 * it, all of the sound is counted: as much as may be, and no more.
 *
 * @throws ServiceError `file_too_large` when it holds more than `maxSeconds` of sound; what reading the samples throws.
 */
export async function measureDuration(
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
    if (count > maxSeconds * speechSampleRate) throw tooLong(maxSeconds);
  }
  return roundToMilliseconds(count / speechSampleRate);
}

function tooLong(maxSeconds: number): ServiceError {
  return new ServiceError(
    'file_too_large',
    `Recordings of more than ${maxSeconds / hour} hours are not taken. Cut it into shorter ones.`,
  );
}
