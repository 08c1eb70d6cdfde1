import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../support/clocks/manual-clock.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { listSchema } from './support/document.ts';
import { inPieces, useLinks, type Handler, type Links } from './support/link-service.ts';

const current = useLinks();
let links: Links;
let dataFolder: string;
beforeEach(async () => {
  links = current();
  dataFolder = await mkdtemp(join(tmpdir(), 'longhand-service-'));
});
afterEach(async () => {
  await links.service.halt();
  await rm(dataFolder, { recursive: true, force: true });
});

type Headers = Readonly<Record<string, string | number>>;

const wave = silentWav(5);
const other = silentWav(4);
const cut = 50_000;

const stored = async (id: string): Promise<Buffer> => readFile(join(dataFolder, 'media', id));

/** Sends the beginning of the recording, then nothing. */
const beginning =
  (headers: Headers): Handler =>
  (_request, response) =>
    void response.writeHead(200, { 'content-length': wave.length, ...headers }).write(wave.subarray(0, cut));

/** The state of the only job. */
async function status(): Promise<string> {
  const [only] = listSchema.parse((await links.api.list()).body);
  return (await links.api.job(only?.id ?? '')).status;
}

/** A download that a shutdown interrupts. */
async function interrupted(headers: Headers): Promise<string> {
  links.handler = beginning(headers);
  await links.start({ dataFolder });
  const id = await links.submit(links.to('/a.wav'));
  const half = Promise.withResolvers<void>();
  links.onceStored(cut, half.resolve);
  await half.promise;
  await links.service.halt();
  return id;
}

describe('a download when the service starts again', () => {
  const longAgo = 'Mon, 02 Mar 2020 10:00:00 GMT';

  test.each<[string, string, Headers]>([
    ['a tag', '"v1"', { etag: '"v1"' }],
    ['a time', longAgo, { 'last-modified': longAgo }],
    ['a time next to a weak tag', longAgo, { etag: 'W/"v1"', 'last-modified': longAgo }],
  ])(
    'resumes at the same offset if the server identifies the version by %s',
    async (_, validator, headers) => {
      const id = await interrupted(headers);
      links.handler = inPieces(wave, validator, wave.length, 0);
      await links.start({ dataFolder });
      await links.api.until(id, 'completed');
      expect(links.requests).toEqual(['/a.wav', `/a.wav bytes=${cut}- ${validator}`]);
      expect((await stored(id)).equals(wave)).toBe(true);
      expect(await links.mediaFiles()).toEqual([id]);
    },
  );

  test.each<[string, Headers]>([
    ['has no validator', {}],
    ['has only a weak tag', { etag: 'W/"v1"' }],
    ['is too recent for its time to be reliable', { 'last-modified': longAgo, date: longAgo }],
  ])('starts over if its version %s', async (_, headers) => {
    const id = await interrupted(headers);
    links.handler = (_request, response) => void response.end(wave);
    await links.start({ dataFolder });
    await links.api.until(id, 'completed');
    expect(links.requests).toEqual(['/a.wav', '/a.wav']);
    expect((await stored(id)).equals(wave)).toBe(true);
  });

  test('starts over if the file has changed', async () => {
    const id = await interrupted({ etag: '"v1"' });
    links.handler = inPieces(other, '"v2"', other.length, 0);
    await links.start({ dataFolder });
    await links.api.until(id, 'completed');
    expect(links.requests).toEqual(['/a.wav', `/a.wav bytes=${cut}- "v1"`]);
    expect((await stored(id)).equals(other)).toBe(true);
  });

  test('starts over if the server does not support ranges', async () => {
    const id = await interrupted({ etag: '"v1"' });
    links.handler = (_request, response) => void response.setHeader('etag', '"v1"').end(wave);
    await links.start({ dataFolder });
    await links.api.until(id, 'completed');
    expect(links.requests).toEqual(['/a.wav', `/a.wav bytes=${cut}- "v1"`]);
    expect((await stored(id)).equals(wave)).toBe(true);
  });

  test.each<[string, Headers, number]>([
    ['another tag', { etag: '"v2"' }, wave.length],
    ['another length', {}, wave.length + 1000],
  ])('starts over if the server ignores the condition and its range has %s', async (_, headers, total) => {
    const id = await interrupted({ etag: '"v1"' });
    links.handler = (request, response) => {
      if (request.headers.range === undefined) response.end(other);
      else
        response.writeHead(206, { ...headers, 'content-range': `bytes ${cut}-${total - 1}/${total}` }).end();
    };
    await links.start({ dataFolder });
    await links.api.until(id, 'completed');
    expect(links.requests).toEqual(['/a.wav', `/a.wav bytes=${cut}- "v1"`, '/a.wav']);
    expect((await stored(id)).equals(other)).toBe(true);
  });

  test('starts over if its bytes are missing', async () => {
    const id = await interrupted({ etag: '"v1"' });
    await rm(join(dataFolder, 'media', id));
    links.handler = inPieces(wave, '"v1"', wave.length, 0);
    await links.start({ dataFolder });
    await links.api.until(id, 'completed');
    expect(links.requests).toEqual(['/a.wav', '/a.wav']);
    expect((await stored(id)).equals(wave)).toBe(true);
  });

  describe('has a time limit of six hours over all runs', () => {
    const hour = 60 * 60_000;
    let clock: ManualClock;
    beforeEach(() => {
      clock = new ManualClock();
    });

    /** A run of the service with one request that hangs. */
    async function run(): Promise<void> {
      links.handler = beginning({ etag: '"v1"' });
      const before = links.requests.length;
      await links.start({ dataFolder, clock });
      if (before === 0) await links.submit(links.to('/a.wav'));
      await expect.poll(() => links.requests.length).toBe(before + 1);
    }

    test('and fails afterwards', async () => {
      await run();
      clock.advance(4 * hour);
      await links.service.halt();
      await run();
      clock.advance(1.9 * hour);
      expect(await status()).toBe('uploading');
      clock.advance(0.1 * hour);
      await expect.poll(status).toBe('failed');
    });

    test('which does not count time between runs', async () => {
      await run();
      clock.advance(4 * hour);
      await links.service.halt();
      clock.advance(12 * hour);
      await run();
      expect(await status()).toBe('uploading');
      links.handler = inPieces(wave, '"v1"', wave.length, 0);
      await links.service.halt();
      await links.start({ dataFolder });
      await expect.poll(status).toBe('completed');
    });
  });

  test('leaves nothing when its job is deleted then', async () => {
    const id = await interrupted({ etag: '"v1"' });
    links.handler = beginning({ etag: '"v1"' });
    await links.start({ dataFolder });
    expect(await links.mediaFiles()).toEqual([id]);
    await links.api.delete(id);
    await expect.poll(() => links.mediaFiles()).toEqual([]);
  });
});
