import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { silentWav } from '../support/speech/quick-speech.ts';
import { add } from '../support/core.ts';
import type { ScriptedCore } from '../support/scripted-service/scripted-core.ts';
import { openScripted } from '../support/scripted-service/open-scripted.ts';

const minute = 60_000;

/** Recordings are named after the minutes that they last, and so the credits that they need. */
const secondsOf = (name: string): number => 60 * Number(/(\d)-min/.exec(name)?.[1]);

/** Opens a core with an account of few credits that counts them after the upload. */
async function openPoor(balance: number): Promise<ScriptedCore> {
  const core = await openScripted();
  Object.assign(core.service.account, {
    balance,
    checksCreditsLate: true,
    secondsOf,
  });
  return core;
}

/** Adds a recording whose duration is known before it is sent. */
async function addMinutes(core: ScriptedCore, minutes: number): Promise<void> {
  const name = `${minutes}-min.wav`;
  const bytesPerSecond = 4;
  const wave = silentWav(1, 44 + minutes * 60 * bytesPerSecond);
  wave.writeUInt32LE(bytesPerSecond / 2, 24);
  wave.writeUInt32LE(bytesPerSecond, 28);
  wave.fill(minutes, 44);
  await writeFile(core.pathOf(name), wave);
  core.service.rules.expectFile(name, wave);
  core.longhand.queue.setPaused(true);
  await add(core.longhand, [core.pathOf(name)], core.service.baseUrl);
  await expect.poll(() => core.rows().at(-1)?.durationSeconds).toBe(minutes * 60);
  core.longhand.queue.setPaused(false);
}

const states = (core: ScriptedCore): readonly string[] => core.rows().map(({ state }) => state.kind);

it('what an account can pay for is transcribed while a longer recording waits for credits', async () => {
  const core = await openPoor(3);
  await addMinutes(core, 4);
  expect(await core.advanceUntil(() => core.status().condition.kind === 'no-credits')).toBe(true);
  expect(core.row().state).toMatchObject({ waitsFor: 'credits' });
  await addMinutes(core, 3);
  await addMinutes(core, 1);
  expect(await core.advanceUntil(() => states(core)[1] === 'done')).toBe(true);
  await core.pass(10 * minute);
  expect(states(core)).toEqual(['waiting', 'done', 'waiting']);
  expect(core.status().condition.kind).toBe('no-credits');
  // Each was sent once, and nothing that cannot be paid for is sent again.
  expect(core.service.callsOf('create')).toHaveLength(2);
  core.service.account.balance += 1;
  await core.pass(2 * minute);
  expect(states(core)).toEqual(['waiting', 'done', 'done']);
  core.service.account.balance += 4;
  expect(await core.advanceUntil(core.isSettled)).toBe(true);
});

it('an account is no longer without credits once nothing waits for more of them', async () => {
  const core = await openPoor(3);
  await addMinutes(core, 4);
  await core.advanceUntil(() => core.status().condition.kind === 'no-credits');
  core.longhand.queue.pause([core.row().id]);
  expect(core.status().condition.kind).toBe('ready');
  core.longhand.queue.resume([core.row().id]);
  expect(core.status().condition.kind).toBe('no-credits');
});

it('recordings of unknown duration wait for the one that was refused, but not once it has left', async () => {
  const core = await openPoor(3);
  await core.addLink('https://a.example/4-min.mp3');
  await core.advanceUntil(() => core.status().condition.kind === 'no-credits');
  await core.addLink('https://a.example/2-min.mp3');
  await core.pass(10 * minute);
  expect(core.service.callsOf('create')).toHaveLength(1);
  core.longhand.queue.pause([core.rows()[0]?.id ?? 0]);
  expect(await core.advanceUntil(() => states(core)[1] === 'done', minute)).toBe(true);
});
