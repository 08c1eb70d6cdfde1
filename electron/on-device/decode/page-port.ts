import { z } from 'zod';
import type { FromDecoder, ToDecoder } from '../../contract/decoder-protocol.ts';

/** The service's end of a message port to the decoder page; Electron's `MessagePortMain` is one. */
export interface PagePort {
  postMessage(message: ToDecoder): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  start(): void;
  close(): void;
}

const natural = z.int().nonnegative();

const fromDecoderSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('read'), request: natural, start: natural, end: natural }),
  z.object({
    kind: z.literal('opened'),
    durationSeconds: z.number().nonnegative(),
    hasVideo: z.boolean(),
    codec: z.string(),
  }),
  z.object({
    kind: z.literal('samples'),
    startSeconds: z.number(),
    sampleRate: z.int().min(1000).max(1_000_000),
    channels: z.int().min(1).max(256),
    samples: z.instanceof(Float32Array),
  }),
  z.object({
    kind: z.literal('end'),
    unreadableSeconds: z.number().nonnegative(),
    omittedSeconds: z.number().nonnegative(),
  }),
  z.object({
    kind: z.literal('failed'),
    reason: z.enum(['unknown-container', 'no-audio', 'unsupported-codec', 'broken']),
    message: z.string(),
  }),
]);

/**
 * Validates a message from the page, which is untrusted because it parses arbitrary files.
 *
 * @throws Error when it is not a message of the page
 */
export function parseFromDecoder(data: unknown): FromDecoder {
  return fromDecoderSchema.parse(data);
}
