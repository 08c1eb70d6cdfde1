import { expect, it } from 'vitest';
import { idle } from '../support/servers/requests-in-flight.ts';
import { openScripted } from '../support/scripted-service/open-scripted.ts';

it('a recording that is moved to another service while it starts is sent there only', async () => {
  const core = await openScripted();
  const other = await core.addAccount();
  other.rules.expectFile('talk.wav', await core.addFile('talk.wav'));
  // It is starting: its file is being checked.
  await core.longhand.queue.moveWaiting(core.service.baseUrl, other.baseUrl);
  await core.advanceUntil(core.isSettled);
  expect(core.row()).toMatchObject({ service: other.baseUrl, state: { kind: 'done' } });
  expect(core.service.calls).toEqual([]);
  expect(other.callsOf('create')).toHaveLength(1);
});

it('a job that was reported before the access to its service changed continues', async () => {
  const core = await openScripted();
  await core.addLink('https://a.example/talk.mp3');
  // Until the response has arrived but is not stored yet.
  while (core.service.callsOf('create').length === 0) {
    core.clock.advance(1);
    await idle(core.service.isBusy);
  }
  await core.longhand.services.readKey(core.service.baseUrl);
  await core.advanceUntil(core.isSettled);
  expect(core.row().state.kind).toBe('done');
  expect(core.service.callsOf('create')).toHaveLength(1);
});

it('an upload continues while create requests before it in the queue wait for credits', async () => {
  const core = await openScripted();
  core.parallelUploads = 4;
  const busy = { kind: 'refusal', status: 503, code: 'queue_unavailable', tookEffect: false } as const;
  core.service.inject({ endpoint: 'part', from: 1, times: 1, fault: busy });
  await core.addFile('begun.wav');
  expect(await core.advanceUntil(() => core.row().attempts > 0)).toBe(true);
  const { id: begun } = core.row();
  core.longhand.queue.pause([begun]);
  const fault = { kind: 'refusal', status: 402, code: 'insufficient_credits', tookEffect: false } as const;
  const outage = core.service.inject({ endpoint: 'create', from: 2, times: Infinity, fault });
  for (const number of [1, 2, 3, 4]) await core.addFile(`new-${number}.wav`);
  const creating = () => core.rows().filter(({ state }) => state.kind === 'creating');
  expect(await core.advanceUntil(() => creating().length === 4)).toBe(true);
  core.longhand.queue.move([begun], { kind: 'after', id: creating().at(-1)?.id ?? 0 });
  core.longhand.queue.resume([begun]);
  expect(await core.advanceUntil(() => core.rows().at(-1)?.state.kind === 'done', 60_000)).toBe(true);
  outage.remove();
  core.longhand.tryAgain(core.service.baseUrl);
  await core.advanceUntil(core.isSettled);
});

it('recordings of a removed account are sent with another one, except those that may have a job', async () => {
  const core = await openScripted();
  const other = await core.addAccount();
  core.service.account.holdsJobs = true;
  const fault = { kind: 'refusal', status: 401, code: 'invalid_api_key', tookEffect: false } as const;
  const { longhand } = core;
  // One is in progress, one was refused, one was never requested, and one has ended.
  await core.addLink('https://a.example/under-way.mp3');
  await core.advanceUntil(() => core.row().state.kind === 'transcribing');
  core.service.inject({ endpoint: 'create', from: 2, times: Infinity, fault });
  await core.addLink('https://a.example/refused.mp3');
  await core.advanceUntil(() => core.status().condition.kind === 'stopped');
  await core.addLink('https://a.example/waiting.mp3');
  await core.addLink('https://a.example/ended.mp3');
  const ids = core.rows().map(({ id }) => id);
  longhand.queue.cancel(ids.slice(3));
  expect(core.rows().map(({ movable }) => movable)).toEqual([false, true, true, true]);

  // What may have a job stays, and the user is asked.
  expect(await longhand.queue.moveToService(ids, other.baseUrl)).toEqual({ changed: 3, notMoved: 1 });
  await core.advanceUntil(() =>
    core
      .rows()
      .slice(1)
      .every(({ state }) => state.kind === 'done'),
  );
  expect(core.rows().map(({ service }) => service)).toEqual([
    core.service.baseUrl,
    other.baseUrl,
    other.baseUrl,
    other.baseUrl,
  ]);
  expect(other.callsOf('create')).toHaveLength(3);
  expect(await longhand.queue.moveToService(ids, other.baseUrl)).toEqual({ changed: 0, notMoved: 1 });

  expect(await longhand.queue.moveToService(ids, other.baseUrl, true)).toEqual({ changed: 1, notMoved: 0 });
  await core.advanceUntil(core.isSettled);
  expect(core.rows()[0]).toMatchObject({ service: other.baseUrl, state: { kind: 'done' } });
});

it('the rest of an account whose key is refused includes what it transcribes', async () => {
  const core = await openScripted();
  const other = await core.addAccount();
  const { queue } = core.longhand;
  const from = core.service.baseUrl;
  core.service.account.holdsJobs = true;
  await core.addLink('https://a.example/talk.mp3');
  await core.advanceUntil(() => core.row().state.kind === 'transcribing');
  const fault = { kind: 'refusal', status: 401, code: 'invalid_api_key', tookEffect: false } as const;
  core.service.inject({ endpoint: 'status', from: 2, times: Infinity, fault });
  expect(await core.advanceUntil(() => core.status().condition.kind === 'stopped', 60_000)).toBe(true);
  const { stalled } = queue.view({ filter: 'all', offset: 0, limit: 0 }).summary;
  expect(stalled).toMatchObject([{ service: from, recordings: 1 }]);
  expect(await queue.moveStalled(from, other.baseUrl, false)).toEqual({ changed: 0, notMoved: 1 });
  const unknown = 'https://unknown.example';
  expect(await queue.moveStalled(unknown, other.baseUrl, true)).toEqual({ changed: 0, notMoved: 0 });
  expect(core.longhand.services.requestedServices()).not.toContain(unknown);
  expect(await queue.moveStalled(from, other.baseUrl, true)).toEqual({ changed: 1, notMoved: 0 });
  await core.advanceUntil(core.isSettled);
  expect(core.row()).toMatchObject({ service: other.baseUrl, state: { kind: 'done' } });
});

it('what a stopped service may have a job for is moved only with consent, even while it is being cancelled', async () => {
  const core = await openScripted();
  const other = await core.addAccount();
  const { queue } = core.longhand;
  const from = core.service.baseUrl;
  // The response to the first create request is lost, then the key is refused.
  const lost = { kind: 'reset', tookEffect: true } as const;
  core.service.inject({ endpoint: 'create', from: 1, times: 1, fault: lost });
  const fault = { kind: 'refusal', status: 401, code: 'invalid_api_key', tookEffect: false } as const;
  core.service.inject({ endpoint: 'create', from: 2, times: Infinity, fault });
  await core.addLink('https://a.example/talk.mp3');
  await core.advanceUntil(() => core.status().condition.kind === 'stopped');
  const { stalled } = queue.view({ filter: 'all', offset: 0, limit: 0 }).summary;
  expect(stalled).toMatchObject([{ service: from, recordings: 1 }]);
  expect(await queue.moveStalled(from, other.baseUrl, false)).toEqual({ changed: 0, notMoved: 1 });
  // Only the service knows whether there is a job to cancel.
  expect(queue.cancel([core.row().id])).toEqual({ stillCancelling: 1 });
  expect(core.row()).toMatchObject({ state: { kind: 'cancelling' }, waitReason: 'key' });
  expect(await queue.moveToService([core.row().id], other.baseUrl)).toEqual({ changed: 0, notMoved: 1 });
  expect(await queue.moveToService([core.row().id], other.baseUrl, true)).toEqual({
    changed: 1,
    notMoved: 0,
  });
  await core.advanceUntil(core.isSettled);
  expect(core.row()).toMatchObject({ service: other.baseUrl, state: { kind: 'done' } });
});
