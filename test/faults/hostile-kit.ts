import { expect } from 'vitest';
import type { Endpoint } from '../support/scripted-service/faults.ts';
import { ScriptedCore } from '../support/scripted-service/scripted-core.ts';
import type { Shape } from '../support/scripted-service/shape.ts';
import { alter, oddValues } from './odd-values.ts';

/** Endpoints whose responses an item gets, the last one when it is deleted. */
const endpoints = ['create', 'part', 'complete', 'status', 'delete'] as const satisfies readonly Endpoint[];

/** One response with one odd value, which one item gets. */
export interface HostileCase {
  readonly endpoint: (typeof endpoints)[number];
  /** Selects the value that is replaced: see {@link alter}. */
  readonly which: number;
  readonly odd: unknown;
  /** Whether every response of this kind is odd, or the first alone. */
  readonly times: 1 | typeof Infinity;
}

/** The most headers and values that a response has. */
const maxValues = 26;

/** All cases, shuffled in a fixed order. */
export const hostileCases: readonly HostileCase[] = shuffled(
  endpoints.flatMap((endpoint) =>
    Array.from({ length: maxValues }, (_, which) => which).flatMap((which) =>
      oddValues.map((odd, index) => ({ endpoint, which, odd, times: index % 2 === 0 ? 1 : Infinity })),
    ),
  ),
);

function shuffled(all: readonly HostileCase[]): readonly HostileCase[] {
  const step = 7919;
  return all.flatMap((_, index) => all[(index * step) % all.length] ?? []);
}

/** Items that get an odd response in one core, in addition to one that gets none. */
const casesPerCore = 20;

/** The cases of one core after the other; in every second core `Location` alone names the job. */
export const groups = Array.from({ length: Math.ceil(hostileCases.length / casesPerCore) }, (_, index) => ({
  index,
  cases: hostileCases.slice(index * casesPerCore, (index + 1) * casesPerCore),
  upload: index % 2 === 0 ? ('alone' as const) : ('beside data' as const),
}));

/**
 * Gives items one odd response each while another item is transcribed, and checks that the other one finishes.
 *
 * @returns the names of the rows that could not be removed.
 */
export async function meetHostileResponses(
  cases: readonly HostileCase[],
  upload: Shape['upload'],
): Promise<readonly string[]> {
  const core = await ScriptedCore.start({ shape: { upload } });
  try {
    for (const [index, { endpoint, which, odd, times }] of cases.entries()) {
      const content = `odd-${index}.wav`;
      const fault = {
        kind: 'altered',
        alter: (response: Parameters<typeof alter>[0]) => alter(response, which, odd),
        tookEffect: true,
      } as const;
      core.service.inject({ endpoint, from: 1, times, content, fault });
      await core.addFile(content);
    }
    await core.addFile('good.wav');
    const goodState = (): string | undefined =>
      core.rows().find(({ name }) => name === 'good.wav')?.state.kind;
    await core.advanceUntil(() => goodState() === 'done');
    expect(goodState()).toBe('done');
    // Some items go on retrying, because their responses stay odd.
    await core.advanceUntil(core.isSettled, 10 * 60_000);
    expect(core.status().condition.kind).not.toBe('stopped');
    core.longhand.queue.remove(core.rows().map(({ id }) => id));
    await core.advanceUntil(() => core.rows().length === 0);
    return core.rows().map(({ name }) => name);
  } finally {
    await core.close();
  }
}
