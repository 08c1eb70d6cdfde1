/**
 * The real library in a process that may be killed anywhere: backs up to a file, restores from one, replaces by a
 * regular expression, or saves a long transcript of the queue. Arguments: the operation, the data folder, the file. `LONGHAND_KILL_AT` names the kill point.
 */
import { arm } from './library-points.ts';
import { defaultTaskOptions } from '../support/default-task-options.ts';

const [operation = '', folder = '', file = ''] = process.argv.slice(2);
const { LibraryBackups } = await import('../../electron/core/library/backup/library-backups.ts');
const { openStore } = await import('../unit/core/store/store-kit.ts');
const { saveLong } = await import('../support/long-transcript.ts');
const { replaceWords } = await import('../support/replace-words.ts');
const { eagerClock } = await import('../support/clocks/eager-clock.ts');

const store = openStore(folder);
const backups = new LibraryBackups({
  store,
  clock: eagerClock,
  worker: new URL('library-worker.ts', import.meta.url),
  onRestored: () => undefined,
});
arm();
if (operation === 'backup') {
  await backups.write(file, { appVersion: '1.2.3', replace: true }, defaultTaskOptions);
} else if (operation === 'replace') {
  await replaceWords(store, new URL('library-worker.ts', import.meta.url));
} else if (operation === 'save') {
  await saveLong(store);
} else {
  await backups.open(file, defaultTaskOptions);
  await backups.restore(defaultTaskOptions);
}
await backups.close();
await store.close();
