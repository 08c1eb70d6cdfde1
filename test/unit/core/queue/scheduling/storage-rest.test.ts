import { expect, it } from 'vitest';
import { StorageRest } from '../../../../../electron/core/queue/scheduling/storage-rest.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';

const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });

it('keeps the queue still until there is room, and says why', () => {
  const clock = new ManualClock();
  let looks = 0;
  let hasRoom = false;
  const rest = new StorageRest({
    clock,
    proveRoom: () => {
      if (!hasRoom) throw full;
    },
    onOver: () => (looks += 1),
  });
  expect(rest.isOver()).toBe(true);

  rest.begin(full);
  expect(rest.problem?.code).toBe('disk_full');
  expect(rest.isOver()).toBe(false);
  clock.advance(60_000);
  expect(looks).toBe(1);
  expect(() => rest.isOver()).toThrow('full');

  rest.begin(full);
  hasRoom = true;
  clock.advance(60_000);
  expect(looks).toBe(2);
  expect(rest.isOver()).toBe(true);
  expect(rest.problem).toBeNull();
});

it('looks at once when the user says that there is room', () => {
  const rest = new StorageRest({
    clock: new ManualClock(),
    proveRoom: () => undefined,
    onOver: () => undefined,
  });
  rest.begin(full);
  rest.hurry();
  expect(rest.isOver()).toBe(true);
});
