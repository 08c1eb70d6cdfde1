import {
  appendFile,
  copyFile,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultJobOptions } from '../../electron/contract/options.ts';
import { inspectFile } from '../../electron/core/media/inspect-files.ts';
import { add } from '../support/core.ts';
import { testFolder } from '../support/test-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { openScripted } from '../support/scripted-service/open-scripted.ts';
import type { ScriptedCore } from '../support/scripted-service/scripted-core.ts';
import { bytesOf, type ScriptedJob } from '../support/scripted-service/jobs.ts';

const jobsOf = (core: ScriptedCore): readonly ScriptedJob[] => [...core.service.account.jobs.values()];

const fault = {
  kind: 'refusal',
  status: 503,
  code: 'queue_unavailable',
  retryAfter: '60',
  tookEffect: false,
} as const;

/** A recording of whose three parts one has arrived. */
async function halfSent(): Promise<ScriptedCore> {
  const core = await openScripted();
  await core.addFile('talk.wav');
  const held = core.service.inject({ endpoint: 'part', from: 2, times: 1, fault });
  await core.advanceUntil(() => held.affectedCount > 0 && core.row().attempts > 0);
  return core;
}

async function blockedBy(core: ScriptedCore, code: string): Promise<void> {
  expect(await core.advanceUntil(core.isSettled)).toBe(true);
  expect(core.row().state).toMatchObject({ kind: 'blocked', problem: { code } });
}

/** Expects the recording to be done with its first job, or with `jobs` of which one was charged. */
async function doneWith(core: ScriptedCore, statuses: readonly string[] = ['completed']): Promise<void> {
  await core.advanceUntil(core.isSettled);
  expect(core.row().state.kind).toBe('done');
  expect(jobsOf(core).map(({ status }) => status)).toEqual(statuses);
  expect(core.service.account.balance).toBe(998);
}

describe('a file during its upload', () => {
  it('is located after it was moved and renamed', async () => {
    const core = await halfSent();
    const moved = core.pathOf('moved');
    await mkdir(moved);
    await rename(core.pathOf('talk.wav'), join(moved, 'Rede 🎙.wav'));
    await blockedBy(core, 'file_missing');
    await core.longhand.queue.locate(core.row().id, join(moved, 'Rede 🎙.wav'));
    expect(core.row().name).toBe('Rede 🎙.wav');
    await doneWith(core);
    expect(core.service.callsOf('part')).toHaveLength(4);
  });

  it('is located as a copy on another drive', async () => {
    const core = await halfSent();
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const copy = join(folder.path, 'talk.wav');
    await copyFile(core.pathOf('talk.wav'), copy);
    await rm(core.pathOf('talk.wav'));
    await blockedBy(core, 'file_missing');
    await core.longhand.queue.locate(core.row().id, copy);
    await doneWith(core);
    expect(core.service.callsOf('part')).toHaveLength(4);
  });

  it('continues when its drive was unplugged and is back', async () => {
    const core = await halfSent();
    await rename(core.pathOf('talk.wav'), core.pathOf('away'));
    await blockedBy(core, 'file_missing');
    await rename(core.pathOf('away'), core.pathOf('talk.wav'));
    await core.longhand.queue.retry([core.row().id]);
    await doneWith(core);
    expect(core.service.callsOf('part')).toHaveLength(4);
  });

  it('resumes with all others that are blocked', async () => {
    const core = await halfSent();
    await rename(core.pathOf('talk.wav'), core.pathOf('away'));
    await blockedBy(core, 'file_missing');
    await rename(core.pathOf('away'), core.pathOf('talk.wav'));
    await core.longhand.queue.retryAll();
    await doneWith(core);
    expect(core.service.callsOf('part')).toHaveLength(4);
  });

  it('resumes automatically on a drive that has renumbered its files', async () => {
    const core = await openScripted();
    core.longhand.queue.setPaused(true);
    const path = core.pathOf('talk.wav');
    await writeFile(path, silentWav(1, 2_500));
    // Every file system stores whole seconds.
    await utimes(path, 1_700_000_000, 1_700_000_000);
    await add(core.longhand, [path], core.service.baseUrl);
    const before = await stat(path);
    await copyFile(path, core.pathOf('copy'));
    await utimes(core.pathOf('copy'), 1_700_000_000, 1_700_000_000);
    await rename(core.pathOf('copy'), path);
    expect((await stat(path)).ino).not.toBe(before.ino);
    core.longhand.queue.setPaused(false);
    await doneWith(core);
  });

  it('of a watched folder is never reached through a link', async () => {
    const core = await openScripted();
    core.longhand.queue.setPaused(true);
    const path = core.pathOf('talk.wav');
    await writeFile(path, silentWav(1, 2_500));
    const inspected = await inspectFile(path);
    if (inspected.kind !== 'file') throw new Error('no recording');
    await core.longhand.queue.add({
      paths: [path],
      watched: {
        folder: core.pathOf('.'),
        fingerprints: new Map([[path, inspected.fingerprint]]),
        onStored: () => undefined,
        onRejected: () => undefined,
      },
      links: [],
      service: core.service.baseUrl,
      options: defaultJobOptions,
      autoExports: null,
      signal: new AbortController().signal,
    });
    const outside = join(await testFolder(), 'secret.wav');
    await copyFile(path, outside);
    await utimes(outside, 1_700_000_000, 1_700_000_000);
    await rename(path, core.pathOf('away'));
    await symlink(outside, path);
    core.longhand.queue.setPaused(false);
    await blockedBy(core, 'file_changed');
    await core.longhand.queue.retry([core.row().id]);
    await blockedBy(core, 'file_changed');
    await expect(core.longhand.queue.locate(core.row().id, path)).rejects.toMatchObject({
      problem: { code: 'not_a_file' },
    });
    expect(core.service.callsOf('part')).toHaveLength(0);
    await rename(core.pathOf('away'), path);
    await core.longhand.queue.retry([core.row().id]);
    await doneWith(core);
  });

  it('continues when it was put back as a copy', async () => {
    const core = await halfSent();
    const bytes = await readFile(core.pathOf('talk.wav'));
    await rm(core.pathOf('talk.wav'));
    await blockedBy(core, 'file_missing');
    await writeFile(core.pathOf('talk.wav'), bytes);
    await core.longhand.queue.retry([core.row().id]);
    await doneWith(core);
    expect(core.service.callsOf('part')).toHaveLength(4);
  });

  it('continues without the user once it is back, but not with another file in its place', async () => {
    const core = await halfSent();
    const bytes = await readFile(core.pathOf('talk.wav'));
    await rm(core.pathOf('talk.wav'));
    await blockedBy(core, 'file_missing');
    await core.longhand.queue.retryReturnedFiles();
    await blockedBy(core, 'file_missing');
    await writeFile(core.pathOf('talk.wav'), bytes.subarray(0, -1));
    await core.longhand.queue.retryReturnedFiles();
    await blockedBy(core, 'file_missing');
    await writeFile(core.pathOf('talk.wav'), bytes);
    await core.longhand.queue.retryReturnedFiles();
    await doneWith(core);
    expect(core.service.callsOf('part')).toHaveLength(4);
  });

  it('continues without the user once it is readable again, but only once if a part of it stays unreadable', async () => {
    const core = await halfSent();
    const path = core.pathOf('talk.wav');
    const becomeUnreadable = async (): Promise<void> => {
      await rename(path, core.pathOf('away'));
      // A link to itself.
      await symlink(path, path);
    };
    const becomeReadable = async (): Promise<void> => {
      await rm(path);
      await rename(core.pathOf('away'), path);
    };
    await becomeUnreadable();
    await blockedBy(core, 'file_unreadable');
    await core.longhand.queue.retryReturnedFiles();
    await blockedBy(core, 'file_unreadable');
    await becomeReadable();
    // Held until it is unreadable again, for example at a part that is damaged.
    core.longhand.queue.setPaused(true);
    await core.longhand.queue.retryReturnedFiles();
    expect(core.row().state.kind).toBe('uploading');
    await becomeUnreadable();
    core.longhand.queue.setPaused(false);
    await blockedBy(core, 'file_unreadable');
    await becomeReadable();
    await core.longhand.queue.retryReturnedFiles();
    await blockedBy(core, 'file_unreadable');
    await becomeUnreadable();
    await core.longhand.queue.retryReturnedFiles();
    await becomeReadable();
    await core.longhand.queue.retryReturnedFiles();
    await doneWith(core);
  });

  it('continues whenever it is back after it was unreadable once', async () => {
    const core = await halfSent();
    const path = core.pathOf('talk.wav');
    await rename(path, core.pathOf('away'));
    await symlink(path, path);
    await blockedBy(core, 'file_unreadable');
    await rm(path);
    await rename(core.pathOf('away'), path);
    core.longhand.queue.setPaused(true);
    await core.longhand.queue.retryReturnedFiles();
    // Gone and back between two checks.
    await rename(path, core.pathOf('away'));
    core.longhand.queue.setPaused(false);
    await blockedBy(core, 'file_missing');
    await rename(core.pathOf('away'), path);
    await core.longhand.queue.retryReturnedFiles();
    await doneWith(core);
    expect(core.service.callsOf('part')).toHaveLength(4);
  });

  it('continues once more for each part that was sent since it was unreadable', async () => {
    const core = await halfSent();
    const path = core.pathOf('talk.wav');
    const becomeUnreadableForOneCheck = async (): Promise<void> => {
      await rename(path, core.pathOf('away'));
      await symlink(path, path);
      await blockedBy(core, 'file_unreadable');
      await rm(path);
      await rename(core.pathOf('away'), path);
      await core.longhand.queue.retryReturnedFiles();
    };
    const held = core.service.inject({ endpoint: 'part', from: 4, times: 1, fault });
    await becomeUnreadableForOneCheck();
    await core.advanceUntil(() => held.affectedCount > 0 && core.row().attempts > 0);
    await becomeUnreadableForOneCheck();
    await doneWith(core);
    expect(core.service.callsOf('part')).toHaveLength(5);
  });

  it('is sent again, but charged once, when it was replaced by the same content', async () => {
    const core = await halfSent();
    const bytes = await readFile(core.pathOf('talk.wav'));
    await rm(core.pathOf('talk.wav'));
    await writeFile(core.pathOf('talk.wav'), bytes);
    await blockedBy(core, 'file_changed');
    expect(core.service.account.balance).toBe(1_000);
    await core.longhand.queue.retry([core.row().id]);
    await doneWith(core, ['deleted', 'completed']);
  });

  it('is not accepted if another file is located', async () => {
    const core = await halfSent();
    const other = await readFile(core.pathOf('talk.wav'));
    other[other.length - 1] = (other.at(-1) ?? 0) ^ 1;
    await rename(core.pathOf('talk.wav'), core.pathOf('away'));
    await writeFile(core.pathOf('other.wav'), other);
    await blockedBy(core, 'file_missing');
    await expect(core.longhand.queue.locate(core.row().id, core.pathOf('other.wav'))).rejects.toMatchObject({
      problem: { code: 'other_content' },
    });
    await blockedBy(core, 'file_missing');
    expect(jobsOf(core)).toHaveLength(1);
    await core.longhand.queue.locate(core.row().id, core.pathOf('away'));
    await doneWith(core);
  });

  it('is not accepted if another file replaced it, unless the user confirms it', async () => {
    const core = await halfSent();
    const other = await readFile(core.pathOf('talk.wav'));
    other[100] = (other[100] ?? 0) ^ 1;
    await rm(core.pathOf('talk.wav'));
    await blockedBy(core, 'file_missing');
    await writeFile(core.pathOf('talk.wav'), other);
    await core.longhand.queue.retry([core.row().id]);
    await blockedBy(core, 'file_changed');
    expect(jobsOf(core).map(({ status }) => status)).toEqual(['deleted']);
    core.service.rules.expectFile('talk.wav', other);
    await core.longhand.queue.retry([core.row().id]);
    await doneWith(core, ['deleted', 'completed']);
  });

  it('has the duration of the file that is sent after it changed', async () => {
    const core = await openScripted();
    core.longhand.queue.setPaused(true);
    const path = core.pathOf('talk.wav');
    await writeFile(path, silentWav(1));
    await add(core.longhand, [path], core.service.baseUrl);
    await expect.poll(() => core.row().durationSeconds).toBe(1);
    await writeFile(path, silentWav(90));
    core.longhand.queue.setPaused(false);
    await blockedBy(core, 'file_changed');
    core.longhand.queue.setPaused(true);
    await core.longhand.queue.retry([core.row().id]);
    await expect.poll(() => core.row().durationSeconds).toBe(90);
  });

  it.each([
    ['grows', (path: string) => appendFile(path, 'more')],
    ['shrinks', (path: string) => truncate(path, 2_000)],
    ['is emptied', (path: string) => truncate(path, 0)],
    ['is touched', (path: string) => utimes(path, 1, 1)],
  ])('stops, and its job is deleted, when it %s', async (_how, change) => {
    const core = await halfSent();
    await change(core.pathOf('talk.wav'));
    await blockedBy(core, 'file_changed');
    expect(jobsOf(core).map(({ status, charged }) => [status, charged])).toEqual([['deleted', 0]]);
  });
});

describe('a name', () => {
  const names = [
    'Интервью 🎙👩‍💻.wav',
    'مقابلة مع \u202Eexe.wav',
    'one\ntwo\r\n.wav',
    `${'ü'.repeat(125)}x.wav`,
    ' .wav',
    'CON.wav',
    'a\\b:c*?"<>|.wav',
    '%2e%2e%2f.wav',
    `e\u0301.wav`,
  ];

  it.each(names)('of any kind is transcribed: %j', async (name) => {
    const core = await openScripted();
    await core.addFile(name);
    await core.advanceUntil(core.isSettled);
    expect(core.row()).toMatchObject({ name, state: { kind: 'done' } });
    const [job] = jobsOf(core);
    if (job === undefined) throw new Error('no job');
    expect(bytesOf(job).equals(await readFile(core.pathOf(name)))).toBe(true);
    expect(job.content).not.toMatch(/[\p{Cc}/\\\u202A-\u202E]/u);
    expect(core.longhand.transcripts.get(1)?.name).toBe(name);
  });

  it.each(names)('of any kind is located: %j', async (name) => {
    const core = await halfSent();
    await rename(core.pathOf('talk.wav'), core.pathOf(name));
    await blockedBy(core, 'file_missing');
    await core.longhand.queue.locate(core.row().id, core.pathOf(name));
    expect(core.row().name).toBe(name);
    await doneWith(core);
  });
});
