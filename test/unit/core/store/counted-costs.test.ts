import { expect, it, onTestFinished } from 'vitest';
import type { ItemId } from '../../../../electron/contract/identifiers.ts';
import { initialProgress } from '../../../../electron/core/item/item.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { addNamed, openStore } from './store-kit.ts';

const november = 1_000;
const december = 2_000;

/** A store with a watched folder, and a function that adds a recording from it whose duration is unknown. */
async function watchedStore() {
  const store = openStore(await testFolder());
  onTestFinished(() => store.close());
  const folder = { path: '/recordings', service: 'https://cloud.example', paused: false };
  const id = store.watch.add(folder, { skipsExisting: false }) ?? NaN;
  const addUnmeasured = (name: string, monthStart = november): ItemId => {
    const [itemId = NaN] = addNamed(store, [name]);
    const file = { path: `/recordings/${name}`, sizeBytes: 1, mtimeMs: 1, fingerprint: name, itemId };
    const costs = new Map([[file.path, { credits: 1, isMeasured: false }]]);
    store.watch.recordAdded(id, [file], costs, monthStart);
    return itemId;
  };
  return { store, id, addUnmeasured };
}

it('what a folder counts for a recording is corrected whenever its duration becomes known', async () => {
  const { store, id, addUnmeasured } = await watchedStore();
  const item = addUnmeasured('talk.wma');
  expect(store.watch.hasUnmeasured(id)).toBe(true);
  expect(store.watch.creditsSince(id, november)).toBe(1);
  store.items.setDuration(item, 1_800);
  expect(store.watch.hasUnmeasured(id)).toBe(false);
  expect(store.watch.creditsSince(id, november)).toBe(30);
  store.items.setDuration(item, 600);
  expect(store.watch.creditsSince(id, november)).toBe(10);
  expect(store.watch.countedCredits(id, '/recordings/talk.wma')).toBe(10);
});

it('what was counted in an earlier month is not corrected in this one', async () => {
  const { store, id, addUnmeasured } = await watchedStore();
  const early = addUnmeasured('early.wma');
  addUnmeasured('late.wma', december);
  store.items.setDuration(early, 1_800);
  expect(store.watch.creditsSince(id, december)).toBe(1);
});

it('a recording that has ended without a known duration, or was removed, holds back no other', async () => {
  const { store, id, addUnmeasured } = await watchedStore();
  const failed = addUnmeasured('failed.wma');
  store.items.setProgress(failed, {
    ...initialProgress,
    state: { kind: 'failed', problem: { code: 'not_media' } },
  });
  expect(store.watch.hasUnmeasured(id)).toBe(false);
  const removed = addUnmeasured('removed.wma');
  expect(store.watch.hasUnmeasured(id)).toBe(true);
  store.items.remove([removed]);
  expect(store.watch.hasUnmeasured(id)).toBe(false);
});

it('a file that is seen again keeps what is counted for it', async () => {
  const { store, id, addUnmeasured } = await watchedStore();
  const itemId = addUnmeasured('talk.wma');
  const file = { path: '/recordings/talk.wma', sizeBytes: 2, mtimeMs: 2, fingerprint: 'new', itemId };
  store.watch.recordSeen(id, [file]);
  expect(store.watch.hasUnmeasured(id)).toBe(true);
  store.items.setDuration(itemId, 120);
  expect(store.watch.creditsSince(id, november)).toBe(2);
});
