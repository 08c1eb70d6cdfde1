import { z } from 'zod';
import { accuracies } from '../contract/choices.ts';
import type { ToService } from './protocol.ts';

const toServiceSchema: z.ZodType<ToService> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('start'),
    options: z.object({
      host: z.string(),
      port: z.int().min(0).max(65_535),
      key: z.string(),
      dataFolder: z.string().min(1),
      modelsFolder: z.string().min(1),
      keptModelsFolder: z.string().min(1),
      credits: z.int().nonnegative().nullable(),
      requestsPerMinute: z.int().positive().nullable(),
      embedded: z.boolean(),
    }),
  }),
  z.object({ kind: z.literal('decoder'), request: z.int() }),
  z.object({ kind: z.literal('decoder-unavailable'), request: z.int(), message: z.string() }),
  z.object({
    kind: z.literal('measure'),
    request: z.int(),
    accuracy: z.enum(accuracies),
    sound: z.string().min(1),
  }),
  z.object({ kind: z.literal('stop') }),
]);

/**
 * A message of the main process.
 *
 * @throws when it is none of those that `protocol.ts` names.
 */
export function parseToService(data: unknown): ToService {
  return toServiceSchema.parse(data);
}
