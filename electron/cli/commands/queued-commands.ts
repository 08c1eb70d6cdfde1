import type { ItemId } from '../../contract/identifiers.ts';
import { foldCase } from '../../contract/unicode.ts';
import type { Longhand } from '../../core/longhand.ts';
import { titleOf } from '../../core/media/media-type.ts';
import type { QueuedCommand } from '../cli-command.ts';
import type { CommandLineSystem } from '../command-line-system.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { QueueSession } from '../queue-session.ts';
import type { Reporter } from '../reporting/run-events.ts';

/** The states that each command applies to. */
const states = {
  retry: new Set(['failed', 'blocked', 'cancelled']),
  cancel: new Set([
    'waiting',
    'creating',
    'uploading',
    'completing',
    'transcribing',
    'saving',
    'paused',
    'blocked',
    'cancelling',
  ]),
} as const;

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
    const { longhand } = session;
    const { ids, unknown } = chooseItems(longhand, states[kind], names);
    for (const name of unknown)
      reporter.report({ type: 'left-out', name, problem: { code: 'not_queued', params: { name } } });
    await session.useKeyForItems(ids);
    const code = await (kind === 'cancel'
      ? session.cancel(ids, reporter)
      : retryItems(session, ids, reporter, partial));
    return code === exitCode.done && unknown.length > 0 ? exitCode.someFailed : code;
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
  session.longhand.queue.setPaused(false);
  await session.longhand.queue.retry(ids);
  return session.run(ids, reporter, { partial, tags: [] });
}

/** Finds items in these states: all, or those with these names, with or without their extension. */
function chooseItems(
  { queue }: Longhand,
  kinds: ReadonlySet<string>,
  names: readonly string[] | null,
): { readonly ids: readonly ItemId[]; readonly unknown: readonly string[] } {
  const items = queue
    .ids({ filter: 'all', offset: 0, limit: Infinity })
    .flatMap((id) => queue.get(id) ?? [])
    .filter(({ state }) => kinds.has(state.kind));
  if (names === null) return { ids: items.map(({ id }) => id), unknown: [] };
  const found = names.map((name) =>
    items.filter((item) => [keyOf(item.name), keyOf(titleOf(item.name))].includes(keyOf(name))),
  );
  return {
    ids: [...new Set(found.flat().map(({ id }) => id))],
    unknown: names.filter((_name, index) => found[index]?.length === 0),
  };
}

/** Returns the same key for names that look the same; systems encode accents differently. */
const keyOf = (name: string): string => foldCase(name.trim());
