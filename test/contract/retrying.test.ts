import { appendFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ItemStore } from '../../electron/core/store/items/item-store.ts';
import { add, openCore, waitUntilSettled } from '../support/core.ts';
import { openScripted } from '../support/scripted-service/open-scripted.ts';
import { ManualClock } from '../support/clocks/manual-clock.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { testFolder } from '../support/test-folder.ts';

/** A recording that was added and then received `event` before anything of it was sent. */
async function blocked(event: (path: string) => Promise<void>) {
  const folder = await testFolder();
  const longhand = openCore(join(folder, 'data'));
  onTestFinished(() => longhand.close());
  const path = join(folder, 'talk.wav');
  await writeFile(path, silentWav(2));
  const { ids } = await add(longhand, [path]);
  const [id = -1] = ids;
  const before = longhand.queue.get(id);
  await event(path);
  // No server listens there, so nothing is sent.
  longhand.services.openOnDevice('http://127.0.0.1:9', 'key');
  longhand.start();
  await waitUntilSettled(longhand, 'blocked');
  return { longhand, id, path, before };
}

it('a recording that is cancelled while it is inspected again stays cancelled and unchanged', async () => {
  const { longhand, id, before } = await blocked((path) => appendFile(path, Buffer.alloc(10)));
  const retried = longhand.queue.retry([id]);
  longhand.queue.cancel([id]);
  await retried;
  expect(longhand.queue.get(id)).toMatchObject({ source: before?.source, state: { kind: 'cancelled' } });
});

it('a recording that is cancelled while its file is located stays cancelled, at its old path', async () => {
  const { longhand, id, path, before } = await blocked((path) => rename(path, `${path}.moved.wav`));
  const located = longhand.queue.locate(id, `${path}.moved.wav`);
  longhand.queue.cancel([id]);
  await located;
  expect(longhand.queue.get(id)).toMatchObject({ source: before?.source, state: { kind: 'cancelled' } });
});

it('an edited link replaces one for which nothing was requested, and a web page does not', async () => {
  const longhand = openCore(join(await testFolder(), 'data'));
  onTestFinished(() => longhand.close());
  const { ids } = await add(longhand, [], 'on-device', ['https://example.com/talk.mp4']);
  const [id = -1] = ids;
  longhand.queue.cancel([id]);
  expect(() => longhand.queue.setLink(id, 'https://example.com/talk.html')).toThrow('web_page');
  longhand.queue.setLink(id, 'https://example.com/talk%202.mp3');
  expect(longhand.queue.row(id)).toMatchObject({ name: 'talk 2.mp3', state: { kind: 'waiting' } });
});

it('of many items, only a batch is read and changed before yielding to other work', async () => {
  const longhand = openCore(join(await testFolder(), 'data'), { clock: new ManualClock() });
  onTestFinished(() => longhand.close());
  const links = Array.from({ length: 1_000 }, (_, index) => `https://example.com/${index}.mp3`);
  const { ids } = await add(longhand, [], 'on-device', links);
  const looks = vi.spyOn(ItemStore.prototype, 'get');
  onTestFinished(() => looks.mockRestore());
  await longhand.queue.retry(ids);
  expect(looks.mock.calls.length).toBeLessThanOrEqual(200);
});

it('a recording that waits for a valid key is not announced as being retried', async () => {
  const core = await openScripted();
  core.service.account.holdsJobs = true;
  const busy = { kind: 'refusal', status: 503, code: 'queue_unavailable', tookEffect: false } as const;
  core.service.inject({ endpoint: 'status', from: 2, times: 1, fault: busy });
  const refused = { kind: 'refusal', status: 401, code: 'invalid_api_key', tookEffect: false } as const;
  core.service.inject({ endpoint: 'status', from: 3, times: Infinity, fault: refused });
  await core.addLink('https://a.example/talk.mp3');
  expect(await core.advanceUntil(() => core.row().retryAt !== null, 60_000)).toBe(true);
  expect(await core.advanceUntil(() => core.status().condition.kind === 'stopped', 60_000)).toBe(true);
  expect(core.row()).toMatchObject({ waitReason: 'key', retryAt: null });
});
