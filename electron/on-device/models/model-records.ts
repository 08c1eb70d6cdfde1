import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { modelNames } from '../engine/models.ts';

const recordsSchema = z.object({
  /** Folders of the user that take a model's place. */
  ownFolders: z.partialRecord(z.enum(modelNames), z.string().min(1)).default({}),
  /** Seconds of sound in a second, as measured here; by {@link speedKey}. */
  speeds: z.record(z.string(), z.number().positive()).default({}),
});

/** What is known about the models on this computer beside their files. */
export type ModelRecords = Readonly<z.infer<typeof recordsSchema>>;

const fileName = 'models.json';

/** The records of a folder; none when there are none, or when they cannot be understood: all of them can be had anew. */
export function readModelRecords(folder: string): ModelRecords {
  try {
    return recordsSchema.parse(JSON.parse(readFileSync(join(folder, fileName), 'utf8')));
  } catch {
    return { ownFolders: {}, speeds: {} };
  }
}

/** Writes the records in one piece: who reads meanwhile finds the old ones or the new ones. */
export async function writeModelRecords(folder: string, records: ModelRecords): Promise<void> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, fileName);
  await writeFile(`${path}.new`, JSON.stringify(records, null, 2));
  await rename(`${path}.new`, path);
}
