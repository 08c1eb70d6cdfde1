import { Socket } from 'node:net';
import { hostname } from 'node:os';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  BearerCheck,
  isOwnHost,
  UnauthenticatedConnections,
  RateLimiter,
} from '../../../../electron/on-device/http/admission.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';

test.each([
  '127.0.0.1:8080',
  '127.0.0.1',
  'localhost:1',
  'LOCALHOST:1',
  '[::1]:8080',
  '192.168.1.5:8080',
  hostname(),
  `${hostname()}.local:80`,
  'studio.example:8080',
])('accepts the host %s', (host) => {
  expect(isOwnHost(host, 'studio.example')).toBe(true);
});

test.each([
  '',
  'evil.example',
  'evil.example:8080',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '[evil.example]',
  '::1',
  '127.0.0.1:8080:9',
  'localhost:',
  'a b',
  ']localhost',
  'evil.example[::1]',
  'evil:127.0.0.1',
  '[127.0.0.1]',
])('rejects the host %j', (host) => {
  expect(isOwnHost(host, 'studio.example')).toBe(false);
});

test('accepts a burst of ten seconds’ worth of requests, then one at a time', () => {
  const clock = new ManualClock();
  const rate = new RateLimiter(60, clock);
  for (let n = 0; n < 10; n++) expect(rate.take()).toBe(0);
  expect(rate.take()).toBe(1000);
  clock.advance(999);
  expect(rate.take()).toBeCloseTo(1);
  clock.advance(1);
  expect(rate.take()).toBe(0);
  expect(rate.take()).toBe(1000);
});

test('serves a client that waits as long as requested, and never exceeds the rate plus one burst', () => {
  const steps = fc.array(fc.nat({ max: 5000 }), { maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6000 }), steps, (perMinute, waits) => {
      const clock = new ManualClock();
      const start = clock.now();
      const rate = new RateLimiter(perMinute, clock);
      let served = 0;
      for (const ms of waits) {
        clock.advance(ms);
        const waitMs = rate.take();
        clock.advance(Math.ceil(waitMs));
        expect(waitMs === 0 ? 0 : rate.take()).toBe(0);
        served++;
        const worth = ((clock.now() - start) / 60_000) * perMinute;
        expect(served).toBeLessThanOrEqual(worth + Math.max(1, perMinute / 6) + 0.001);
      }
    }),
    // The wait of the fourth request ended with a token less a rounding error.
    { examples: [[9, [0, 0, 0]]] },
  );
});

test('a clock that is set back removes no tokens, and an infinite rate has no limit', () => {
  let now = 1_000_000;
  const clock = { now: () => now, schedule: () => () => undefined };
  const rate = new RateLimiter(6, clock);
  expect(rate.take()).toBe(0);
  now -= 500_000;
  expect(rate.take()).toBe(10_000);
  now += 10_000;
  expect(rate.take()).toBe(0);
  const open = new RateLimiter(Infinity, clock);
  for (let n = 0; n < 1000; n++) expect(open.take()).toBe(0);
});

test.each([
  ['Bearer sesame', true],
  ['bearer sesame', true],
  ['Bearer   sesame', true],
  ['Bearer open', false],
  ['Bearer sesame two', false],
  ['x Bearer sesame', false],
  ['Bearersesame', false],
  ['Bearer ', false],
  ['sesame', false],
  ['', false],
  [undefined, false],
])('of the header %j, the key fits: %s', (header, fits) => {
  expect(new BearerCheck('sesame').accepts(header)).toBe(fits);
});

test('closes the oldest connections without a key for new ones', () => {
  const unauthenticated = new UnauthenticatedConnections(2);
  const sockets = Array.from({ length: 5 }, () => new Socket());
  const [closed, admitted, old, ...others] = sockets;
  if (closed === undefined || admitted === undefined || old === undefined) throw new Error('Too few.');
  const open = (): readonly number[] => sockets.flatMap((socket, i) => (socket.destroyed ? [] : [i]));
  unauthenticated.add(closed);
  unauthenticated.add(admitted);
  expect(open()).toEqual([0, 1, 2, 3, 4]);
  closed.emit('close');
  unauthenticated.markAuthenticated(admitted);
  unauthenticated.add(old);
  for (const socket of others) unauthenticated.add(socket);
  expect(open()).toEqual([0, 1, 3, 4]);
});
