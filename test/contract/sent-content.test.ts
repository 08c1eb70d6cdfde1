import { copyFile, rm, writeFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultJobOptions } from '../../electron/contract/options.ts';
import { addRequested } from '../../electron/core/queue/adding/add-requested.ts';
import { openScripted } from '../support/scripted-service/open-scripted.ts';
import type { ScriptedCore } from '../support/scripted-service/scripted-core.ts';

/** Between the blocks that the fingerprint reads of a file of {@link sizeBytes}. */
const unsampled = 15_000;
const sizeBytes = 60_000;

/** Transcribes `talk.wav`; returns its bytes, and other bytes with the same fingerprint. */
async function transcribed() {
  const core = await openScripted();
  const sent = await core.addFile('talk.wav', sizeBytes);
  await core.advanceUntil(core.isSettled);
  expect(core.rows()).toMatchObject([{ state: { kind: 'done' } }]);
  const database = new Database(core.pathOf('data/longhand.db'), { readonly: true });
  onTestFinished(() => void database.close());
  const hashes = database.prepare<[], string | null>('SELECT content_hash FROM transcripts').pluck();
  await expect.poll(() => hashes.all()).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  const other = Buffer.from(sent);
  other.fill(0x55, unsampled, unsampled + 1000);
  return { core, sent, other };
}

/** Adds a recording as a command does; returns how many were new. */
async function addNamed(core: ScriptedCore, name: string): Promise<number> {
  const { added } = await addRequested(core.longhand, {
    paths: [core.pathOf(name)],
    links: [],
    service: core.service.baseUrl,
    options: defaultJobOptions,
    exports: null,
    again: false,
    signal: new AbortController().signal,
    isPersisted: false,
  });
  return added;
}

describe.each([
  ['with its row', false],
  ['without its row', true],
])('a recording that was transcribed, %s in the queue,', (_, isCleared) => {
  it('is new once another one with the same size, start, middle and end is at its path', async () => {
    const { core, other } = await transcribed();
    if (isCleared) core.longhand.queue.clearDoneAndCancelled();
    expect(await addNamed(core, 'talk.wav')).toBe(0);
    await writeFile(core.pathOf('talk.wav'), other);
    core.service.rules.expectFile('talk.wav', other);
    expect(await addNamed(core, 'talk.wav')).toBe(1);
  });

  it('is known wherever a copy of it is, although another one is at its path', async () => {
    const { core, other } = await transcribed();
    if (isCleared) core.longhand.queue.clearDoneAndCancelled();
    await copyFile(core.pathOf('talk.wav'), core.pathOf('copy.wav'));
    await writeFile(core.pathOf('talk.wav'), other);
    expect(await addNamed(core, 'copy.wav')).toBe(0);
  });

  it('is not mistaken for a similar one although its file is gone', async () => {
    const { core, sent, other } = await transcribed();
    if (isCleared) core.longhand.queue.clearDoneAndCancelled();
    await rm(core.pathOf('talk.wav'));
    await writeFile(core.pathOf('similar.wav'), other);
    await writeFile(core.pathOf('same.wav'), sent);
    core.service.rules.expectFile('similar.wav', other);
    expect(await addNamed(core, 'same.wav')).toBe(0);
    expect(await addNamed(core, 'similar.wav')).toBe(1);
  });
});
