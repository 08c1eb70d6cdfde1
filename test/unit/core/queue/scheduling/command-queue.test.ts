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
  const commands = new CommandQueue({
    clock,
    apply: (ids, { kind }) => {
      if (fail()) throw new Error('no room');
      applied.push(...ids.map((id) => ({ id, kind })));
    },
    onError: () => reported.push('error'),
    onDone: () => reported.push('done'),
  });
  return { clock, applied, reported, commands };
}

it('applies the first slice of a long command at once, and the rest later', () => {
  const { clock, applied, reported, commands } = commandsWith();
  commands.dispatch(many, { kind: 'pause' });
  expect(applied.length).toBeGreaterThan(0);
  expect(applied.length).toBeLessThan(many.length);
  expect(commands.isBusy).toBe(true);
  clock.advance(0);
  expect(applied.map(({ id }) => id)).toEqual(many);
  expect(reported).toEqual(['done']);
});

it('applies commands in order', () => {
  const { clock, applied, commands } = commandsWith();
  commands.dispatch(many, { kind: 'pause' });
  commands.dispatch([1], { kind: 'resume' });
  clock.advance(0);
  expect(applied.filter(({ id }) => id === 1).map(({ kind }) => kind)).toEqual(['pause', 'resume']);
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
  const { applied, commands } = commandsWith();
  commands.dispatch(many, { kind: 'pause' });
  commands.finish();
  expect(applied).toHaveLength(many.length);
});
