import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ReplaceRequest } from '../../../../../electron/contract/replace.ts';
import { LibraryReplacer } from '../../../../../electron/core/library/replace/replace-in-all.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { defaultTaskOptions } from '../../../../support/default-task-options.ts';
import { foundIn } from '../../../../support/replace-preview.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporary-folder.ts';
import { eagerClock } from '../../../../support/clocks/eager-clock.ts';
import { openStore } from '../../store/store-kit.ts';
import { saveTranscript } from '../library-kit.ts';

const worker = new URL('../../../../../electron/core/library/task/library-task-worker.ts', import.meta.url);
const query = { text: 'harbor', matchCase: false, wholeWords: false };

let folder: TemporaryFolder;
let store: Store;
let replacer: LibraryReplacer;
/** Opens a replacer, as a restarted program does. */
const openReplacer = (): LibraryReplacer =>
  new LibraryReplacer({ store, clock: eagerClock, worker, onChange: () => undefined });

beforeEach(async () => {
  folder = await temporaryFolder();
  store = openStore(folder.path, { clock: eagerClock });
  replacer = openReplacer();
});
afterEach(async () => {
  await store.close();
  await folder.remove();
});

const textsOf = (id: number): readonly string[] =>
  store.edits.open(id)?.segments.map(({ text }) => text) ?? [];
const requestFor = (ids: readonly number[]): ReplaceRequest => ({
  query,
  mode: 'text',
  replacement: 'harbour',
  targets: ids.map((id) => ({ id, matches: [{ segment: 0, offset: 0 }], speakers: [] })),
  mergesSpeakers: false,
});
/** Ends the program after the first transcript. */
const ending = { ...defaultTaskOptions, onProgress: () => replacer.close() };
/** Replaces in some transcripts, or in all that have the text. */
async function replaceIn(ids: readonly number[] | null): Promise<void> {
  const { groups } = foundIn(await replacer.find({ ...query, mode: 'text' }, ids, defaultTaskOptions));
  await replacer.run(requestFor(groups.map(({ id }) => id)), defaultTaskOptions);
}

it('an interrupted replacement is reported by the next start, and can still be undone', async () => {
  const ids = Array.from({ length: 6 }, (_, index) => saveTranscript(store, `Talk ${index}`, ['harbor']));
  let done = 0;
  const running = replacer.run(requestFor(ids), {
    ...defaultTaskOptions,
    onProgress: () => {
      if ((done += 1) === 4) replacer.close();
    },
  });
  expect(await running).toMatchObject({ changed: 4, outcome: 'cancelled' });
  await store.close();

  store = openStore(folder.path, { clock: eagerClock });
  replacer = openReplacer();
  const [found] = replacer.stored();
  expect(found).toMatchObject({ text: 'harbor', replacement: 'harbour', changed: 4, total: 6 });
  expect(replacer.stored()).toMatchObject([{ interrupted: 'replacement' }]);
  expect(await replacer.undo(found?.run ?? 0, defaultTaskOptions)).toMatchObject({ undone: 4, kept: 0 });
  expect(replacer.stored()).toEqual([]);
  expect(ids.flatMap(textsOf)).toEqual(Array(6).fill('harbor'));
});

it.each([
  ['dismissed', () => replacer.dismissInterruption(1)],
  ['finished by another', () => replaceIn(null)],
] as const)('an interruption is reported until it is %s', async (_how, settle) => {
  const ids = ['One', 'Two'].map((name) => saveTranscript(store, name, ['harbor']));
  await replacer.run(requestFor(ids), ending);
  replacer = openReplacer();
  expect(replacer.stored()).toMatchObject([{ run: 1, interrupted: 'replacement' }]);
  await settle();
  expect(replacer.stored().every(({ interrupted }) => interrupted === null)).toBe(true);
  expect(replacer.stored()[0]).toMatchObject({ run: 1, changed: 1, at: expect.any(Number) });
});

/** Replaces in five transcripts, or undoes that, and ends the program after the first one; returns those that are left. */
async function interrupt(what: 'replacement' | 'undo'): Promise<readonly number[]> {
  const ids = Array.from({ length: 5 }, (_, i) => saveTranscript(store, `Talk ${i}`, ['harbor'], i));
  if (what === 'replacement') await replacer.run(requestFor(ids), ending);
  else {
    await replaceIn(ids);
    await replacer.undo(1, ending);
  }
  replacer = openReplacer();
  return ids.filter((id) => textsOf(id)[0] === 'harbor');
}

it('an interrupted replacement is reported until the same one was made wherever it was left', async () => {
  const left = await interrupt('replacement');
  expect(left.length).toBe(4);
  const elsewhere = saveTranscript(store, 'Elsewhere', ['harbor']);
  await replaceIn([elsewhere]);
  await replaceIn(left.slice(0, 2));
  expect(replacer.stored()[0]).toMatchObject({ run: 1, interrupted: 'replacement' });
  store.library.trash(left.slice(2, 3), 1);
  await replaceIn(null);
  expect(replacer.stored()[0]).toMatchObject({ run: 1, interrupted: null });
});

it('an interrupted undo stays one when the same replacement is made elsewhere', async () => {
  const left = await interrupt('undo');
  expect(left.length).toBe(1);
  await replaceIn([saveTranscript(store, 'Elsewhere', ['harbor'])]);
  expect(replacer.stored()[0]).toMatchObject({ run: 1, interrupted: 'undo' });
  await replaceIn(left);
  expect(replacer.stored()[0]).toMatchObject({ run: 1, interrupted: null });
});

it('an undo that the end of the program interrupted is reported as one, until it is finished', async () => {
  const ids = ['One', 'Two', 'Three'].map((name) => saveTranscript(store, name, ['harbor']));
  await replaceIn(null);
  await replacer.undo(1, ending);
  replacer = openReplacer();
  expect(replacer.stored()).toMatchObject([{ run: 1, interrupted: 'undo', changed: 2, total: 3 }]);
  await replacer.undo(1, defaultTaskOptions);
  expect(replacer.stored()).toEqual([]);
  expect(ids.flatMap(textsOf)).toEqual(['harbor', 'harbor', 'harbor']);
});
