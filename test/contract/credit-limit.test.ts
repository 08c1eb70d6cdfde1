import { expect, it } from 'vitest';
import { monthStart } from '../../electron/core/queue/services/spending-limits.ts';
import { defaultTaskOptions } from '../support/default-task-options.ts';
import {
  askForJobs,
  createJobOfOtherClient,
  jobsAt,
  openScripted,
} from '../support/scripted-service/open-scripted.ts';
import type { ScriptedCore } from '../support/scripted-service/scripted-core.ts';

const count = (core: ScriptedCore, kind: string): number =>
  core.rows().filter(({ state }) => state.kind === kind).length;

it('recordings beyond the limit of an account wait, visibly, until it is raised', async () => {
  const core = await openScripted();
  core.parallelUploads = 4;
  core.creditLimit = 2;
  for (const number of [1, 2, 3, 4]) await core.addFile(`${number}.wav`);
  expect(await core.advanceUntil(() => count(core, 'done') === 2)).toBe(true);
  await core.pass(60_000);
  expect(core.service.callsOf('create')).toHaveLength(2);
  // Each recording of the service lasts 90 s, which is known once it is done.
  expect(core.status().condition).toEqual({
    kind: 'over-limit',
    problem: { code: 'credit_limit', params: { limit: 2, spent: 4 } },
  });
  const { summary } = core.longhand.queue.view({ filter: 'attention', offset: 0, limit: 10 });
  expect(summary.counts).toMatchObject({ attention: 2, waiting: 0, working: 0, done: 2 });
  expect(core.rows().at(-1)?.state).toMatchObject({ kind: 'waiting', waitsFor: 'limit' });

  core.creditLimit = 5;
  core.longhand.tryAgain(core.service.baseUrl);
  expect(await core.advanceUntil(() => count(core, 'done') === 3)).toBe(true);
  // What was spent is still known after a restart, even for rows that were cleared.
  core.longhand.queue.clearDoneAndCancelled();
  await core.reopen();
  await core.pass(60_000);
  expect(core.service.callsOf('create')).toHaveLength(3);
  core.creditLimit = null;
  core.longhand.tryAgain(core.service.baseUrl);
  expect(await core.advanceUntil(core.isSettled)).toBe(true);
});

it('a recording that is requested within the limit of an account does not wait for it', async () => {
  const core = await openScripted();
  core.creditLimit = 1;
  const fault = { kind: 'stall', tookEffect: false } as const;
  core.service.inject({ endpoint: 'create', from: 1, times: 1, fault });
  for (const number of [1, 2]) await core.addFile(`${number}.wav`);
  expect(await core.advanceUntil(() => count(core, 'creating') === 1)).toBe(true);
  expect(core.status().condition.kind).toBe('over-limit');
  expect(core.rows().map(({ state }) => state)).toMatchObject([
    { kind: 'creating', waitsFor: null },
    { kind: 'waiting', waitsFor: 'limit' },
  ]);
  const { summary } = core.longhand.queue.view({ filter: 'attention', offset: 0, limit: 10 });
  expect(summary.counts).toMatchObject({ working: 1, attention: 1 });
  expect(summary.stalled).toMatchObject([{ recordings: 1 }]);
});

it('recordings beyond the limit of an account start once a new month begins', async () => {
  const core = await openScripted({}, new Date(2026, 0, 31, 23, 30).getTime());
  core.creditLimit = 1;
  for (const number of [1, 2]) await core.addFile(`${number}.wav`);
  expect(await core.advanceUntil(() => count(core, 'done') === 1)).toBe(true);
  await core.pass(60_000);
  expect(core.rows().at(-1)?.state).toMatchObject({ kind: 'waiting', waitsFor: 'limit' });
  await core.pass(30 * 60_000);
  expect(count(core, 'done')).toBe(2);
});

it('a refused request is not counted as a job of the account', async () => {
  const core = await openScripted();
  const fault = { kind: 'refusal', status: 402, code: 'insufficient_credits', tookEffect: false } as const;
  core.service.inject({ endpoint: 'create', from: 1, times: Infinity, fault });
  await core.addFile('talk.wav');
  expect(await core.advanceUntil(() => core.status().condition.kind === 'no-credits')).toBe(true);
  expect(core.status().activeJobs).toBe(0);
});

it('a job that was left at its service counts against the limit of the account', async () => {
  const core = await openScripted();
  const other = await core.addAccount();
  core.creditLimit = 2;
  core.service.account.holdsJobs = true;
  await core.addLink('https://a.example/talk.mp3');
  expect(await core.advanceUntil(() => core.row().state.kind === 'transcribing')).toBe(true);
  const fault = { kind: 'refusal', status: 401, code: 'invalid_api_key', tookEffect: false } as const;
  const refused = core.service.inject({ endpoint: 'status', from: 2, times: Infinity, fault });
  expect(await core.advanceUntil(() => core.status().condition.kind === 'stopped', 60_000)).toBe(true);
  await core.longhand.queue.moveToService([core.row().id], other.baseUrl, true);
  expect(await core.advanceUntil(() => core.row().state.kind === 'done')).toBe(true);

  refused.remove();
  await core.addLink('https://a.example/another.mp3');
  core.longhand.tryAgain(core.service.baseUrl);
  await core.pass(60_000);
  expect(core.rows().at(-1)?.state).toMatchObject({ kind: 'waiting', waitsFor: 'limit' });
  expect(core.service.callsOf('create')).toHaveLength(1);
});

it('a refused request keeps its share of the limit until it is repeated', async () => {
  const core = await openScripted();
  core.parallelUploads = 4;
  core.creditLimit = 1;
  const fault = { kind: 'refusal', status: 429, code: 'rate_limited', tookEffect: false } as const;
  core.service.inject({ endpoint: 'create', from: 1, times: 1, fault });
  for (const number of [1, 2]) await core.addFile(`${number}.wav`);
  expect(await core.advanceUntil(() => count(core, 'done') === 1)).toBe(true);
  await core.pass(60_000);
  // One refused, one repeated.
  expect(core.service.callsOf('create')).toHaveLength(2);
  expect(core.rows().at(-1)?.state).toMatchObject({ kind: 'waiting', waitsFor: 'limit' });
});

it('a refused request is not repeated beyond a limit that was lowered meanwhile', async () => {
  const core = await openScripted();
  core.creditLimit = 2;
  const fault = { kind: 'refusal', status: 402, code: 'insufficient_credits', tookEffect: false } as const;
  const refused = core.service.inject({ endpoint: 'create', from: 1, times: Infinity, fault });
  await core.addFile('talk.wav');
  expect(await core.advanceUntil(() => core.status().condition.kind === 'no-credits')).toBe(true);
  refused.remove();
  core.creditLimit = 0;
  const requests = core.service.callsOf('create').length;
  await core.pass(600_000);
  expect(core.service.callsOf('create')).toHaveLength(requests);
  core.longhand.tryAgain(core.service.baseUrl);
  await core.pass(60_000);
  expect(core.service.callsOf('create')).toHaveLength(requests);
  expect(core.row().state).toMatchObject({ kind: 'waiting', waitsFor: 'limit' });
  core.creditLimit = 2;
  core.longhand.tryAgain(core.service.baseUrl);
  expect(await core.advanceUntil(core.isSettled)).toBe(true);
  expect(core.row().state.kind).toBe('done');
  expect(core.service.violations).toEqual([]);
});

it('a job that was imported counts against the limit of the account at once', async () => {
  const core = await openScripted({ created: 'date' });
  core.creditLimit = 3;
  await core.addFile('first.wav');
  expect(await core.advanceUntil(core.isSettled)).toBe(true);
  expect(core.status().condition.kind).toBe('ready');
  const job = createJobOfOtherClient(core, 'elsewhere.mp3');
  await askForJobs(core);
  const imported = jobsAt(core).import([job.id], defaultTaskOptions);
  await core.pass(60_000);
  expect(await imported).toMatchObject({ done: 1 });
  await core.addFile('second.wav');
  await core.pass(60_000);
  expect(core.rows().at(-1)?.state).toMatchObject({ kind: 'waiting', waitsFor: 'limit' });
});

it('a watched folder counts what the service has measured for a recording of unknown duration', async () => {
  const core = await openScripted();
  const { watch } = core.longhand;
  const folder = { path: core.pathOf('.'), service: core.service.baseUrl, paused: false };
  const id = watch.add(folder, { skipsExisting: false }) ?? NaN;
  core.longhand.queue.setPaused(true);
  await core.addFile('talk.wav');
  const path = core.pathOf('talk.wav');
  const file = { path, sizeBytes: 2_500, mtimeMs: 1, fingerprint: 'content', itemId: core.row().id };
  const month = monthStart(core.clock.now());
  watch.recordAdded(id, [file], new Map([[path, { credits: 1, isMeasured: false }]]), month);
  core.longhand.queue.setPaused(false);
  expect(await core.advanceUntil(() => count(core, 'done') === 1)).toBe(true);
  // 90 seconds.
  expect(watch.creditsSince(id, month)).toBe(2);
  expect(core.service.account.balance).toBe(998);
});
