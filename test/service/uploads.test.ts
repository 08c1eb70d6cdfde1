import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat, symlink, truncate, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../support/clocks/manual-clock.ts';
import { startOnDevice, type TestService } from '../support/servers/on-device.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { Api, codeOf, partOf } from './support/api.ts';
import type { WireUpload } from './support/document.ts';
import { readToEnd } from './support/send-raw.ts';

const partBytes = 1000;

let service: TestService;
let api: Api;
let clock: ManualClock;

beforeEach(async () => {
  clock = new ManualClock();
  service = await startOnDevice({ clock, limits: { partBytes } });
  api = new Api(service);
});
afterEach(async () => service.stop());

const mediaPath = (id: string): string => join(service.dataFolder, 'media', id);

/** A recording of `parts` parts with distinct content. */
function recording(parts: number): Buffer {
  const file = Buffer.concat([silentWav(0, 44), randomBytes(partBytes * parts - 44 - 500)]);
  file.writeUInt32LE(16_000 * 2, 40);
  return file;
}

/** Sends a request with an incomplete body; returns its socket and a promise of its close. */
async function sendHalf(upload: WireUpload, part: number, bytes: Uint8Array, declared: number) {
  const url = new URL(upload.part_url);
  const socket = connect(Number(url.port), url.hostname);
  await once(socket, 'connect');
  const closed = readToEnd(socket);
  socket.write(
    `PUT ${url.pathname}?part_number=${part} HTTP/1.1\r\nHost: ${url.host}\r\n` +
      `Authorization: Bearer ${service.key}\r\nContent-Length: ${declared}\r\n\r\n`,
  );
  socket.write(bytes);
  return { socket, closed };
}

test('parts make up the file in any order', async () => {
  const file = recording(7);
  const { id, upload } = await api.session('a.wav', file.length);
  expect(upload).toMatchObject({ part_size: partBytes, part_count: 7 });
  for (const n of [3, 7, 1, 5, 2, 6, 4]) {
    expect((await api.put(upload, n, partOf(file, upload, n))).status).toBe(200);
  }
  expect(digest(await readFile(mediaPath(id)))).toBe(digest(file));
  expect((await api.complete(id)).status).toBe(202);
});

test('parts may be sent concurrently', async () => {
  const file = recording(20);
  const { id, upload } = await api.session('a.wav', file.length);
  const numbers = Array.from({ length: upload.part_count }, (_, i) => i + 1);
  const replies = await Promise.all(numbers.map((n) => api.put(upload, n, partOf(file, upload, n))));
  expect(replies.every(({ status }) => status === 200)).toBe(true);
  expect(digest(await readFile(mediaPath(id)))).toBe(digest(file));
});

test('a part that is sent again replaces the stored one', async () => {
  const file = recording(3);
  const { id, upload } = await api.session('a.wav', file.length);
  await api.put(upload, 2, Buffer.alloc(partBytes, 'x'));
  await api.putAll(upload, file);
  expect(digest(await readFile(mediaPath(id)))).toBe(digest(file));
});

test('the same part sent many times concurrently ends as one of the acknowledged ones', async () => {
  const { id, upload } = await api.session('a.wav', partBytes);
  const versions = Array.from({ length: 10 }, (_, i) => Buffer.alloc(partBytes, String(i)));
  const outcomes = await Promise.allSettled(versions.map((bytes) => api.put(upload, 1, bytes)));
  const stored = await readFile(mediaPath(id));
  const winner = versions.findIndex((bytes) => bytes.equals(stored));
  expect(winner).toBeGreaterThanOrEqual(0);
  expect(outcomes[winner]).toMatchObject({ status: 'fulfilled', value: { status: 200 } });
});

test('half a part does not count, and the completion lists what is missing', async () => {
  const file = recording(3);
  const { id, upload } = await api.session('a.wav', file.length);
  await api.put(upload, 1, partOf(file, upload, 1));
  await api.put(upload, 3, partOf(file, upload, 3));
  const { socket } = await sendHalf(upload, 2, Buffer.alloc(400), partBytes);
  await expect.poll(async () => (await stat(mediaPath(id))).size).toBe(file.length);
  socket.destroy();
  const reply = await api.complete(id);
  expect(codeOf(reply)).toBe('upload_incomplete');
  expect(JSON.stringify(reply.body)).toContain('1 of 3 parts have not arrived yet: 2.');
  await api.put(upload, 2, partOf(file, upload, 2));
  expect((await api.complete(id)).status).toBe(202);
});

test('a part whose second transfer broke off no longer counts', async () => {
  const file = recording(2);
  const { id, upload } = await api.session('a.wav', file.length);
  await api.putAll(upload, file);
  const { socket } = await sendHalf(upload, 1, Buffer.alloc(400, 'x'), partBytes);
  await expect.poll(async () => (await readFile(mediaPath(id))).subarray(0, 3).toString()).toBe('xxx');
  socket.destroy();
  expect(codeOf(await api.complete(id))).toBe('upload_incomplete');
});

test('a newer attempt at a part does not wait for one that hangs', async () => {
  const file = recording(1);
  const { id, upload } = await api.session('a.wav', file.length);
  const { closed } = await sendHalf(upload, 1, file.subarray(0, 100), file.length);
  await expect
    .poll(async () =>
      stat(mediaPath(id)).then(
        ({ size }) => size,
        () => 0,
      ),
    )
    .toBe(100);
  expect((await api.put(upload, 1, file)).status).toBe(200);
  await closed;
  expect((await api.complete(id)).status).toBe(202);
});

test('a deletion aborts an active transfer and removes its bytes', async () => {
  const { id, upload } = await api.session('a.wav', 3000);
  const { closed } = await sendHalf(upload, 1, Buffer.alloc(400), partBytes);
  await expect
    .poll(async () =>
      stat(mediaPath(id)).then(
        ({ size }) => size,
        () => 0,
      ),
    )
    .toBe(400);
  await api.delete(id);
  await closed;
  await expect
    .poll(async () =>
      stat(mediaPath(id)).then(
        () => 'there',
        () => 'gone',
      ),
    )
    .toBe('gone');
});

test('bytes missing from the disk are requested again', async () => {
  const file = recording(3);
  const { id, upload } = await api.session('a.wav', file.length);
  await api.putAll(upload, file);
  await truncate(mediaPath(id), 1500);
  expect(codeOf(await api.complete(id))).toBe('invalid_parts');
  expect(codeOf(await api.complete(id))).toBe('upload_incomplete');
  await api.putAll(upload, file);
  expect((await api.complete(id)).status).toBe(202);
});

test('a session expires a day after its last part', async () => {
  const hour = 60 * 60 * 1000;
  const file = recording(3);
  const { id, upload } = await api.session('a.wav', file.length);
  clock.advance(23.5 * hour);
  expect((await api.put(upload, 1, partOf(file, upload, 1))).status).toBe(200);
  clock.advance(23.5 * hour);
  expect((await api.put(upload, 2, partOf(file, upload, 2))).status).toBe(200);
  clock.advance(24 * hour);
  const late = await api.put(upload, 3, partOf(file, upload, 3));
  expect([late.status, codeOf(late)]).toEqual([410, 'upload_expired']);
  expect(codeOf(await api.complete(id))).toBe('upload_expired');
  clock.advance(hour);
  await expect.poll(async () => (await api.job(id)).status).toBe('failed');
  expect(codeOf(await api.put(upload, 3, partOf(file, upload, 3)))).toBe('upload_expired');
});

test('a part without a length is refused', async () => {
  const { upload } = await api.session('a.wav', 1000);
  const chunked = await fetch(`${upload.part_url}?part_number=1`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${service.key}` },
    body: new Blob([Buffer.alloc(1000)]).stream(),
    duplex: 'half',
  } as RequestInit);
  expect(chunked.status).toBe(400);
  expect(await chunked.json()).toMatchObject({ error: { code: 'part_size_mismatch' } });
});

test('a file name is shown as sent and never reaches the file system', async () => {
  const names = [
    'con.wav',
    'naïve – 会議 🎙.wav',
    '%2e%2e%2f.wav',
    '$(rm -rf ~).wav',
    "';DROP TABLE jobs;--.wav",
    '..wav',
  ];
  for (const name of names) {
    const { id, upload } = await api.session(name, 100);
    await api.put(upload, 1, Buffer.alloc(100));
    expect((await api.job(id)).file_name).toBe(name);
    expect((await stat(mediaPath(id))).isFile()).toBe(true);
  }
  const hostile = ['../a.wav', '/etc/a.wav', 'a\\b.wav', 'a\0.wav', 'a\n.wav', '..', '.', '', '\ud800.wav'];
  const replies = await Promise.all(hostile.map((name) => api.create({ file_name: name, file_size: 5 })));
  expect(replies.map(codeOf)).toEqual(hostile.map(() => 'invalid_json'));
});

/** Lets no file of this process grow beyond so many bytes, as a file system may. */
function limitFileSize(bytes: string): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`]);
}

describe.skipIf(process.platform !== 'linux')('a full disk', () => {
  test('is an error with a message, and passes once there is space', async () => {
    await service.stop();
    service = await startOnDevice();
    api = new Api(service);
    // Long enough that most of it is still in transit when the disk is full.
    const file = silentWav(400);
    const { id, upload } = await api.session('a.wav', file.length);
    await symlink('/dev/full', mediaPath(id));
    const reply = await api.put(upload, 1, partOf(file, upload, 1));
    expect([reply.status, codeOf(reply)]).toEqual([500, 'upload_failed']);
    expect(JSON.stringify(reply.body)).toContain('disk');
    await unlink(mediaPath(id));
    await api.putAll(upload, file);
    expect((await api.complete(id)).status).toBe(202);
  });

  test('is not a file that is too large for its file system', async () => {
    await service.stop();
    service = await startOnDevice();
    api = new Api(service);
    const file = silentWav(400);
    const { upload } = await api.session('a.wav', file.length);
    limitFileSize('4000000');
    try {
      const reply = await api.put(upload, 1, partOf(file, upload, 1));
      expect([reply.status, codeOf(reply)]).toEqual([413, 'file_too_large']);
    } finally {
      limitFileSize('unlimited');
    }
    await api.session('b.wav', file.length);
  });
});

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
