import {
  speechSampleRate,
  type DecodeFailure,
  type RecordingDamage,
} from '../../contract/decoder-protocol.ts';
import { roundToMilliseconds } from '../../contract/milliseconds.ts';
import { ServiceError } from '../service-error.ts';

/** A recording whose audio can be decoded. */
export interface DecodedRecording {
  /** `null` if the duration is known only after decoding everything; header values are not trusted. */
  readonly durationSeconds: number | null;
  readonly hasVideo: boolean;
  /** Mono samples at 16 kHz: finite, in -1..1 except where the recording is louder than full scale. Decoded as they are read, so memory does not grow with the duration. */
  samples(): AsyncIterable<Float32Array>;
  /** Returns how much could not be decoded, once all samples are read; `null` if it is unknown. */
  damage(): RecordingDamage | null;
  /** Stops decoding and closes the file. Safe to call twice. */
  close(): Promise<void>;
}

/** Opens media files of any common kind. */
export interface Decoder {
  /**
   * @param signal cancels opening the file, and later reading the samples.
   * @throws DecodeError when the file has no decodable audio; DecoderUnavailableError when that cannot be determined now.
   *   Reading the samples may throw both as well.
   */
  open(path: string, signal: AbortSignal): Promise<DecodedRecording>;
}

/** The decoder is missing or busy; the same recording may be retried later. */
export class DecoderUnavailableError extends Error {
  override readonly name: string = 'DecoderUnavailableError';
}

/** The decoder crashed while it had the recording, which is therefore decoded alone when it is retried. */
export class DecoderCrashedError extends DecoderUnavailableError {
  override readonly name = 'DecoderCrashedError';
}

/** The file has no decodable audio; `message` gives the user the reason. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly reason: DecodeFailure;

  constructor(reason: DecodeFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

const secondsPerHour = 3600;

/**
 * Returns the duration of a recording in seconds. Where the file does not state it or states more than is allowed, as
 * corrupt timestamps do, counts the samples, up to the maximum.
 *
 * @throws ServiceError `file_too_large` when it holds more than `maxSeconds` of audio; whatever reading the samples throws.
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
  for await (const chunk of withinDuration(samples(), maxSeconds, tooLongError)) {
    signal.throwIfAborted();
    count += chunk.length;
  }
  return roundToMilliseconds(count / speechSampleRate);
}

/**
 * Passes on samples up to a maximum duration.
 *
 * @throws what `createError` returns when there are more; whatever reading the samples throws.
 */
export async function* withinDuration(
  chunks: AsyncIterable<Float32Array>,
  maxSeconds: number,
  createError: (maxSeconds: number) => Error,
): AsyncGenerator<Float32Array> {
  let count = 0;
  for await (const chunk of chunks) {
    count += chunk.length;
    if (count > maxSeconds * speechSampleRate) throw createError(maxSeconds);
    yield chunk;
  }
}

function tooLongError(maxSeconds: number): ServiceError {
  return new ServiceError(
    'file_too_large',
    `Recordings of more than ${maxSeconds / secondsPerHour} hours are not accepted. Split it into shorter ones.`,
  );
}
