import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NewTranscript } from '../../electron/core/store/library/transcript-store.ts';
import { Store } from '../../electron/core/store/store.ts';
import { systemClock, systemRandom } from '../../electron/core/system.ts';
import { indexAll } from './index-all.ts';

/** The fields of a transcript that a test defines. */
export type LibraryTranscript = Pick<NewTranscript, 'name' | 'recording' | 'transcript' | 'durationSeconds'>;

/** Creates a data folder with these transcripts in its library and settings by which the program quits with its window. */
export async function fillLibrary(data: string, transcripts: readonly LibraryTranscript[]): Promise<void> {
  const store = new Store({
    folder: data,
    program: 'command-line',
    clock: systemClock,
    random: systemRandom,
    onLeaseLost: () => undefined,
  });
  for (const transcript of transcripts) {
    store.transcripts.save({
      itemId: null,
      service: 'test',
      jobId: transcript.name,
      createdAt: 1,
      ...transcript,
    });
  }
  await indexAll(store);
  await store.close();
  const settings = { service: 'on-device', keepWorkingWhenClosed: false };
  await writeFile(join(data, 'settings.json'), JSON.stringify(settings));
}
