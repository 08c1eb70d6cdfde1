/**
 * What the on-device service and the off-screen decoder page say to each other, over one message port for each
 * recording. The page has neither files nor network: it asks for bytes and gives samples back.
 */

/** Samples per second of all decoded sound: what the speech models expect. */
export const speechSampleRate = 16_000;

/** A piece of sound at the rate and with the channels that it was recorded with. */
export interface RecordedAudio {
  /** Where in the recording it belongs. */
  readonly startSeconds: number;
  readonly sampleRate: number;
  readonly channels: number;
  /** Values in -1..1: the first of each channel, the second of each channel, and so on. */
  readonly samples: Float32Array;
}

/** The message that brings the page one more port. */
export const decoderChannel = 'longhand:decoder';

/** From the service to the page. */
export type ToDecoder =
  | { readonly kind: 'open'; readonly sizeBytes: number }
  | { readonly kind: 'bytes'; readonly request: number; readonly bytes: Uint8Array }
  | { readonly kind: 'read-failed'; readonly request: number; readonly message: string }
  /** One more chunk of samples is wanted. */
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
  /** The next piece of sound as it was recorded; the service brings it to {@link speechSampleRate}. */
  | ({ readonly kind: 'samples' } & RecordedAudio)
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly reason: DecodeFailure; readonly message: string };

/** Why a recording gives no sound. */
export type DecodeFailure = 'unknown-container' | 'no-audio' | 'unsupported-codec' | 'broken';
