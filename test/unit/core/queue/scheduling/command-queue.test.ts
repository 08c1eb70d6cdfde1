import { expect, it } from 'vitest';
import { CommandQueue } from '../../../../../electron/core/queue/scheduling/command-queue.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';

const many = Array.from({ length: 1_000 }, (_, index) => index + 1);

interface Applied {
  readonly id: number;
  readonly kind: string;
}

function commandsWith(fail: () => boolean = () => false) {
  const clock = new ManualClock();
  const applied: Applied[] = [];
  const reported: string[] = [];
  /** The number of items of each commit. */
  const calls: number[] = [];
  const commands = new CommandQueue({
    clock,
    apply: (ids, { kind }) => {
      calls.push(ids.length);
      if (fail()) throw new Error('no room');
      applied.push(...ids.map((id) => ({ id, kind })));
    },
    onError: () => reported.push('error'),
    onDone: () => reported.push('done'),
  });
  return { clock, applied, reported, calls, commands };
}

it('applies the first slice of a long command at once, and the rest later', () => {
  const { clock, applied, reported, calls, commands } = commandsWith();
  commands.dispatch(many, { kind: 'pause' });
  expect(applied.length).toBeGreaterThan(0);
  expect(applied.length).toBeLessThan(many.length);
  expect(commands.isBusy).toBe(true);
  clock.advance(0);
  expect(applied.map(({ id }) => id)).toEqual(many);
  expect(reported).toEqual(['done']);
  // No commit is empty.
  expect(calls.every((length) => length > 0)).toBe(true);
});

it('applies commands in order', () => {
  const { clock, applied, commands } = commandsWith();
  commands.dispatch(many, { kind: 'pause' });
  commands.dispatch([1], { kind: 'resume' });
  clock.advance(0);
  expect(applied.filter(({ id }) => id === 1).map(({ kind }) => kind)).toEqual(['pause', 'resume']);
});

it('applies a short command at once, and reports that it is done', () => {
  const { clock, applied, reported, commands } = commandsWith();
  commands.dispatch(many.slice(0, 100), { kind: 'pause' });
  expect(applied).toHaveLength(100);
  expect(commands.isBusy).toBe(false);
  expect(reported).toEqual(['done']);
  expect(clock.nextAt).toBeNull();
});

it('applies a command behind one that is not done only after it', () => {
  const { clock, applied, reported, commands } = commandsWith();
  commands.dispatch(many, { kind: 'pause' });
  commands.dispatch([1000], { kind: 'resume' });
  expect(applied.map(({ kind }) => kind)).not.toContain('resume');
  clock.advance(0);
  expect(applied.filter(({ id }) => id === 1000).map(({ kind }) => kind)).toEqual(['pause', 'resume']);
  expect(reported).toEqual(['done']);
});

it('takes items out of the pending commands of one kind, and still reports that they are done', () => {
  const { clock, applied, reported, calls, commands } = commandsWith();
  commands.dispatch(many, { kind: 'pause' });
  commands.dispatch([1, 2], { kind: 'resume' });
  commands.dispatch([1, 2], { kind: 'retry' });
  commands.withdraw(new Set(many), ({ kind }) => kind !== 'retry');
  clock.advance(0);
  expect(applied.slice(100).map(({ id, kind }) => `${kind} ${id}`)).toEqual(['retry 1', 'retry 2']);
  expect(applied.slice(0, 100).every(({ kind }) => kind === 'pause')).toBe(true);
  expect(calls.every((length) => length > 0)).toBe(true);
  expect(reported).toEqual(['done']);
});

it('drops what is not stored yet', () => {
  const { clock, applied, reported, commands } = commandsWith();
  commands.dispatch(many, { kind: 'pause' });
  commands.dispatch([1], { kind: 'resume' });
  commands.drop();
  clock.advance(10_000);
  expect(applied.length).toBeLessThan(many.length);
  expect(applied.map(({ kind }) => kind)).not.toContain('resume');
  expect(commands.isBusy).toBe(false);
  expect(reported).toEqual([]);
  expect(clock.nextAt).toBeNull();
});

it('throws when the first slice cannot be stored', () => {
  const { applied, commands } = commandsWith(() => true);
  expect(() => commands.dispatch(many, { kind: 'pause' })).toThrow('no room');
  expect(applied).toEqual([]);
  expect(commands.isBusy).toBe(false);
});

it('retries a later slice until it can be stored', () => {
  let calls = 0;
  const { clock, applied, reported, commands } = commandsWith(() => (calls += 1) === 2);
  commands.dispatch(many, { kind: 'pause' });
  clock.advance(0);
  expect(reported).toEqual(['error']);
  clock.advance(10_000);
  expect(applied.map(({ id }) => id)).toEqual(many);
});

it('finishes all commands when the program ends', () => {
  const { calls, applied, commands } = commandsWith();
  commands.dispatch(many, { kind: 'pause' });
  commands.finish();
  expect(applied).toHaveLength(many.length);
  expect(calls.every((length) => length > 0)).toBe(true);
});
