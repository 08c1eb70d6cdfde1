import { z } from 'zod';
import { maxPathLength, maxSegments, maxSpeakers } from '../../contract/limits.ts';
import type { Problem } from '../../contract/problem.ts';
import type { DescribedVoices, VoiceSpan } from '../../contract/speakers.ts';
import type { IdentifiedTurn } from '../../contract/transcript.ts';

/** To the process that identifies speakers, which exists for one recording. */
export type ToSpeakerProcess =
  | {
      readonly kind: 'identify';
      readonly recording: string;
      readonly models: { readonly folder: string; readonly isOwn: boolean };
      readonly speakerCount: number | null;
    }
  | {
      readonly kind: 'describe';
      readonly recording: string;
      readonly models: { readonly folder: string; readonly isOwn: boolean };
      readonly spans: readonly VoiceSpan[];
    }
  /** Carries one message port to the decoder page; see `contract/decoder-protocol.ts`. */
  | { readonly kind: 'decoder'; readonly request: number }
  | { readonly kind: 'decoder-unavailable'; readonly request: number; readonly message: string };

/** From the process that identifies speakers. `done`, `described` and `failed` are its last messages. */
export type FromSpeakerProcess =
  /** Seconds of audio that are done. */
  | { readonly kind: 'progress'; readonly secondsDone: number }
  | { readonly kind: 'done'; readonly turns: readonly IdentifiedTurn[] }
  | { readonly kind: 'described'; readonly described: DescribedVoices }
  | { readonly kind: 'failed'; readonly problem: Problem }
  /** Requests a port to the decoder page. */
  | { readonly kind: 'decoder-wanted'; readonly request: number }
  /** The decoder page does not respond and must be reopened. */
  | { readonly kind: 'decoder-stuck' };

const path = z.string().min(1).max(maxPathLength);

const models = z.object({ folder: path, isOwn: z.boolean() });
const seconds = z.number().min(0);

const toSpeakerProcessSchema: z.ZodType<ToSpeakerProcess> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('identify'),
    recording: path,
    models,
    speakerCount: z.int().min(1).max(maxSpeakers).nullable(),
  }),
  z.object({
    kind: z.literal('describe'),
    recording: path,
    models,
    spans: z
      .array(
        z.object({ voice: z.int(), start: seconds, end: seconds }).refine(({ start, end }) => start < end),
      )
      .max(maxSegments)
      .readonly(),
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
