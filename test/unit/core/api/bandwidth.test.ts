import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { Bandwidth } from '../../../../electron/core/api/bandwidth.ts';
import { HttpChannel, type HttpBody } from '../../../../electron/core/api/http.ts';
import { FastClock } from '../../../support/clocks/fast-clock.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';

const content = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251);
const body: HttpBody = {
  length: content.length,
  async *chunks() {
    yield content.subarray(0, 200_000);
    yield content.subarray(200_000);
  },
};

/** Reads a whole body. */
async function send(sent: HttpBody, onPiece: (bytes: number) => void = () => undefined): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of sent.chunks(() => undefined)) {
    pieces.push(piece.slice());
    onPiece(piece.length);
  }
  return Buffer.concat(pieces);
}

/** Advances a clock whenever something waits for it, until `work` is done. */
async function runClock<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  const state = { done: false };
  void work.finally(() => (state.done = true)).catch(() => undefined);
  while (!state.done) {
    await new Promise((resolve) => setImmediate(resolve));
    if (clock.nextAt !== null) clock.advance(clock.nextAt - clock.now());
  }
  return work;
}

const never = new AbortController().signal;

it('passes on the bytes unchanged, at the limit', async () => {
  const clock = new ManualClock();
  const startedAt = clock.now();
  const bandwidth = new Bandwidth(clock, () => 100_000);
  const received = await runClock(clock, send(bandwidth.throttle(body, never)));
  expect(Buffer.compare(received, content)).toBe(0);
  const seconds = (clock.now() - startedAt) / 1000;
  expect(seconds).toBeGreaterThan(2.8);
  expect(seconds).toBeLessThanOrEqual(3);
});

it('shares one limit among all uploads', async () => {
  const clock = new ManualClock();
  const startedAt = clock.now();
  const bandwidth = new Bandwidth(clock, () => 100_000);
  const three = Promise.all([1, 2, 3].map(() => send(bandwidth.throttle(body, never))));
  await runClock(clock, three);
  const seconds = (clock.now() - startedAt) / 1000;
  expect(seconds).toBeGreaterThan(8.6);
  expect(seconds).toBeLessThanOrEqual(9);
});

it('does not delay or split chunks without a limit', async () => {
  const clock = new ManualClock();
  const sizes: number[] = [];
  await send(new Bandwidth(clock, () => null).throttle(body, never), (bytes) => sizes.push(bytes));
  expect(sizes).toEqual([200_000, 100_000]);
});

it('applies a new limit at once', async () => {
  const clock = new ManualClock();
  const startedAt = clock.now();
  let limit: number | null = 50_000;
  let sent = 0;
  const bandwidth = new Bandwidth(clock, () => limit);
  await runClock(
    clock,
    send(bandwidth.throttle(body, never), (bytes) => {
      sent += bytes;
      if (sent >= 100_000) limit = null;
    }),
  );
  const seconds = (clock.now() - startedAt) / 1000;
  expect(seconds).toBeGreaterThan(1.8);
  expect(seconds).toBeLessThan(2.2);
});

it('reports for how long it held back each of many uploads, which would look stalled otherwise', async () => {
  const clock = new ManualClock();
  const startedAt = clock.now();
  const bandwidth = new Bandwidth(clock, () => 50_000);
  const upload = async (): Promise<number> => {
    let totalThrottledMs = 0;
    const sent = bandwidth.throttle(body, never).chunks((_bytes, throttledMs = 0) => {
      totalThrottledMs += throttledMs;
    });
    let pieces = 0;
    for await (const { length } of sent) pieces += length;
    expect(pieces).toBe(content.length);
    return clock.now() - startedAt - totalThrottledMs;
  };
  const unexplainedMs = await runClock(clock, Promise.all(Array.from({ length: 20 }, upload)));
  expect(Math.max(...unexplainedMs)).toBeLessThan(1000);
});

it('stops waiting when the upload is stopped', async () => {
  const clock = new ManualClock();
  const stop = new AbortController();
  const sending = send(new Bandwidth(clock, () => 50_000).throttle(body, stop.signal));
  while (clock.nextAt === null) await new Promise((resolve) => setImmediate(resolve));
  stop.abort(new Error('paused'));
  await expect(sending).rejects.toThrow('paused');
  expect(clock.nextAt).toBeNull();
});

it('does not wait because the clock was set back', async () => {
  const late = new ManualClock();
  const early = new ManualClock(late.now() - 3_600_000);
  let present = late;
  const clock = {
    now: () => present.now(),
    schedule: (ms: number, call: () => void) => present.schedule(ms, call),
  };
  const bandwidth = new Bandwidth(clock, () => 100_000);
  await runClock(late, send(bandwidth.throttle(body, never)));
  present = early;
  const startedAt = early.now();
  await runClock(early, send(bandwidth.throttle(body, never)));
  expect((early.now() - startedAt) / 1000).toBeLessThanOrEqual(3);
});

it('a server never receives more than the limit allows, and finally everything', async () => {
  const limit = 100_000;
  const piece = limit / 10;
  const clock = new FastClock();
  const startedAt = clock.now();
  const server = { received: 0, answered: 0, most: 0 };
  const http = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      server.received += chunk.length;
      server.most = Math.max(server.most, server.received - (limit * (clock.now() - startedAt)) / 1000);
    });
    request.once('end', () => {
      server.answered += 1;
      response.end();
    });
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const bandwidth = new Bandwidth(clock, () => limit);
  const channel = new HttpChannel(clock);
  let connected = 0;
  let sent = 0;
  const counted: HttpBody = {
    length: content.length,
    async *chunks(alive) {
      connected += 1;
      for await (const chunk of bandwidth.throttle(body, never).chunks(alive)) {
        sent += chunk.length;
        yield chunk;
      }
    },
  };
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/`);
  const uploads = [1, 2].map(() =>
    channel.send({ method: 'PUT', url, headers: {}, body: counted, maxBytes: 1000, signal: never }),
  );
  // Work is pending until both are connected, and while sent bytes have not arrived.
  const isBusy = (): boolean =>
    connected < 2 || sent > server.received || (sent === 600_000 && server.answered < 2);
  expect(await clock.advanceUntil(() => server.answered === 2, isBusy, 60_000)).toBe(true);

  expect((await Promise.all(uploads)).map(({ ok }) => ok)).toEqual([true, true]);
  expect(server.received).toBe(600_000);
  expect(server.most).toBeLessThanOrEqual(piece);
  expect(clock.now() - startedAt).toBeGreaterThanOrEqual(((600_000 - piece) / limit) * 1000);
  await channel.close();
  http.close();
});
