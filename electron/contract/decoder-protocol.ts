/**
 * The protocol between the on-device service and the off-screen decoder page, over one message port per recording. The
 * page has no access to files or the network: it requests bytes and returns samples.
 */

/** The sample rate of all decoded audio, as the speech models expect. */
export const speechSampleRate = 16_000;

/** A piece of audio with its original sample rate and channels. */
export interface RecordedAudio {
  /** Its start in the recording. */
  readonly startSeconds: number;
  readonly sampleRate: number;
  readonly channels: number;
  /** Interleaved samples in -1..1. */
  readonly samples: Float32Array;
}

/** How much of a recording could not be decoded, in seconds. */
export interface RecordingDamage {
  /** Silence takes its place, or it is missing at the end: it is part of the duration. */
  readonly unreadableSeconds: number;
  /** It is left out at the end, where nothing says when the recording ends: it is not part of the duration, and estimated. */
  readonly omittedSeconds: number;
}

/** The message that transfers a port to the page. */
export const decoderChannel = 'longhand:decoder';

/** From the service to the page. */
export type ToDecoder =
  | { readonly kind: 'open'; readonly sizeBytes: number }
  | { readonly kind: 'bytes'; readonly request: number; readonly bytes: Uint8Array }
  | { readonly kind: 'read-failed'; readonly request: number; readonly message: string }
  /** Requests another chunk of samples. */
  | { readonly kind: 'next' }
  | { readonly kind: 'close' };

/** From the page to the service. */
export type FromDecoder =
  | { readonly kind: 'read'; readonly request: number; readonly start: number; readonly end: number }
  | {
      readonly kind: 'opened';
      readonly durationSeconds: number;
      readonly hasVideo: boolean;
      readonly codec: string;
    }
  /** The next piece of audio as recorded; the service resamples it to {@link speechSampleRate}. */
  | ({ readonly kind: 'samples' } & RecordedAudio)
  | ({ readonly kind: 'end' } & RecordingDamage)
  | { readonly kind: 'failed'; readonly reason: DecodeFailure; readonly message: string };

/** Why a recording cannot be decoded. */
export type DecodeFailure = 'unknown-container' | 'no-audio' | 'unsupported-codec' | 'broken';
