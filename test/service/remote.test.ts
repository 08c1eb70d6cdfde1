import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../support/clocks/manual-clock.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { codeOf } from './support/api.ts';
import { useLinks, type Handler, type Links } from './support/link-service.ts';

const current = useLinks();
let links: Links;
beforeEach(() => {
  links = current();
});

const wave = silentWav(3);
const sendWhole: Handler = (_request, response) => response.end(wave);

describe('a link', () => {
  test('is fetched, transcribed and charged like a file', async () => {
    links.handler = sendWhole;
    await links.start({ credits: 5 });
    const id = await links.submit(links.to('/season%201/episode.wav?token=abc'));
    const job = await links.api.until(id, 'completed');
    expect(job).toMatchObject({ file_name: 'episode.wav', duration_seconds: 3, credits_charged: 1 });
    expect(job.transcript?.text).toContain('quick brown fox');
    expect(links.requests).toEqual(['/season%201/episode.wav?token=abc']);
    expect((await readFile(join(links.service.dataFolder, 'media', id))).equals(wave)).toBe(true);
    expect(await links.api.balance()).toBe(4);
  });

  test('has no upload session', async () => {
    links.handler = () => undefined;
    await links.start();
    const id = await links.submit(links.to('/a.wav'));
    const put = await links.api.send('PUT', `/api/v1/transcriptions/${id}/upload?part_number=1`, {
      body: 'x',
    });
    expect(codeOf(put)).toBe('upload_session_missing');
    expect(codeOf(await links.api.complete(id))).toBe('upload_session_missing');
  });

  test('is followed through redirects', async () => {
    links.handler = (request, response) => {
      if (request.url === '/c.wav') response.end(wave);
      else response.writeHead(302, { location: request.url === '/a' ? '/b?x=1' : links.to('/c.wav') }).end();
    };
    await links.start();
    await links.api.until(await links.submit(links.to('/a')), 'completed');
    expect(links.requests).toEqual(['/a', '/b?x=1', '/c.wav']);
  });

  test('resumes after a broken connection if the file is unchanged', async () => {
    const cut = 50_000;
    links.handler = (request, response) => {
      const [, from] = /bytes=(\d+)-/.exec(request.headers.range ?? '') ?? [];
      if (from === undefined) {
        response.writeHead(200, { etag: '"v1"', 'content-length': wave.length });
        response.write(wave.subarray(0, cut), () => links.onceStored(cut, () => response.destroy()));
      } else {
        response.writeHead(206, { 'content-range': `bytes ${from}-${wave.length - 1}/${wave.length}` });
        response.end(wave.subarray(Number(from)));
      }
    };
    await links.start();
    const id = await links.submit(links.to('/a.wav'));
    await links.api.until(id, 'completed');
    expect(links.requests).toEqual(['/a.wav', `/a.wav bytes=${cut}- "v1"`]);
    expect((await readFile(join(links.service.dataFolder, 'media', id))).equals(wave)).toBe(true);
  });

  test('resumes any number of times as long as it makes progress', async () => {
    const step = 10_000;
    links.handler = (request, response) => {
      const [, from = 0] = /bytes=(\d+)-/.exec(request.headers.range ?? '') ?? [];
      const start = Number(from);
      const range = `bytes ${start}-${wave.length - 1}/${wave.length}`;
      response.writeHead(start === 0 ? 200 : 206, {
        etag: '"v1"',
        ...(start > 0 && { 'content-range': range }),
      });
      const end = start + step;
      if (end >= wave.length) response.end(wave.subarray(start));
      else response.write(wave.subarray(start, end), () => links.onceStored(end, () => response.destroy()));
    };
    await links.start();
    const id = await links.submit(links.to('/a.wav'));
    await links.api.until(id, 'completed');
    expect(links.requests).toHaveLength(Math.ceil(wave.length / step));
    expect((await readFile(join(links.service.dataFolder, 'media', id))).equals(wave)).toBe(true);
  });

  test('that sends a byte now and then fails, and holds up others no longer', async () => {
    const clock = new ManualClock();
    links.handler = (request, response) => {
      if (request.url === '/good.wav') {
        response.end(wave);
        return;
      }
      response.writeHead(200);
      const sending = setInterval(() => response.write('R'), 5);
      response.once('close', () => clearInterval(sending));
    };
    await links.start({ clock });
    const slow = await Promise.all(
      ['/1.wav', '/2.wav', '/3.wav'].map((path) => links.submit(links.to(path))),
    );
    const good = await links.submit(links.to('/good.wav'));
    const passing = setInterval(() => clock.advance(10_000), 10);
    onTestFinished(() => clearInterval(passing));
    for (const id of slow) {
      const { error } = await links.api.until(id, 'failed');
      expect(error?.message).toContain('less than 4 KiB/s');
    }
    await links.api.until(good, 'completed');
  });

  test('is assembled from partial responses', async () => {
    const step = 30_000;
    links.handler = (request, response) => {
      const [, from = 0] = /bytes=(\d+)-/.exec(request.headers.range ?? '') ?? [];
      const start = Number(from);
      const piece = wave.subarray(start, start + step);
      const range = `bytes ${start}-${start + piece.length - 1}/${wave.length}`;
      response.writeHead(206, { etag: '"v1"', 'content-range': range }).end(piece);
    };
    await links.start();
    const id = await links.submit(links.to('/a.wav'));
    await links.api.until(id, 'completed');
    expect((await readFile(join(links.service.dataFolder, 'media', id))).equals(wave)).toBe(true);
  });

  test('starts over when the requested range does not exist', async () => {
    links.handler = (request, response) => {
      if (links.requests.length === 1) {
        response.writeHead(200, { etag: '"v1"' });
        response.write(wave, () => links.onceStored(wave.length, () => response.destroy()));
      } else if (request.headers.range !== undefined) response.writeHead(416).end();
      else sendWhole(request, response);
    };
    await links.start();
    const id = await links.submit(links.to('/a.wav'));
    await links.api.until(id, 'completed');
    expect(links.requests).toEqual(['/a.wav', `/a.wav bytes=${wave.length}- "v1"`, '/a.wav']);
  });

  test('starts over when the file has changed meanwhile', async () => {
    links.handler = (request, response) => {
      if (request.headers.range === undefined) {
        response.writeHead(200, { etag: '"v1"', 'content-length': 2 * wave.length });
        const other = Buffer.alloc(wave.length + 5000, 'x');
        response.write(other, () => links.onceStored(other.length, () => response.destroy()));
      } else response.writeHead(200, { etag: '"v2"' }).end(wave);
    };
    await links.start();
    const id = await links.submit(links.to('/a.wav'));
    await links.api.until(id, 'completed');
    expect((await readFile(join(links.service.dataFolder, 'media', id))).equals(wave)).toBe(true);
  });

  test('survives a temporarily busy server', async () => {
    links.handler = (request, response) => {
      if (links.requests.length < 4) response.writeHead(503).end();
      else sendWhole(request, response);
    };
    await links.start();
    await links.api.until(await links.submit(links.to('/a.wav')), 'completed');
    expect(links.requests).toHaveLength(4);
  });

  test('is cancelled with its job', async () => {
    const closed = Promise.withResolvers<void>();
    links.handler = (_request, response) => {
      response.write(wave.subarray(0, 1000));
      response.on('close', () => closed.resolve());
    };
    await links.start();
    const id = await links.submit(links.to('/a.wav'));
    await expect.poll(() => links.requests.length).toBe(1);
    await links.api.delete(id);
    await closed.promise;
    await expect.poll(() => links.mediaFiles()).toEqual([]);
  });
});
