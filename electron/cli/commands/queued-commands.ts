import type { ItemId } from '../../contract/identifiers.ts';
import { foldCase } from '../../contract/unicode.ts';
import { isFinished, type StateKind } from '../../core/item/item.ts';
import { allStates } from '../../core/item/item-filter.ts';
import type { Longhand } from '../../core/longhand.ts';
import { titleOf } from '../../core/media/media-type.ts';
import type { QueuedCommand } from '../cli-command.ts';
import type { CommandLineSystem } from '../command-line-system.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { QueueSession } from '../queue-session.ts';
import type { Reporter } from '../reporting/run-events.ts';

const unfinished: ReadonlySet<StateKind> = new Set(allStates.filter((kind) => !isFinished(kind)));

/** The states that each command applies to. */
const states: Readonly<Record<'resume' | QueuedCommand['kind'], ReadonlySet<StateKind>>> = {
  resume: unfinished,
  retry: new Set(['failed', 'blocked', 'cancelled']),
  cancel: unfinished,
};

/**
 * `longhand retry`: retries recordings of the queue that have failed or need the user, and waits for them.
 * `longhand cancel`: cancels those that are not finished, and waits until the service has deleted their jobs.
 */
export async function changeQueued(
  { kind, names, partial }: QueuedCommand,
  system: CommandLineSystem,
  reporter: Reporter,
): Promise<ExitCode> {
  const session = new QueueSession(system, {}, kind === 'retry');
  try {
    const { ids, someUnknown } = chooseItems(session.longhand, kind, names, reporter);
    await session.useKeyForItems(ids);
    const code = await (kind === 'cancel'
      ? session.cancel(ids, reporter)
      : retryItems(session, ids, reporter, partial));
    return code === exitCode.done && someUnknown ? exitCode.someFailed : code;
  } finally {
    await session.close();
  }
}

async function retryItems(
  session: QueueSession,
  ids: readonly ItemId[],
  reporter: Reporter,
  partial: boolean,
): Promise<ExitCode> {
  await session.longhand.queue.retry(ids);
  return session.run(ids, reporter, { partial, tags: [] });
}

/**
 * Finds the items that a command applies to: all, or those with these names, with or without their extension. Reports
 * names that none of them has.
 */
export function chooseItems(
  { queue }: Longhand,
  command: keyof typeof states,
  names: readonly string[] | null,
  reporter: Reporter,
): { readonly ids: readonly ItemId[]; readonly someUnknown: boolean } {
  const items = queue
    .ids({ filter: 'all', offset: 0, limit: Infinity })
    .flatMap((id) => queue.get(id) ?? [])
    .filter(({ state }) => states[command].has(state.kind));
  if (names === null) return { ids: items.map(({ id }) => id), someUnknown: false };
  const matches = names.map((name) =>
    items.filter((item) => [keyOf(item.name), keyOf(titleOf(item.name))].includes(keyOf(name))),
  );
  const unknown = names.filter((_name, index) => matches[index]?.length === 0);
  for (const name of unknown)
    reporter.report({ type: 'left-out', name, problem: { code: 'not_queued', params: { name } } });
  return { ids: [...new Set(matches.flat().map(({ id }) => id))], someUnknown: unknown.length > 0 };
}

/** Returns the same key for names that look the same; systems encode accents differently. */
const keyOf = (name: string): string => foldCase(name.trim());
