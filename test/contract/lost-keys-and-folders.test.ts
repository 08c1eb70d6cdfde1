import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { storageProblem } from '../../electron/core/storage-problem.ts';
import { add, memorySecrets, openCore, rowsOf } from '../support/core.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const service = 'https://cloud.example';
const link = 'https://example.com/talk.mp3';

it('an unreadable keychain stops the service with a message until it is readable', async () => {
  const folder = await temporaryFolder();
  let locked = true;
  const keys = memorySecrets({ [service]: 'key' });
  const longhand = openCore(folder.path, {
    secrets: {
      ...keys,
      get: async (baseUrl) => {
        if (locked) throw new Error('the keychain is locked');
        return keys.get(baseUrl);
      },
    },
  });
  onTestFinished(async () => {
    await longhand.close();
    await folder.remove();
  });
  const condition = () => longhand.serviceStatus(service).condition;
  condition();
  await expect.poll(condition).toMatchObject({
    kind: 'stopped',
    problem: { code: 'keychain_unreadable', detail: 'the keychain is locked' },
  });
  longhand.tryAgain(service);
  await expect.poll(condition).toMatchObject({ problem: { code: 'keychain_unreadable' } });
  locked = false;
  longhand.tryAgain(service);
  await expect.poll(condition).toEqual({ kind: 'ready' });
});

it('the queue waits for the user only while a service has no key', async () => {
  const folder = await temporaryFolder();
  const keys = memorySecrets({});
  const longhand = openCore(folder.path, { secrets: keys });
  onTestFinished(async () => {
    await longhand.close();
    await folder.remove();
  });
  const summary = () => longhand.queue.view({ filter: 'all', offset: 0, limit: 0 }).summary;
  expect(summary().counts.attention).toBe(0);
  longhand.queue.setPaused(true);
  await add(longhand, [], service, [link]);
  await expect.poll(() => summary().counts.attention).toBe(1);
  await keys.set(service, 'key');
  await longhand.services.readKey(service);
  await expect.poll(() => summary().counts.attention).toBe(0);
});

it('a recording whose account was removed says so, and counts as nothing to send', async () => {
  const folder = await temporaryFolder();
  const accounts = new Set([service]);
  const keys = memorySecrets({});
  const longhand = openCore(folder.path, {
    // It keeps the key when the account is removed, as a locked keychain does.
    secrets: keys,
    hasAccount: (address) => accounts.has(address),
  });
  onTestFinished(async () => {
    await longhand.close();
    await folder.remove();
  });
  const path = join(folder.path, 'talk.wav');
  await writeFile(path, silentWav(2));
  await add(longhand, [path], service);
  const bytesLeft = () => longhand.queue.view({ filter: 'all', offset: 0, limit: 0 }).summary.bytesLeft;
  await expect.poll(() => rowsOf(longhand)[0]?.state).toMatchObject({ waitsFor: 'key' });
  expect(rowsOf(longhand)[0]?.isAccountRemoved).toBe(false);
  expect(bytesLeft()).toBeGreaterThan(0);

  accounts.clear();
  await keys.set(service, 'key');
  await longhand.services.readKey(service);
  expect(rowsOf(longhand)).toMatchObject([{ state: { waitsFor: 'account' }, isAccountRemoved: true }]);
  expect(longhand.serviceStatus(service).condition).toMatchObject({ problem: { code: 'account_removed' } });
  expect(bytesLeft()).toBe(0);
  expect(longhand.queue.view({ filter: 'attention', offset: 0, limit: 0 }).total).toBe(1);
});

it('every request to a folder that another process has taken over fails with a message', async () => {
  const folder = await temporaryFolder();
  const longhand = openCore(folder.path);
  onTestFinished(() => folder.remove());
  const { ids } = await add(longhand, [], service, [link]);
  longhand.abandon();
  const requests: readonly (() => unknown)[] = [
    () => rowsOf(longhand),
    () => longhand.queue.remove(ids),
    () => longhand.queue.clearDoneAndCancelled(),
    () => longhand.queue.setPaused(true),
    () => longhand.transcripts.get(1),
    () => longhand.jobs.of(service).view(),
  ];
  for (const ask of requests) {
    let thrown: unknown = null;
    try {
      ask();
    } catch (error) {
      thrown = error;
    }
    expect(storageProblem(thrown).code).toBe('data_folder_in_use');
  }
});
