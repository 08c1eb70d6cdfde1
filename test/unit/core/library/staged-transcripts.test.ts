import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Library } from '../../../../electron/core/library/library.ts';
import type { NewTranscript } from '../../../../electron/core/store/library/transcript-store.ts';
import type { Store } from '../../../../electron/core/store/store.ts';
import { eagerClock } from '../../../support/clocks/eager-clock.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts';
import { finishSteps } from '../../../support/finish-steps.ts';
import { indexAll } from '../../../support/index-all.ts';
import { defaultTaskOptions } from '../../../support/default-task-options.ts';
import { openStore } from '../store/store-kit.ts';
import { queryFor, openLibrary, saveTranscript, saveUntimed, firstPage } from './library-kit.ts';

let folder: TemporaryFolder;
let store: Store;
let library: Library;

beforeEach(async () => {
  folder = await temporaryFolder();
  open();
});
afterEach(async () => {
  await close();
  await folder.remove();
});

/** The transcripts that the library has notified of, in order. */
let told: number[] = [];

function open(): void {
  told = [];
  store = openStore(join(folder.path, 'data'), { clock: eagerClock });
  library = openLibrary(store, (ids) => told.push(...ids));
}

async function close(): Promise<void> {
  await library.close();
  await store.close();
}

/** A transcript of 1,200 segments, too long for one commit. */
const long: NewTranscript = {
  itemId: null,
  service: 'import',
  jobId: 'long',
  name: 'Long harbour',
  durationSeconds: 1200,
  recording: null,
  createdAt: 2,
  transcript: {
    language: 'en',
    text: 'harbour',
    segments: Array.from({ length: 1200 }, (_, index) => ({
      start: index,
      end: index + 1,
      text: `harbour ${index}`,
    })),
  },
};

const named = async (query: string, trash: boolean): Promise<readonly string[]> =>
  (await library.list(queryFor(query, { trash }), firstPage())).rows.map(({ name }) => name);

it('symbols, which are not indexed, find nothing', async () => {
  saveTranscript(store, 'Short', ['on the harbour wall 🎉'], 1);
  expect(await named('harbour', false)).toEqual(['Short']);
  expect(await named('🎉', false)).toEqual([]);
  expect(await named('"', false)).toEqual(['Short']);
});

it('a transcript saved in steps appears with the last one, and nowhere before', async () => {
  saveTranscript(store, 'Short', ['on the harbour wall'], 1);
  const steps = store.transcripts.saveStaged(long);
  for (let done = false; !done;) {
    for (const query of ['', 'harbour', 'long']) {
      expect(await named(query, false)).toEqual(query === 'long' ? [] : ['Short']);
      expect(await named(query, true)).toEqual([]);
    }
    expect(library.counts()).toEqual({ total: 1, trashed: 0 });
    expect(store.transcripts.ofJob('import', 'long')).toBe(null);
    expect(store.staged.leftovers()).toEqual([]);
    done = steps.next().done === true;
  }
  expect(await named('', false)).toEqual(['Long harbour', 'Short']);
  expect(store.transcripts.get(store.transcripts.ofJob('import', 'long')?.id ?? -1)?.segments).toHaveLength(
    1200,
  );
});

it('segments that get the rows of deleted ones are found', async () => {
  const short = saveTranscript(store, 'Short', ['on the wall', 'and again'], 1);
  const steps = store.transcripts.saveStaged(long);
  steps.next();
  store.library.trash([short], 2);
  store.staged.markForRemoval(short);
  finishSteps(store.staged.remove(short));
  finishSteps(steps);
  await indexAll(store);
  expect(await named('0', false)).toEqual(['Long harbour']);
});

it('publishing a transcript does not read its segments again, which takes time if they are many', async () => {
  const { segments } = long.transcript;
  const spoken = segments.map((segment, index) => ({ ...segment, speaker: index < 1000 ? 'Ada' : 'Ben' }));
  const given = { ...long, transcript: { ...long.transcript, segments: spoken } };
  const staged = finishSteps(store.transcripts.stage(given));
  saveTranscript(store, 'Short', ['in between'], 1);
  const unread = new Proxy(spoken, {
    get: (all, key) => {
      if (key === 'length') return all.length;
      throw new Error('reads the segments');
    },
  });
  const { id } = store.transcripts.save(
    { ...given, transcript: { ...given.transcript, segments: unread } },
    staged,
  );
  store.transcripts.releaseStaged(staged);
  const draft = store.edits.open(id);
  expect(draft?.speakers).toEqual(['Ada', 'Ben']);
  expect(draft?.segments.map(({ speaker }) => speaker)).toEqual(
    spoken.map((_, index) => (index < 1000 ? 0 : 1)),
  );
  await indexAll(store);
  expect(await named('1199', false)).toEqual(['Long harbour']);
  expect(await named('harbour', false)).toEqual(['Long harbour']);
});

it('a partly saved transcript is in no backup, cannot be restored, and is removed at the next start', async () => {
  saveTranscript(store, 'Short', ['on the harbour wall'], 1);
  const steps = store.transcripts.saveStaged(long);
  steps.next();
  steps.next();
  const file = join(folder.path, 'library.longhand');
  const { count } = await library.backups.write(
    file,
    { appVersion: '1.2.3', replace: false },
    defaultTaskOptions,
  );
  expect(count).toBe(1);
  // As after a kill: the next run does not know the steps.
  await close();
  open();
  const [left = -1] = store.staged.leftovers();
  expect(store.transcripts.get(left)?.segments.length).toBeGreaterThan(0);
  await library.restore([left]);
  expect(library.counts()).toEqual({ total: 1, trashed: 0 });
  library.start();
  await expect.poll(() => store.staged.leftovers()).toEqual([]);
  expect(store.transcripts.get(left)).toBe(null);
});

it('permanently deleting a long transcript hides it at once, and continues after a kill', async () => {
  const id = store.transcripts.save(long).id;
  const other = saveTranscript(store, 'Short', ['on the harbour wall'], 1);
  await library.trash([id]);
  // Only transcripts in the trash can be deleted.
  expect(store.staged.markForRemoval(other)).toBe(false);
  expect(store.staged.markForRemoval(id)).toBe(true);
  store.staged.remove(id).next();
  expect(library.counts()).toEqual({ total: 1, trashed: 0 });
  await close();
  open();
  library.start();
  await expect.poll(() => store.transcripts.get(id)).toBe(null);
  // The same job's transcript can be saved again.
  expect(store.transcripts.save(long).id).not.toBe(other);
});

it('notifies the editor when its transcript is trashed, restored and permanently deleted', async () => {
  const id = saveTranscript(store, 'Nets', ['One net.']);
  expect(store.edits.open(id)?.trashed).toBe(false);
  await library.trash([id]);
  expect(told).toStrictEqual([id]);
  expect(store.edits.open(id)?.trashed).toBe(true);
  await library.restore([id]);
  expect(told).toStrictEqual([id, id]);
  expect(store.edits.open(id)?.trashed).toBe(false);
  await library.trash([id]);
  await library.purge([id], { signal: new AbortController().signal, onProgress: () => undefined });
  expect(told).toStrictEqual([id, id, id, id]);
  expect(store.edits.open(id)).toBeNull();
});

/** Words without a common beginning, so that the index contains most of each. */
const wordsFrom = (first: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) =>
    createHash('sha256')
      .update(String(first + index))
      .digest('hex')
      .replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')
      .slice(0, 16),
  );

/** Returns the texts that are in a file of the data folder. */
function textsInFiles(texts: readonly string[]): readonly string[] {
  const data = join(folder.path, 'data');
  const files = readdirSync(data).map((name) => readFileSync(join(data, name)));
  return texts.filter((text) => files.some((bytes) => bytes.includes(text)));
}

/** Returns each two words that follow each other, as they are in texts but not in the index. */
const pairsOf = (words: readonly string[]): readonly string[] =>
  words.slice(1).map((word, index) => `${words[index]} ${word}`);

it('no passage of a permanently deleted transcript is left in the files, from its edits or the WAL', async () => {
  library.start();
  const kept = wordsFrom(0, 600);
  const deleted = wordsFrom(1000, 600);
  const untimed = wordsFrom(2000, 600);
  const typed = pairsOf(wordsFrom(3000, 2));
  saveTranscript(store, 'Kept', pairsOf(kept), 1);
  const ids = [
    saveTranscript(store, 'Deleted', pairsOf(deleted), 2),
    saveUntimed(store, 'Untimed', untimed.join(' ')),
  ];
  saveTranscript(store, 'Also kept', pairsOf(kept).toReversed(), 3);
  for (const [index, text] of [...typed, 'another text'].entries())
    store.edits.edit(ids[0] ?? 0, index, { kind: 'set-text', segment: 0, text });
  await expect.poll(() => store.searchIndex.isBehind).toBe(false);
  const secrets = [...pairsOf(deleted), ...pairsOf(untimed), ...typed];
  // All but those on the border of two pages.
  expect(textsInFiles(secrets).length).toBeGreaterThan(0.99 * secrets.length);
  await library.trash(ids);
  await library.purge(ids, defaultTaskOptions);
  await expect.poll(() => textsInFiles(secrets), { timeout: 20_000 }).toEqual([]);
  await close();
  expect(textsInFiles(secrets)).toEqual([]);
  expect(textsInFiles(pairsOf(kept))).toEqual(pairsOf(kept));
  open();
  expect(await named(kept[0] ?? '', false)).toHaveLength(2);
});

it('thousands of transcripts are moved to the trash and restored in several commits', async () => {
  const ids = Array.from({ length: 120 }, (_, index) => saveTranscript(store, `Talk ${index}`, ['hello'], 1));
  const trashed = library.trash(ids);
  expect(store.library.counts().trashed).toBe(50);
  expect(await trashed).toEqual({ count: 120, name: null });
  const restored = library.restore(ids);
  expect(store.library.counts().trashed).toBe(70);
  expect(await restored).toEqual({ count: 120, name: null });
  expect(store.library.counts().trashed).toBe(0);
  expect(told).toEqual([...ids, ...ids]);
});
