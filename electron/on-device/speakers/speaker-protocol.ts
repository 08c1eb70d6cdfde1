import { z } from 'zod';
import { maxPathLength, maxSpeakers } from '../../contract/limits.ts';
import type { Problem } from '../../contract/problem.ts';
import type { IdentifiedTurn } from '../../contract/transcript.ts';

/** To the process that identifies speakers, which exists for one recording. */
export type ToSpeakerProcess =
  | {
      readonly kind: 'identify';
      readonly recording: string;
      readonly models: { readonly folder: string; readonly isOwn: boolean };
      readonly speakerCount: number | null;
    }
  /** Carries one message port to the decoder page; see `contract/decoder-protocol.ts`. */
  | { readonly kind: 'decoder'; readonly request: number }
  | { readonly kind: 'decoder-unavailable'; readonly request: number; readonly message: string };

/** From the process that identifies speakers. `done` and `failed` are its last messages. */
export type FromSpeakerProcess =
  /** Seconds of audio that are done. */
  | { readonly kind: 'progress'; readonly secondsDone: number }
  | { readonly kind: 'done'; readonly turns: readonly IdentifiedTurn[] }
  | { readonly kind: 'failed'; readonly problem: Problem }
  /** Requests a port to the decoder page. */
  | { readonly kind: 'decoder-wanted'; readonly request: number }
  /** The decoder page does not respond and must be reopened. */
  | { readonly kind: 'decoder-stuck' };

const path = z.string().min(1).max(maxPathLength);

const toSpeakerProcessSchema: z.ZodType<ToSpeakerProcess> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('identify'),
    recording: path,
    models: z.object({ folder: path, isOwn: z.boolean() }),
    speakerCount: z.int().min(1).max(maxSpeakers).nullable(),
  }),
  z.object({ kind: z.literal('decoder'), request: z.int() }),
  z.object({ kind: z.literal('decoder-unavailable'), request: z.int(), message: z.string() }),
]);

/**
 * Parses a message of the main process.
 *
 * @throws when it is not a {@link ToSpeakerProcess}
 */
export function parseToSpeakerProcess(data: unknown): ToSpeakerProcess {
  return toSpeakerProcessSchema.parse(data);
}
