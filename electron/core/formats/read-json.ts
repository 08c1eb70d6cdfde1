import { z } from 'zod';

const seconds = z.number().nonnegative();

const content = z.object({
  format: z.literal('longhand-transcript'),
  version: z.literal(1),
  name: z.string().max(1000),
  language: z.string().max(35).nullable(),
  durationSeconds: seconds.nullable(),
  createdAt: z.number().nonnegative(),
  text: z.string(),
  segments: z.array(z.object({ start: seconds, end: seconds, text: z.string() })),
});

export type ReadJson = Readonly<z.infer<typeof content>>;

/** Reads Longhand's own JSON; `null` for any other. */
export function readJson(text: string): ReadJson | null {
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\uFEFF/u, ''));
  } catch {
    return null;
  }
  return content.safeParse(data).data ?? null;
}
