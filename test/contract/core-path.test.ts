import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Longhand } from '../../electron/core/longhand.ts';
import { add, openCore, rowsOf, waitUntilSettled } from '../support/core.ts';
import { transcriptOf } from '../support/transcript-of.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { startOnDevice, type TestService } from '../support/servers/on-device.ts';
import { silentWav } from '../support/speech/quick-speech.ts';

describe('a recording in the core and the on-device service', () => {
  let folder: TemporaryFolder;
  let service: TestService;
  let longhand: Longhand;

  beforeEach(async () => {
    folder = await temporaryFolder();
    service = await startOnDevice({
      dataFolder: join(folder.path, 'service'),
      limits: { partBytes: 64 * 1024 },
    });
    longhand = openCore(join(folder.path, 'data'));
    longhand.services.openOnDevice(service.baseUrl, service.key);
    longhand.start();
  });

  afterEach(async () => {
    await longhand.close();
    await service.stop();
    await folder.remove();
  });

  const recording = async (name: string, seconds: number): Promise<string> => {
    const path = join(folder.path, name);
    await writeFile(path, silentWav(seconds));
    return path;
  };

  it('becomes a saved transcript', async () => {
    const report = await add(longhand, [await recording('interview.wav', 5)]);
    expect(report).toMatchObject({ added: 1, rejected: [] });

    const [row] = await waitUntilSettled(longhand, 'done');
    expect(row).toMatchObject({
      name: 'interview.wav',
      durationSeconds: 5,
      state: { kind: 'done', wordCount: 9 },
    });
    expect(longhand.transcripts.get(transcriptOf(row))).toMatchObject({
      language: 'en',
      text: 'The quick brown fox jumps over the lazy dog.',
      segments: [
        { start: 0, end: 0.5, text: 'The quick brown fox' },
        { start: 0.5, end: 1, text: 'jumps over the lazy dog.' },
      ],
    });
  });

  it('continues after a restart with one job and one transcript', async () => {
    await add(longhand, [await recording('long.wav', 60), await recording('short.wav', 2)]);
    await longhand.close();

    longhand = openCore(join(folder.path, 'data'));
    longhand.services.openOnDevice(service.baseUrl, service.key);
    longhand.start();
    await waitUntilSettled(longhand, 'done');

    expect(longhand.library.counts().total).toBe(2);
    const response = await fetch(`${service.baseUrl}/api/v1/transcriptions`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    expect(((await response.json()) as { data: unknown[] }).data).toHaveLength(2);
  });

  it('is not added twice while it is in progress', async () => {
    longhand.queue.setPaused(true);
    const first = await recording('first.wav', 3);
    const copy = await recording('copy.wav', 3);
    const report = await add(longhand, [first, copy, first]);
    expect(report.added).toBe(1);
    expect(report.rejected.map(({ problem }) => problem.code)).toEqual(['already_queued', 'already_queued']);
  });

  it('is distinguished from one that differs outside the fingerprint', async () => {
    longhand.queue.setPaused(true);
    const wave = silentWav(10);
    const other = Buffer.from(wave);
    other[30_000] = 1;
    await writeFile(join(folder.path, 'one.wav'), wave);
    await writeFile(join(folder.path, 'two.wav'), other);
    const report = await add(longhand, [join(folder.path, 'one.wav'), join(folder.path, 'two.wav')]);
    expect(report).toMatchObject({ added: 2, rejected: [] });
  });

  it('is added while others are rejected with their reasons', async () => {
    longhand.queue.setPaused(true);
    const good = await recording('good.wav', 1);
    const text = join(folder.path, 'notes.mp3');
    const empty = join(folder.path, 'empty.wav');
    await writeFile(text, 'These are only notes.\n');
    await writeFile(empty, '');
    const missing = join(folder.path, 'missing.wav');
    const report = await add(longhand, [text, good, empty, missing], 'on-device', [
      'no link',
      'http://example.com/a.mp3',
    ]);
    expect(report.added).toBe(1);
    expect(report.rejected.map(({ name, problem }) => [name, problem.code])).toEqual([
      ['notes.mp3', 'not_media'],
      ['empty.wav', 'file_empty'],
      ['missing.wav', 'path_missing'],
      ['no link', 'invalid_link'],
      ['http://example.com/a.mp3', 'insecure_remote_url'],
    ]);
  });

  it('is blocked if it has changed, and accepted as it is on retry', async () => {
    longhand.queue.setPaused(true);
    const path = await recording('growing.wav', 4);
    await add(longhand, [path]);
    await appendFile(path, Buffer.alloc(10));
    longhand.queue.setPaused(false);
    const [row] = await waitUntilSettled(longhand, 'blocked');
    expect(row?.state).toMatchObject({ kind: 'blocked', problem: { code: 'file_changed' } });

    await longhand.queue.retry([row?.id ?? -1]);
    await waitUntilSettled(longhand, 'done');
  });

  it('is removed from the list once the service has deleted its job', async () => {
    await add(longhand, [await recording('unwanted.wav', 30)]);
    longhand.queue.remove(rowsOf(longhand).map(({ id }) => id));
    await waitUntilSettled(longhand);
    expect(rowsOf(longhand)).toEqual([]);
  });

  it('is cancelled at the service as well', async () => {
    await add(longhand, [await recording('unwanted.wav', 30)]);
    const [row] = rowsOf(longhand);
    longhand.queue.cancel([row?.id ?? -1]);
    await waitUntilSettled(longhand, 'cancelled');
    const response = await fetch(`${service.baseUrl}/api/v1/transcriptions`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    const { data } = (await response.json()) as { data: { status: string }[] };
    expect(data.every(({ status }) => status === 'deleted')).toBe(true);
    expect(longhand.library.counts().total).toBe(0);
  });
});
