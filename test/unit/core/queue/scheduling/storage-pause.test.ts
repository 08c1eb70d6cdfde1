import { expect, it } from 'vitest';
import { StoragePause } from '../../../../../electron/core/queue/scheduling/storage-pause.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';

const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });

it('pauses the queue until there is free space, and reports why', () => {
  const clock = new ManualClock();
  let checks = 0;
  let hasSpace = false;
  const pause = new StoragePause({
    clock,
    assertWritableSpace: () => {
      if (!hasSpace) throw full;
    },
    onRetry: () => (checks += 1),
  });
  expect(pause.tryResume()).toBe(true);

  pause.start(full);
  expect(pause.problem?.code).toBe('disk_full');
  expect(pause.tryResume()).toBe(false);
  clock.advance(60_000);
  expect(checks).toBe(1);
  expect(() => pause.tryResume()).toThrow('full');

  pause.start(full);
  hasSpace = true;
  clock.advance(60_000);
  expect(checks).toBe(2);
  expect(pause.tryResume()).toBe(true);
  expect(pause.problem).toBeNull();
});

it('checks at once when the user retries', () => {
  const pause = new StoragePause({
    clock: new ManualClock(),
    assertWritableSpace: () => undefined,
    onRetry: () => undefined,
  });
  pause.start(full);
  pause.clearDelay();
  expect(pause.tryResume()).toBe(true);
});

it('checks once for several failures, after the last one', () => {
  const clock = new ManualClock();
  let checks = 0;
  const pause = new StoragePause({
    clock,
    assertWritableSpace: () => undefined,
    onRetry: () => (checks += 1),
  });
  pause.start(full);
  clock.advance(3000);
  pause.start(full);
  clock.advance(3000);
  expect(checks).toBe(0);
  clock.advance(10_000);
  expect(checks).toBe(1);
});

it('needs no check when the user retries without a failure', () => {
  const pause = new StoragePause({
    clock: new ManualClock(),
    assertWritableSpace: () => {
      throw full;
    },
    onRetry: () => undefined,
  });
  pause.clearDelay();
  expect(pause.tryResume()).toBe(true);
});
