import { expect, it } from 'vitest';
import { StorageBackoff } from '../../../../../electron/core/queue/scheduling/storage-backoff.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';

const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });

it('pauses the queue until there is free space, and reports why', () => {
  const clock = new ManualClock();
  let checks = 0;
  let hasSpace = false;
  const backoff = new StorageBackoff({
    clock,
    assertWritableSpace: () => {
      if (!hasSpace) throw full;
    },
    onRetry: () => (checks += 1),
  });
  expect(backoff.canResume()).toBe(true);

  backoff.start(full);
  expect(backoff.problem?.code).toBe('disk_full');
  expect(backoff.canResume()).toBe(false);
  clock.advance(60_000);
  expect(checks).toBe(1);
  expect(() => backoff.canResume()).toThrow('full');

  backoff.start(full);
  hasSpace = true;
  clock.advance(60_000);
  expect(checks).toBe(2);
  expect(backoff.canResume()).toBe(true);
  expect(backoff.problem).toBeNull();
});

it('checks at once when the user retries', () => {
  const backoff = new StorageBackoff({
    clock: new ManualClock(),
    assertWritableSpace: () => undefined,
    onRetry: () => undefined,
  });
  backoff.start(full);
  backoff.clearDelay();
  expect(backoff.canResume()).toBe(true);
});

it('checks once for several failures, after the last one', () => {
  const clock = new ManualClock();
  let checks = 0;
  const backoff = new StorageBackoff({
    clock,
    assertWritableSpace: () => undefined,
    onRetry: () => (checks += 1),
  });
  backoff.start(full);
  clock.advance(3000);
  backoff.start(full);
  clock.advance(3000);
  expect(checks).toBe(0);
  clock.advance(10_000);
  expect(checks).toBe(1);
});

it('needs no check when the user retries without a failure', () => {
  const backoff = new StorageBackoff({
    clock: new ManualClock(),
    assertWritableSpace: () => {
      throw full;
    },
    onRetry: () => undefined,
  });
  backoff.clearDelay();
  expect(backoff.canResume()).toBe(true);
});
