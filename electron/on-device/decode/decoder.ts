import type { DecodeFailure } from '../../contract/decoder.ts';

/** A recording whose sound can be read. */
export interface DecodedRecording {
  readonly durationSeconds: number;
  readonly hasVideo: boolean;
  /** Mono samples in -1..1 at 16 kHz. Decoded as they are read, so memory does not grow with the length. */
  samples(): AsyncIterable<Float32Array>;
  /** Ends the decoding and lets go of the file. Safe to call twice. */
  close(): Promise<void>;
}

/** Opens media files of any common kind. */
export interface Decoder {
  /** @throws DecodeError when the file gives no sound, with the reason. */
  open(path: string, signal: AbortSignal): Promise<DecodedRecording>;
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
