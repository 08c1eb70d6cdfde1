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
  const said: string[] = [];
  const commands = new CommandQueue({
    clock,
    apply: (ids, { kind }) => {
      if (fail()) throw new Error('no room');
      applied.push(...ids.map((id) => ({ id, kind })));
    },
    onError: () => said.push('trouble'),
    onDone: () => said.push('done'),
  });
  return { clock, applied, said, commands };
}

it('does a part of a great many at once, and the rest in turn', () => {
  const { clock, applied, said, commands } = commandsWith();
  commands.dispatch(many, { kind: 'pause' });
  expect(applied.length).toBeGreaterThan(0);
  expect(applied.length).toBeLessThan(many.length);
  expect(commands.isBusy).toBe(true);
  clock.advance(0);
  expect(applied.map(({ id }) => id)).toEqual(many);
  expect(said).toEqual(['done']);
});

it('does what was wanted later after what was wanted first', () => {
  const { clock, applied, commands } = commandsWith();
  commands.dispatch(many, { kind: 'pause' });
  commands.dispatch([1], { kind: 'resume' });
  clock.advance(0);
  expect(applied.filter(({ id }) => id === 1).map(({ kind }) => kind)).toEqual(['pause', 'resume']);
});

it('tells whoever wants it that nothing could be stored', () => {
  const { applied, commands } = commandsWith(() => true);
  expect(() => commands.dispatch(many, { kind: 'pause' })).toThrow('no room');
  expect(applied).toEqual([]);
  expect(commands.isBusy).toBe(false);
});

it('tries a later part again until it can be stored', () => {
  let calls = 0;
  const { clock, applied, said, commands } = commandsWith(() => (calls += 1) === 2);
  commands.dispatch(many, { kind: 'pause' });
  clock.advance(0);
  expect(said).toEqual(['trouble']);
  clock.advance(10_000);
  expect(applied.map(({ id }) => id)).toEqual(many);
});

it('brings everything to its end when the program ends', () => {
  const { applied, commands } = commandsWith();
  commands.dispatch(many, { kind: 'pause' });
  commands.finish();
  expect(applied).toHaveLength(many.length);
});
