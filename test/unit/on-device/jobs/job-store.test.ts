import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { creditsFor } from '../../../../electron/contract/pricing.ts';
import type Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { isFinalStatus } from '../../../../electron/contract/job-status.ts';
import type { Checkpoint } from '../../../../electron/on-device/engine/speech-engine.ts';
import { CreditAccount } from '../../../../electron/on-device/jobs/account.ts';
import { JobStore } from '../../../../electron/on-device/jobs/job-store.ts';
import type { ServiceJobTranscript, NewJob } from '../../../../electron/on-device/jobs/job.ts';
import { PartStore } from '../../../../electron/on-device/jobs/part-store.ts';
import { PartialTranscripts } from '../../../../electron/on-device/jobs/partial-transcripts.ts';
import {
  openOrReplaceDatabase,
  serviceMigrations,
  Sql,
} from '../../../../electron/on-device/jobs/service-database.ts';
import { WorkLog } from '../../../../electron/on-device/jobs/work-log.ts';
import { openDatabase } from '../../../../electron/sqlite/open-database.ts';
import { quietLogger } from '../../../support/core.ts';
import { ProcessLock } from '../../../../electron/sqlite/process-lock.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';

let database: Database.Database;
let clock: ManualClock;
let account: CreditAccount;
let store: JobStore;
let parts: PartStore;
let workLog: WorkLog;

function open(credits: number | null): void {
  database = openDatabase(':memory:', serviceMigrations);
  clock = new ManualClock();
  const sql = new Sql(database);
  account = new CreditAccount(sql);
  store = new JobStore(sql, account, clock, quietLogger);
  parts = new PartStore(sql);
  workLog = new WorkLog(sql, store);
  account.open(credits);
}

beforeEach(() => open(100));
afterEach(() => database.close());

const transcript: ServiceJobTranscript = { language: 'en', text: 'Yes.', segments: [] };

const newJob = (id: string, partCount = 1): NewJob => ({
  id,
  fileName: 'a.wav',
  mimeType: 'audio/wav',
  source: {
    kind: 'file',
    sizeBytes: 10 * partCount,
    upload: { partSize: 10, partCount, expiresAt: clock.now() + 1000 },
  },
  sourceKind: 'audio',
  options: { language: 'auto', accuracy: 'balanced', translateToEnglish: false, terms: [] },
  withWords: false,
});

const checkpointAt = (seconds: number): Checkpoint => ({
  atSamples: 16_000 * seconds,
  voices: { atSamples: 0, state: null },
  endSeconds: seconds,
  languages: { windows: 0, sums: {} },
  previous: null,
});

test('a created job is read back unchanged', () => {
  const job = newJob('a');
  const link: NewJob = {
    ...newJob('b'),
    source: { kind: 'link', url: 'https://media.example/b.wav' },
    withWords: true,
  };
  store.create(job, 50, null);
  store.create(link, 50, null);
  const { mimeType: _, ...known } = job;
  expect(store.get('a')).toMatchObject({ ...known, status: 'accepted', creditsCharged: 0 });
  expect(store.get('b')).toMatchObject({ source: link.source, withWords: true });
  expect(store.latest(100).map(({ id }) => id)).toEqual(['b', 'a']);
  expect(store.get('c')).toBeNull();
});

test('work begins only when every part is stored, even if one is invalidated at the last moment', () => {
  store.create(newJob('a', 2), 50, null);
  for (const n of [1, 2]) {
    expect(parts.invalidate('a', n)).toBe(true);
    expect(parts.markStored('a', n, 0)).toBe(true);
  }
  parts.invalidate('a', 1);
  expect(store.markMediaReady('a')).toBe(false);
  parts.markStored('a', 1, 0);
  expect(store.markMediaReady('a')).toBe(true);
  expect(store.markMediaReady('a')).toBe(false);
  expect(parts.invalidate('a', 1)).toBe(false);
  expect(parts.markStored('a', 1, 0)).toBe(false);
});

test('every credit is accounted for after any sequence of events', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd');
  const step = fc.oneof(
    fc.record({ do: fc.constant('create' as const), id: name }),
    fc.record({ do: fc.constant('send' as const), id: name }),
    fc.record({ do: fc.constant('inspect' as const), id: name, seconds: fc.integer({ min: 0, max: 3000 }) }),
    fc.record({
      do: fc.constantFrom('process', 'complete', 'fail', 'delete', 'take-up', 'put-down', 'recover'),
      id: name,
    }),
  );
  fc.assert(
    fc.property(fc.nat({ max: 60 }), fc.array(step, { maxLength: 60 }), (credits, steps) => {
      database.close();
      open(credits);
      for (const one of steps) {
        switch (one.do) {
          case 'create':
            if (store.get(one.id) === null) store.create(newJob(one.id), 50, null);
            break;
          case 'send':
            if (parts.invalidate(one.id, 1)) parts.markStored(one.id, 1, clock.now() + 1000);
            store.markMediaReady(one.id);
            break;
          case 'inspect':
            store.advance(one.id, 'inspecting', 'preprocessing');
            if (store.chargeAndQueue(one.id, one.seconds, 'audio') === 'insufficient') {
              store.fail(one.id, { code: 'insufficient_credits', message: 'Too few.' });
            }
            break;
          case 'process':
            store.advance(one.id, 'queued', 'processing');
            break;
          case 'complete':
            store.advance(one.id, 'processing', 'merging');
            store.complete(one.id, { language: null, text: '', segments: [] });
            break;
          case 'fail':
            store.fail(one.id, { code: 'request_failed', message: 'Broken.' });
            break;
          case 'delete':
            store.delete(one.id);
            break;
          case 'take-up':
            workLog.start(one.id);
            break;
          case 'put-down':
            workLog.finish(one.id);
            break;
          default:
            workLog.recover('crash', 2);
        }
        const jobs = store.latest(100);
        const charged = jobs.reduce((sum, job) => sum + job.creditsCharged, 0);
        expect(account.balance()).toBe(credits - charged);
        for (const job of jobs) {
          const price = job.durationSeconds === null ? 0 : creditsFor(job.durationSeconds);
          const pays = job.status === 'completed' || ['queued', 'processing', 'merging'].includes(job.status);
          expect([pays ? price : 0, job.status === 'deleted' ? price : 0]).toContain(job.creditsCharged);
          expect(job.endedAt === null).toBe(!isFinalStatus(job.status));
          expect(store.transcript(job.id) !== null).toBe(job.status === 'completed');
        }
      }
    }),
    { numRuns: 300 },
  );
});

test.each([
  [
    'a charge',
    `BEFORE UPDATE OF status ON jobs WHEN new.status = 'queued'`,
    () => store.chargeAndQueue('a', 61, 'audio'),
  ],
  ['a refund', `BEFORE UPDATE ON account WHEN new.balance_credits = 100`, () => store.delete('paid')],
  ['a result', `BEFORE INSERT ON transcripts`, () => store.complete('paid', transcript)],
])('%s that cannot be stored completely is rolled back', (_what, event, change) => {
  for (const id of ['a', 'paid']) {
    store.create(newJob(id), 50, null);
    parts.invalidate(id, 1);
    parts.markStored(id, 1, 0);
    store.markMediaReady(id);
    store.advance(id, 'inspecting', 'preprocessing');
  }
  store.chargeAndQueue('paid', 61, 'audio');
  store.advance('paid', 'queued', 'processing');
  store.advance('paid', 'processing', 'merging');
  const state = (): unknown => [account.balance(), store.latest(100), store.transcript('paid')];
  const before = state();
  database.exec(`CREATE TRIGGER full ${event} BEGIN SELECT raise(ABORT, 'the disk is full'); END`);
  expect(change).toThrow('the disk is full');
  expect(state()).toEqual(before);
});

test('a damaged database is replaced by one service only', async () => {
  const folder = await testFolder();
  await writeFile(join(folder, 'service.db'), 'no database at all '.repeat(1000));
  const other = new ProcessLock(join(folder, 'replacement.lock'));
  expect(() => openOrReplaceDatabase(folder, clock, quietLogger)).toThrow('Another service');
  expect((await readdir(folder)).filter((name) => name.startsWith('damaged-'))).toEqual([]);
  other.release();
  openOrReplaceDatabase(folder, clock, quietLogger).close();
  expect((await readdir(folder)).filter((name) => name.startsWith('damaged-'))).toHaveLength(1);
});

test('no file has the text of a transcript that was deleted', async () => {
  const folder = await testFolder();
  const onDisk = openOrReplaceDatabase(folder, clock, quietLogger);
  onTestFinished(() => void onDisk.close());
  const sql = new Sql(onDisk);
  const jobs = new JobStore(sql, new CreditAccount(sql), clock, quietLogger);
  const partial = new PartialTranscripts(sql);
  new CreditAccount(sql).open(100);
  const filesWith = async (text: string): Promise<readonly string[]> => {
    const names = await readdir(folder);
    const contents = await Promise.all(names.map((name) => readFile(join(folder, name))));
    return names.filter((_, index) => contents[index]?.includes(text) === true);
  };
  const link = { kind: 'link', url: 'https://media.example/b.wav' } as const;
  for (const id of ['done', 'running', 'failing', 'unlucky']) {
    jobs.create({ ...newJob(id), source: link }, 50, null);
    onDisk
      .prepare('UPDATE jobs SET status = ? WHERE id = ?')
      .run(id === 'done' ? 'merging' : 'processing', id);
  }
  jobs.complete('done', { language: 'en', text: 'A finished secret.', segments: [] });
  const added = [{ start: 0, end: 1, text: 'A partial secret.' }];
  partial.record('running', { keptSegments: 0, added, language: 'en', checkpoint: null });
  expect(await filesWith('finished secret')).not.toEqual([]);
  expect(await filesWith('partial secret')).not.toEqual([]);
  jobs.delete('done');
  jobs.delete('running');
  expect(await filesWith('secret')).toEqual([]);

  partial.record('failing', { keptSegments: 0, added, language: 'en', checkpoint: null });
  jobs.fail('failing', { code: 'unsupported_file', message: 'Broken.' });
  expect(await filesWith('secret')).toEqual([]);

  partial.record('unlucky', { keptSegments: 0, added, language: 'en', checkpoint: null });
  // In a transaction the WAL cannot be emptied.
  onDisk.exec('BEGIN');
  jobs.delete('unlucky');
  onDisk.exec('COMMIT');
  expect(await filesWith('partial secret')).not.toEqual([]);
  jobs.purge(0);
  expect(await filesWith('secret')).toEqual([]);
});

test('a transcript in progress that lacks a segment before its checkpoint starts from scratch', () => {
  const partial = new PartialTranscripts(new Sql(database));
  const link = { kind: 'link', url: 'https://media.example/b.wav' } as const;
  store.create({ ...newJob('a'), source: link }, 50, null);
  database.exec(`UPDATE jobs SET status = 'processing'`);
  const window = (start: number): void => {
    const added = [{ start, end: start + 1, text: `Sentence ${start}.` }];
    partial.record('a', {
      keptSegments: start,
      added,
      language: 'en',
      checkpoint: checkpointAt(start + 1),
    });
  };
  window(0);
  window(1);
  expect(partial.resume('a')?.segments).toHaveLength(2);
  // As when the disk was full for one window.
  window(3);
  expect(partial.resume('a')).toBeNull();
  expect(partial.get('a', 0)).toBeNull();
});

test('a key belongs to its job and is deleted with it', () => {
  store.create(newJob('a'), 50, { key: 'k', fingerprint: 'f' });
  expect(store.findByIdempotencyKey('k')).toMatchObject({ fingerprint: 'f', job: { id: 'a' } });
  expect(store.findByIdempotencyKey('other')).toBeNull();
  store.delete('a');
  store.purge(clock.now() - 1);
  expect(store.findByIdempotencyKey('k')).not.toBeNull();
  store.purge(clock.now());
  expect(store.findByIdempotencyKey('k')).toBeNull();
});

test('a refused creation stores nothing, not even its key', () => {
  database.close();
  open(0);
  expect(store.create(newJob('a'), 50, { key: 'k', fingerprint: 'f' })).toEqual({
    kind: 'insufficient-credits',
    balance: 0,
  });
  expect(store.create(newJob('a'), 0, { key: 'k', fingerprint: 'f' })).toEqual({ kind: 'too-many-active' });
  expect(store.get('a')).toBeNull();
  expect(store.findByIdempotencyKey('k')).toBeNull();
});

test('a job fails when the service has crashed twice while working on it, and not before', () => {
  for (const id of ['a', 'b']) {
    store.create(newJob(id), 50, null);
    parts.invalidate(id, 1);
    parts.markStored(id, 1, 0);
    store.markMediaReady(id);
    store.advance(id, 'inspecting', 'preprocessing');
    store.chargeAndQueue(id, 61, 'audio');
  }
  const before = account.balance();
  for (let start = 1; start <= 3; start++) {
    workLog.recover('crash', 2);
    workLog.start('b');
    workLog.finish('b');
    workLog.start('a');
  }
  expect(store.get('a')).toMatchObject({
    status: 'failed',
    creditsCharged: 0,
    error: { code: 'provider_unavailable', message: expect.stringContaining('ended repeatedly') },
  });
  expect(store.get('b')).toMatchObject({ status: 'queued', crashScore: 0, creditsCharged: 2 });
  expect(account.balance()).toBe((before ?? 0) + 2);
});

test('a job fails at the fourth end of the whole program without another checkpoint, and not before', () => {
  const partial = new PartialTranscripts(new Sql(database));
  for (const id of ['a', 'b']) store.create(newJob(id), 50, null);
  // Neither is blamed while both are in progress.
  workLog.start('b');
  workLog.start('a');
  workLog.recover('program-end', 2);
  for (const id of ['a', 'b'])
    expect(store.get(id)).toMatchObject({ status: 'accepted', crashScore: 0, isSuspect: true });
  const endProgram = (times: number): void => {
    for (let end = 1; end <= times; end++) {
      workLog.start('a');
      workLog.recover('program-end', 2);
    }
  };
  endProgram(3);
  expect(workLog.inProgress()).toEqual([]);
  expect(store.get('a')).toMatchObject({ status: 'accepted', crashScore: 3 });
  partial.record('a', { keptSegments: 0, added: [], language: 'en', checkpoint: checkpointAt(1) });
  expect(store.get('a')).toMatchObject({ crashScore: 0, isSuspect: false });
  endProgram(3);
  expect(store.get('a')).toMatchObject({ status: 'accepted', crashScore: 3 });
  endProgram(1);
  expect(store.get('a')).toMatchObject({ status: 'failed', error: { code: 'provider_unavailable' } });
  expect(store.get('b')).toMatchObject({ status: 'accepted', crashScore: 0 });
});

test('an end of the whole program counts half of a crash', () => {
  store.create(newJob('a'), 50, null);
  for (const interruption of ['crash', 'program-end'] as const) {
    workLog.start('a');
    workLog.recover(interruption, 2);
  }
  expect(store.get('a')).toMatchObject({ status: 'accepted', crashScore: 3 });
  workLog.start('a');
  workLog.recover('program-end', 2);
  expect(store.get('a')).toMatchObject({ status: 'failed', crashScore: 4 });
});

test('of two jobs in progress neither is blamed for a crash; both are suspected until one crashes it alone', () => {
  for (const id of ['a', 'b']) store.create(newJob(id), 50, null);
  for (let crash = 1; crash <= 5; crash++) {
    workLog.start('a');
    workLog.start('b');
    workLog.recover('crash', 2);
  }
  for (const id of ['a', 'b'])
    expect(store.get(id)).toMatchObject({ status: 'accepted', crashScore: 0, isSuspect: true });
  for (let crash = 1; crash <= 2; crash++) {
    workLog.start('a');
    workLog.recover('crash', 2);
  }
  expect(store.get('a')).toMatchObject({ status: 'failed', crashScore: 4 });
  expect(store.get('b')).toMatchObject({ status: 'accepted', crashScore: 0 });
});

test('work whose end cannot be stored, because the disk is full, is not in progress', () => {
  for (const id of ['a', 'b']) store.create(newJob(id), 50, null);
  workLog.start('a');
  database.exec(
    `CREATE TRIGGER full BEFORE UPDATE OF under_way ON jobs BEGIN SELECT raise(ABORT, 'the disk is full'); END`,
  );
  workLog.finish('a');
  expect(workLog.inProgress()).toEqual([]);
  expect(() => workLog.start('b')).toThrow('the disk is full');
  database.exec('DROP TRIGGER full');
  workLog.start('b');
  expect(workLog.inProgress().map(({ id }) => id)).toEqual(['b']);
  workLog.recover('crash', 2);
  expect(store.get('a')).toMatchObject({ crashScore: 0, isSuspect: false });
});

test('a later start sets the balance only if it names another one', () => {
  account.charge(30);
  account.open(null);
  account.open(100);
  expect(account.balance()).toBe(70);
  account.open(5);
  expect(account.balance()).toBe(5);
});
