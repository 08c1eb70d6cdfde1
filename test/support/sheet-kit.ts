import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type {
  AddSheetRow,
  AddSheetSummary,
  AddSheetView,
} from '../../electron/contract/add-sheet-commands.ts';
import type { AddSheetGroup } from '../../electron/contract/choices.ts';
import type { Longhand } from '../../electron/core/longhand.ts';
import type { AddSheet } from '../../electron/core/queue/adding/add-sheet.ts';
import { defaultJobOptions } from '../../electron/contract/options.ts';
import { openCore } from './core.ts';
import { silentWav } from './speech/quick-speech.ts';
import { testFolder } from './test-folder.ts';

export interface Kit {
  readonly folder: string;
  readonly longhand: Longhand;
  readonly batch: AddSheet;
  readonly views: AddSheetView[];
}

export const cloud = 'https://cloud.example';

/** A sheet of a queue whose service is unavailable, so that nothing that is added starts. */
export async function kit(): Promise<Kit> {
  const folder = await testFolder();
  const longhand = openCore(join(folder, 'data'));
  const views: AddSheetView[] = [];
  const batch = longhand.queue.newAddSheet({
    service: () => cloud,
    options: defaultJobOptions,
    send: (view) => views.push(view),
  });
  onTestFinished(async () => {
    batch.close();
    await longhand.close();
  });
  return { folder, longhand, batch, views };
}

/** A recording with a duration in seconds, whose content is unique for each duration. */
export async function record(path: string, seconds: number): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, silentWav(seconds));
  return path;
}

export const rows = (batch: AddSheet, group: AddSheetGroup = 'ready'): readonly AddSheetRow[] =>
  batch.view({ group, offset: 0, limit: 500 }).rows;
export const summary = (batch: AddSheet): AddSheetSummary =>
  batch.view({ group: 'ready', offset: 0, limit: 0 }).summary;
export const names = (all: readonly AddSheetRow[]): readonly string[] => all.map(({ name }) => name);

export async function measured(batch: AddSheet): Promise<AddSheetSummary> {
  while (summary(batch).phase !== 'ready') await sleep(5);
  return summary(batch);
}
