import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { defaultJobOptions } from '../../electron/contract/options.ts';
import type { QueueRow } from '../../electron/contract/queue-commands.ts';
import { addRequested } from '../../electron/core/queue/adding/add-requested.ts';
import { audioKeptDays } from '../../electron/contract/service-job-commands.ts';
import { copiesAtServices, purgeTranscripts } from '../../electron/core/service-jobs/purge-transcripts.ts';
import { add, openCore, rowsOf, waitUntilSettled } from '../support/core.ts';
import { defaultTaskOptions } from '../support/default-task-options.ts';
import { openScripted } from '../support/scripted-service/open-scripted.ts';
import type { ScriptedCore } from '../support/scripted-service/scripted-core.ts';
import type { ScriptedService } from '../support/scripted-service/scripted-service.ts';
import { startOnDevice } from '../support/servers/on-device.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { testFolder } from '../support/test-folder.ts';
import { transcriptOf } from '../support/transcript-of.ts';

const transcriptIn = ({ state }: QueueRow) => (state.kind === 'done' ? state.transcript : state.kind);

/** Does work of the library while time passes. */
async function during<T>(core: ScriptedCore, work: Promise<T>): Promise<T> {
  const [result] = await Promise.all([work, core.advanceUntil(() => false, 60_000)]);
  return result;
}

/** A core with one transcript, which `purge` deletes permanently. */
async function transcribed() {
  const core = await openScripted();
  await core.addFile('talk.wav');
  await core.advanceUntil(core.isSettled);
  const id = transcriptOf(core.row());
  const { library } = core.longhand;
  const purge = async () => {
    await library.trash([id]);
    return during(core, library.purge([id], defaultTaskOptions));
  };
  return { core, id, library, purge };
}

/** Returns how many rows of each kind a sheet has that the recording is dropped on. */
async function dropAgain(core: ScriptedCore) {
  const { longhand, service } = core;
  const sheet = longhand.queue.newAddSheet({
    service: () => service.baseUrl,
    options: defaultJobOptions,
    send: () => undefined,
  });
  await sheet.add([core.pathOf('talk.wav')], []);
  const { counts } = sheet.view({ group: 'ready', offset: 0, limit: 0 }).summary;
  sheet.discard();
  return counts;
}

it('a recording whose transcript was deleted can be transcribed again with another service', async () => {
  const { core, purge } = await transcribed();
  await purge();
  const { queue } = core.longhand;
  queue.transcribeAgain([core.row().id], 'on-device');
  expect(core.row()).toMatchObject({ service: 'on-device', state: { kind: 'waiting' } });
});

it('is transcribed again by the other service even if it is only reached after other commands', async () => {
  const { core, purge } = await transcribed();
  await purge();
  const { id } = core.row();
  const { queue } = core.longhand;
  queue.setPaused(true);
  const links = Array.from({ length: 250 }, (_, index) => `https://a.example/${index}.mp3`);
  const { ids } = await add(core.longhand, [], core.service.baseUrl, links);
  queue.pause(ids);
  queue.transcribeAgain([id], 'on-device');
  expect(queue.get(id)?.state.kind).toBe('done');
  await core.pass(0);
  expect(queue.get(id)).toMatchObject({ service: 'on-device', state: { kind: 'waiting' } });
});

it('a transcript knows the terms of its recording as long as that is in the queue', async () => {
  const core = await openScripted();
  const terms = ['Anna Lindqvist', 'Thabo Mbeki'];
  await core.addFile('talk.wav');
  const { queue } = core.longhand;
  await queue.setOptions([core.row().id], { terms });
  await core.advanceUntil(core.isSettled);
  const { edits } = core.longhand;
  const id = transcriptOf(core.row());
  expect(edits.open(id)?.terms).toStrictEqual(terms);
  queue.clearDoneAndCancelled();
  expect(edits.open(id)?.terms).toStrictEqual([]);
});

it('a row says whether its transcript is in the library, in the trash or deleted', async () => {
  const { core, id, library, purge } = await transcribed();
  const { queue } = core.longhand;
  expect(transcriptIn(core.row())).toEqual({ kind: 'library', id });
  await library.trash([id]);
  expect(transcriptIn(core.row())).toEqual({ kind: 'trash', id });
  expect(queue.transcripts([core.row().id])).toEqual([]);
  await library.restore([id]);
  expect(queue.transcripts([core.row().id])).toEqual([id]);
  const views: QueueRow[] = [];
  const subscription = queue.subscribe(({ rows }) => views.push(...rows));
  subscription.setViewport({ filter: 'all', offset: 0, limit: 1 });
  await purge();
  expect(transcriptIn(core.row())).toEqual({ kind: 'deleted' });
  expect(views.at(-1)).toEqual(core.row());
  expect(queue.live(core.row().id, 0)).toEqual({ kind: 'stopped' });
  subscription.close();
});

it('a recording whose transcript was deleted is new on a sheet', async () => {
  const { core, purge } = await transcribed();
  expect(await dropAgain(core)).toEqual({ ready: 0, duplicates: 1, rejected: 0 });
  await purge();
  expect(await dropAgain(core)).toEqual({ ready: 1, duplicates: 0, rejected: 0 });
});

it('a recording whose transcript is in the trash is not transcribed again without asking', async () => {
  const { core, id, library } = await transcribed();
  await library.trash([id]);
  const damaged = join(core.pathOf('talk.wav'), '..', 'damaged.mp3');
  await writeFile(damaged, Buffer.alloc(9000, 'x\0y'));
  const incomplete = join(core.pathOf('talk.wav'), '..', 'incomplete.wav');
  await writeFile(incomplete, silentWav(10).subarray(0, 40_000));
  const added = await addRequested(core.longhand, {
    paths: [core.pathOf('talk.wav'), damaged, incomplete, core.pathOf('gone.wav')],
    links: [],
    service: core.service.baseUrl,
    options: defaultJobOptions,
    exports: null,
    again: false,
    followsSheetDefaults: true,
    signal: new AbortController().signal,
    isPersisted: false,
  });
  expect(added).toMatchObject({
    added: 0,
    excludedRecordings: { paths: [core.pathOf('talk.wav'), damaged, incomplete], links: [] },
  });
  expect(added.rejected.map(({ problem: { code, params } }) => [code, params?.['context']])).toEqual([
    ['already_transcribed', 'trash'],
    ['probably_unusable', 'damaged'],
    ['probably_unusable', 'incomplete'],
    ['path_missing', undefined],
  ]);
});

it('what is deleted here is deleted by the service on this computer, and transcribed and saved again in its row', async () => {
  const folder = await testFolder();
  const service = await startOnDevice({ dataFolder: join(folder, 'service') });
  const longhand = openCore(join(folder, 'data'), {
    defaultAutoExports: () => [{ format: 'txt', folder: null }],
  });
  onTestFinished(async () => {
    await longhand.close();
    await service.stop();
  });
  longhand.services.openOnDevice(service.baseUrl, service.key);
  longhand.start();
  const path = join(folder, 'talk.wav');
  await writeFile(path, silentWav(2));
  const { ids } = await add(longhand, [path]);
  const [first] = await waitUntilSettled(longhand, 'done');
  await longhand.writeAutoExports();
  const id = transcriptOf(first);

  longhand.queue.transcribeAgain(ids);
  expect(rowsOf(longhand)).toMatchObject([{ state: { transcript: { kind: 'library', id } } }]);
  await longhand.library.trash([id]);
  const jobIds = () =>
    longhand.jobs
      .of('on-device')
      .refresh()
      .then(({ records }) => records.map(({ jobId }) => jobId));
  expect(await jobIds()).toHaveLength(1);
  expect(copiesAtServices(longhand, [id], Date.now())).toEqual([]);
  const nowhereElse = { servicesToPurge: [], now: Date.now() };
  const report = await purgeTranscripts(longhand, [id], nowhereElse, defaultTaskOptions);
  expect(report).toEqual({ deleted: 1, leftAtService: 0, cancelled: false });
  expect(await jobIds()).toEqual([]);
  longhand.queue.transcribeAgain(ids);
  const [second] = await waitUntilSettled(longhand, 'done');
  expect(transcriptOf(second)).toBeGreaterThan(id);
  await longhand.writeAutoExports();
  expect((await readdir(folder)).filter((name) => name.endsWith('.txt'))).toHaveLength(2);
});

it('transcripts of several accounts are deleted at those that are chosen', async () => {
  const core = await openScripted();
  const other = await core.addAccount();
  const { longhand, service } = core;
  await core.addFile('talk.wav');
  await core.addFile('interview.wav', 2_500, other);
  await core.advanceUntil(core.isSettled);
  const ids = core.rows().map((row) => transcriptOf(row));
  await longhand.library.trash(ids);
  const now = core.clock.now();
  expect(copiesAtServices(longhand, ids, now)).toEqual([
    { service: service.baseUrl, count: 1 },
    { service: other.baseUrl, count: 1 },
  ]);
  expect(copiesAtServices(longhand, ids, now + audioKeptDays * 24 * 3_600_000)).toEqual([]);

  const purge = purgeTranscripts(
    longhand,
    ids,
    { servicesToPurge: [other.baseUrl], now },
    defaultTaskOptions,
  );
  expect(await during(core, purge)).toEqual({ deleted: 2, leftAtService: 0, cancelled: false });
  const namesAt = async ({ baseUrl }: ScriptedService) =>
    (await during(core, longhand.jobs.of(baseUrl).refresh())).records.map(({ name }) => name);
  expect(await namesAt(service)).toEqual(['talk.wav']);
  expect(await namesAt(other)).toEqual([]);
});

it('no job is deleted that only a backup names', async () => {
  const { core, id, library } = await transcribed();
  const file = core.pathOf('library.longhand');
  const written = library.backups.write(file, { appVersion: '1.2.3', replace: false }, defaultTaskOptions);
  await during(core, written);
  const elsewhere = await openScripted();
  const { longhand } = elsewhere;
  await during(elsewhere, longhand.library.backups.open(file, defaultTaskOptions));
  await during(elsewhere, longhand.library.backups.restore(defaultTaskOptions));
  const restored = await longhand.library.ids({ query: '', tag: null, sort: 'newest', trash: false });
  expect(restored).toHaveLength(1);
  await longhand.library.trash(restored);
  expect(copiesAtServices(longhand, restored, elsewhere.clock.now())).toEqual([]);
  await library.trash([id]);
  expect(copiesAtServices(core.longhand, [id], core.clock.now())).toHaveLength(1);
});

it('a row opens its transcript that was restored from a backup', async () => {
  const { core, library, purge } = await transcribed();
  const file = core.pathOf('library.longhand');
  await during(
    core,
    library.backups.write(file, { appVersion: '1.2.3', replace: false }, defaultTaskOptions),
  );
  await purge();
  await during(core, library.backups.open(file, defaultTaskOptions));
  await during(core, library.backups.restore(defaultTaskOptions));
  expect(library.listNames([transcriptOf(core.row())])).toMatchObject([{ name: 'talk.wav' }]);
});
