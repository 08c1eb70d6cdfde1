import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ServiceAddress } from '../../electron/contract/service.ts';
import type { Longhand } from '../../electron/core/longhand.ts';
import { add, memorySecrets, openCore, rowsOf, savedTranscripts, waitUntilSettled } from '../support/core.ts';
import { startOnDevice, type TestService } from '../support/servers/on-device.ts';
import { sentencesOf, silentWav, SteppedEngine } from '../support/speech/quick-speech.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';

let folder: TemporaryFolder;
let engine: SteppedEngine;
let service: TestService;
let longhand: Longhand;

const sentences = sentencesOf(4);

beforeEach(async () => {
  folder = await temporaryFolder();
  engine = new SteppedEngine({ language: 'en', segments: sentences });
  await start();
});

afterEach(async () => {
  engine.allow(Infinity);
  await longhand.close();
  await service.stop();
  await folder.remove();
});

async function start(): Promise<void> {
  longhand = openCore(join(folder.path, 'data'), {
    onJobSchedule: (schedule) => service.setJobSchedule(schedule),
    secrets: { ...memorySecrets(), get: async () => service.key },
  });
  const dataFolder = join(folder.path, 'service');
  service = await startOnDevice({ dataFolder, engine, jobSchedule: longhand.queue.jobSchedule() });
  longhand.services.openOnDevice(service.baseUrl, service.key);
  longhand.start();
}

async function addTalk(
  name: string,
  address: ServiceAddress = 'on-device',
  sizeBytes?: number,
): Promise<void> {
  const path = join(folder.path, name);
  // No two have the same content.
  await writeFile(path, Buffer.concat([silentWav(sentences.length, sizeBytes), Buffer.from(name)]));
  await add(longhand, [path], address);
}

const summary = () => longhand.queue.view({ filter: 'all', offset: 0, limit: 0 }).summary;
const progressOf = (index: number): unknown => {
  const state = rowsOf(longhand)[index]?.state;
  return state?.kind === 'transcribing' ? state.progress : state?.kind;
};

it('all stops the work on this computer, even after a restart, and resuming continues it', async () => {
  await addTalk('first.wav');
  engine.allow(2);
  await expect.poll(() => progressOf(0)).toBe(50);
  await addTalk('second.wav');
  longhand.queue.setPaused(true);
  await expect.poll(() => engine.cancelled).toBe(1);
  expect(rowsOf(longhand)[0]).toMatchObject({ waitReason: 'paused', state: { progress: 50 } });
  expect(summary()).toMatchObject({
    paused: true,
    transcribingInCloud: 0,
    counts: { working: 0, waiting: 2 },
  });

  await longhand.close();
  await service.halt();
  await start();
  engine.allow(2);
  expect(engine.calls).toBe(1);
  longhand.queue.setPaused(false);
  engine.allow(Infinity);
  await waitUntilSettled(longhand, 'done');
  expect(engine.calls).toBe(3);
  expect((await savedTranscripts(longhand)).rows).toMatchObject([{ wordCount: 8 }, { wordCount: 8 }]);
});

it('one recording stops the work on it, and others go on', async () => {
  await addTalk('first.wav');
  engine.allow(2);
  await expect.poll(() => progressOf(0)).toBe(50);
  await addTalk('second.wav');
  longhand.queue.pause([1]);
  engine.allow(Infinity);
  await expect.poll(() => progressOf(1)).toBe('done');
  expect([progressOf(0), engine.cancelled, summary().pausedItems]).toEqual(['paused', 1, 1]);
  longhand.queue.resume([1]);
  await waitUntilSettled(longhand, 'done');
  expect(engine.calls).toBe(3);
});

it('all leaves to other services what they have', async () => {
  await addTalk('first.wav', service.baseUrl);
  engine.allow(1);
  await expect.poll(() => progressOf(0)).toBe(25);
  longhand.services.openOnDevice('http://127.0.0.1:9', service.key);
  longhand.queue.setPaused(true);
  expect(summary()).toMatchObject({ transcribingInCloud: 1, counts: { working: 1, waiting: 0 } });
  expect(rowsOf(longhand)[0]?.waitReason).toBeNull();
});

it('a service that ends in the middle of the work holds its recordings visibly, until it is back and they go on', async () => {
  await addTalk('first.wav');
  engine.allow(2);
  await expect.poll(() => progressOf(0)).toBe(50);
  await service.halt();
  longhand.services.closeOnDevice(null);
  expect(rowsOf(longhand)[0]?.waitReason).toBe('outage');
  expect(summary().services).toMatchObject([{ condition: { kind: 'starting' } }]);
  expect(summary().counts).toMatchObject({ working: 1, attention: 0 });

  const dataFolder = join(folder.path, 'service');
  service = await startOnDevice({ dataFolder, engine });
  longhand.services.openOnDevice(service.baseUrl, service.key);
  expect(rowsOf(longhand)[0]?.waitReason).toBeNull();
  engine.allow(Infinity);
  await waitUntilSettled(longhand, 'done');
  expect((await savedTranscripts(longhand)).rows).toMatchObject([{ wordCount: 8 }]);
});

it('of all does not keep the recording being transcribed on this computer from being cancelled', async () => {
  await addTalk('first.wav');
  engine.allow(2);
  await expect.poll(() => progressOf(0)).toBe(50);
  longhand.queue.setPaused(true);
  expect(longhand.queue.cancel([1])).toStrictEqual({ stillCancelling: 0 });
  await expect.poll(() => progressOf(0)).toBe('cancelled');
});

it('a recording is moved from a stopped service of this computer without a question: nothing is charged', async () => {
  await addTalk('first.wav');
  engine.allow(2);
  await expect.poll(() => progressOf(0)).toBe(50);
  longhand.services.closeOnDevice({ code: 'engine_stopped' });
  expect(await longhand.queue.moveToService([1], service.baseUrl)).toStrictEqual({ changed: 1, notMoved: 0 });
  engine.allow(Infinity);
  await waitUntilSettled(longhand, 'done');
});

const prepared = (ids: readonly number[]) => ids.map((id) => `${id} transcribing`);

it('recordings run in the order of the queue on this computer, and those that it has prepared follow a new order', async () => {
  longhand.queue.setPaused(true);
  // The first takes much longer to send than the second.
  await addTalk('1.wav', 'on-device', 50_000_000);
  for (const id of [2, 3, 4, 5]) await addTalk(`${id}.wav`);
  for (const id of [1, 2, 3, 4, 5]) longhand.queue.setOptions([id], { terms: [String(id)] });
  const kinds = () => rowsOf(longhand).map(({ id, state: { kind } }) => `${id} ${kind}`);

  longhand.queue.setPaused(false);
  await expect.poll(kinds).toEqual([...prepared([1, 2, 3, 4]), '5 waiting']);
  await longhand.queue.move([4], { kind: 'before', id: 2 });
  await longhand.queue.move([5], { kind: 'before', id: 4 });
  await expect.poll(kinds).toEqual(prepared([1, 5, 4, 2, 3]));
  engine.allow(Infinity);
  await waitUntilSettled(longhand, 'done');
  expect(engine.requests.map(({ options }) => options.terms)).toEqual([['1'], ['5'], ['4'], ['2'], ['3']]);
});
