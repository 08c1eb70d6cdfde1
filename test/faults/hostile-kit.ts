import { expect } from 'vitest';
import type { Endpoint } from '../support/scripted-service/faults.ts';
import { ScriptedCore } from '../support/scripted-service/scripted-core.ts';
import type { Shape } from '../support/scripted-service/shape.ts';
import { alter, oddValues } from './odd-values.ts';

/** Responses that an item meets on its way, and on the way out. */
const endpoints = ['create', 'part', 'complete', 'status', 'delete'] as const satisfies readonly Endpoint[];

/** One response with one odd value, which one item meets. */
export interface HostileCase {
  readonly endpoint: (typeof endpoints)[number];
  readonly which: number;
  readonly odd: unknown;
  /** Whether every response of this kind is odd, or the first alone. */
  readonly times: 1 | typeof Infinity;
}

/** Values in a response, at most: see {@link alter}. */
const maxValues = 26;

/** All cases, in an order that mixes them. */
export const hostileCases: readonly HostileCase[] = mixed(
  endpoints.flatMap((endpoint) =>
    Array.from({ length: maxValues }, (_, which) => which).flatMap((which) =>
      oddValues.map((odd, index) => ({ endpoint, which, odd, times: index % 2 === 0 ? 1 : Infinity })),
    ),
  ),
);

function mixed(all: readonly HostileCase[]): readonly HostileCase[] {
  const step = 7919;
  return all.flatMap((_, index) => all[(index * step) % all.length] ?? []);
}

/** Items that meet an odd response in one core, in addition to one that meets none. */
const casesPerCore = 20;

/** The cases of one core after the other; in every second one only `Location` names the job. */
export const groups = Array.from({ length: Math.ceil(hostileCases.length / casesPerCore) }, (_, index) => ({
  index,
  cases: hostileCases.slice(index * casesPerCore, (index + 1) * casesPerCore),
  upload: index % 2 === 0 ? ('alone' as const) : ('beside data' as const),
}));

/**
 * Has items meet one odd response each while another item is transcribed. The other one finishes, and all rows can be
 * removed.
 *
 * @returns the names of the rows that could not be.
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
        alter: (answer: Parameters<typeof alter>[0]) => alter(answer, which, odd),
        tookEffect: true,
      } as const;
      core.service.inject({ endpoint, from: 1, times, content, fault });
      await core.addFile(content);
    }
    await core.addFile('good.wav');
    const good = (): string | undefined => core.rows().find(({ name }) => name === 'good.wav')?.state.kind;
    await core.advanceUntil(() => good() === 'done');
    expect(good()).toBe('done');
    // What is still working waits for a service that makes no sense.
    await core.advanceUntil(core.isSettled, 10 * 60_000);
    expect(core.status().condition.kind).not.toBe('stopped');
    core.longhand.queue.remove(core.rows().map(({ id }) => id));
    await core.advanceUntil(() => core.rows().length === 0);
    return core.rows().map(({ name }) => name);
  } finally {
    await core.close();
  }
}
