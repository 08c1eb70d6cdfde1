import { statSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { TaskProgress } from '../../electron/contract/library-task.ts';
import { LibraryBackups } from '../../electron/core/library/backup/library-backups.ts';
import { rebuildBackup } from '../../electron/core/library/backup/rebuild-backup.ts';
import { LibraryReplacer } from '../../electron/core/library/replace/replace-in-all.ts';
import { Store } from '../../electron/core/store/store.ts';
import { systemClock, systemRandom } from '../../electron/core/system.ts';
import { indexAll } from '../support/index-all.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { followLink, completedEvent, saveLong } from '../support/long-transcript.ts';
import { SeededRandom } from '../simulation/seeded-random.ts';
import { watchBlocking } from './support/blocking.ts';
import { saveResults } from './support/results.ts';

/**
 * Measures work on a whole library, and how long it blocks the main process: 1,000 one-hour transcripts of 1,000
 * segments each are indexed, backed up and restored into an empty library; the rows of the backup are inserted one by
 * one, as opening it does; a name is found and replaced in all of them and undone. Finally the queue saves one of 24
 * hours. `npm run bench -- library`, or with fewer transcripts
 * `LONGHAND_BENCH_TRANSCRIPTS=100 npm run bench -- library`
 */

const transcripts = Number(process.env['LONGHAND_BENCH_TRANSCRIPTS'] ?? 1000);
const segmentsEach = 1000;
/** One in this many segments has the name that is replaced. */
const namedOneIn = 100;

const random = new SeededRandom(20_261_122);
const words =
  'the a of harbour radio nets wall noon bread folder young polite coffee light Tuesday mother'.split(' ');
const word = (): string => words[Math.floor(random.next() * words.length)] ?? 'the';
const spoken = (index: number): string => {
  const sentence = Array.from({ length: 12 }, word).join(' ');
  return index % namedOneIn === 0 ? `Jon said ${sentence}.` : `${sentence}.`;
};
const rounded = (value: number): number => Math.round(value * 10) / 10;

const folder = await temporaryFolder();
const openStore = (name: string): Store =>
  new Store({
    folder: join(folder.path, name),
    program: 'command-line',
    clock: systemClock,
    random: systemRandom,
    onLeaseLost: () => undefined,
  });
const worker = new URL('../../electron/core/library/task/library-task-worker.ts', import.meta.url);
const backupsOf = (store: Store): LibraryBackups =>
  new LibraryBackups({ store, clock: systemClock, worker, onRestored: () => undefined });

const results: Record<string, number> = { transcripts, segments: transcripts * segmentsEach };
const table: Record<string, Record<string, number>> = {};

/** Measures a task, with the delay of the event loop meanwhile and how often progress was reported. */
async function measure<T>(
  name: string,
  task: (options: { signal: AbortSignal; onProgress: (progress: TaskProgress) => void }) => Promise<T>,
): Promise<T> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let progressReports = 0;
  delay.enable();
  const blocking = watchBlocking();
  const startedAt = performance.now();
  const result = await task({
    signal: new AbortController().signal,
    onProgress: () => (progressReports += 1),
  });
  const seconds = (performance.now() - startedAt) / 1000;
  delay.disable();
  table[name] = {
    seconds: rounded(seconds),
    loopP99Ms: rounded(delay.percentile(99) / 1e6),
    loopMaxMs: rounded(delay.max / 1e6),
    ...blocking(),
    tellings: progressReports,
  };
  console.log(name, table[name]);
  return result;
}

const store = openStore('here');
for (let number = 0; number < transcripts; number += 1) {
  const segments = Array.from({ length: segmentsEach }, (_, index) => ({
    start: index * 3.6,
    end: index * 3.6 + 3.6,
    text: spoken(index),
  }));
  store.transcripts.save({
    itemId: null,
    service: 'bench',
    jobId: String(number),
    name: `Interview ${number}`,
    durationSeconds: 3600,
    recording: null,
    createdAt: number,
    transcript: { language: 'en', text: segments.map(({ text }) => text).join(' '), segments },
  });
}
results['databaseMb'] = Math.round(statSync(store.path).size / 1e6);

await measure('index', () => indexAll(store, systemClock));

const file = join(folder.path, 'library.longhand');
const backups = backupsOf(store);
const { sizeBytes } = await measure('backup', (options) =>
  backups.write(file, { appVersion: 'bench', replace: false }, options),
);
results['backupMb'] = Math.round(sizeBytes / 1e6);
await measure('open the backup, all known', (options) => backups.open(file, options));
// The cost of rebuilding the backup, which opening does in its thread because it trusts nothing in the file.
await measure('insert the rows of the backup one by one', async ({ onProgress }) =>
  rebuildBackup(file, join(folder.path, 'rebuilt.db'), {
    throwIfCancelled: () => undefined,
    reportProgress: onProgress,
  }),
);
await backups.close();

const query = { text: 'Jon', matchCase: true, wholeWords: true } as const;
const replacer = new LibraryReplacer({ store, clock: systemClock, worker, onChange: () => undefined });
const preview = await measure('find in all', (options) =>
  replacer.find({ ...query, mode: 'text' }, null, options),
);
if (!('groups' in preview)) throw new Error(preview.failure);
const targets = preview.groups.map(({ id, matches }) => ({
  id,
  matches: matches.map(({ segment, offset }) => ({ segment, offset })),
  speakers: [],
}));
results['places'] = preview.groups.reduce((sum, { matches }) => sum + matches.length, 0);
const { run, changed } = await measure('replace in all', (options) =>
  replacer.run({ query, mode: 'text', replacement: 'Joan', targets, mergesSpeakers: false }, options),
);
const { undone } = await measure('undo the replacement', (options) => replacer.undo(run ?? 0, options));
results['changed'] = changed;
results['undone'] = undone;
await store.close();

const otherStore = openStore('there');
const otherBackups = backupsOf(otherStore);
await measure('open the backup, all new', (options) => otherBackups.open(file, options));
// As in the program, where everything earlier is indexed while more is added.
await indexAll(otherStore, systemClock);
const { added } = await measure('restore', (options) => otherBackups.restore(options));
results['added'] = added;
await measure('index the rest', () => indexAll(otherStore, systemClock));
followLink(otherStore);
const dayEvent = completedEvent(30_000);
await measure('save a transcript of 24 hours', () => saveLong(otherStore, dayEvent, systemClock));
await otherBackups.close();
await otherStore.close();
await folder.remove();

console.table(table);
console.table({ all: results });
saveResults('library', { ...results, tasks: table });
