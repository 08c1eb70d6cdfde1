import { expect, it } from 'vitest';
import { StorageBackoff } from '../../../../../electron/core/queue/scheduling/storage-backoff.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';

const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });

it('keeps the queue still until there is room, and says why', () => {
  const clock = new ManualClock();
  let looks = 0;
  let hasRoom = false;
  const rest = new StorageBackoff({
    clock,
    assertWritableSpace: () => {
      if (!hasRoom) throw full;
    },
    onRetry: () => (looks += 1),
  });
  expect(rest.canResume()).toBe(true);

  rest.start(full);
  expect(rest.problem?.code).toBe('disk_full');
  expect(rest.canResume()).toBe(false);
  clock.advance(60_000);
  expect(looks).toBe(1);
  expect(() => rest.canResume()).toThrow('full');

  rest.start(full);
  hasRoom = true;
  clock.advance(60_000);
  expect(looks).toBe(2);
  expect(rest.canResume()).toBe(true);
  expect(rest.problem).toBeNull();
});

it('looks at once when the user says that there is room', () => {
  const rest = new StorageBackoff({
    clock: new ManualClock(),
    assertWritableSpace: () => undefined,
    onRetry: () => undefined,
  });
  rest.start(full);
  rest.retryNow();
  expect(rest.canResume()).toBe(true);
});
