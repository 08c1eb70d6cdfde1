import type { ItemId } from '../contract/identifiers.ts';
import type { QueueRow } from '../contract/queue-commands.ts';
import type { ServiceAddress, ServiceCondition } from '../contract/service.ts';
import type { Problem } from '../contract/problem.ts';
import type { Longhand } from '../core/longhand.ts';
import { type RunOutcome, isSettled, type Reporter } from './reporting/run-events.ts';
import { whenAborted } from './command-line-system.ts';

export interface FollowOptions {
  readonly longhand: Longhand;
  readonly ids: readonly ItemId[];
  readonly reporter: Reporter;
  /** Aborted when the user stops the program. */
  readonly interrupted: AbortSignal;
  /** Aborted when another process has taken the data folder. */
  readonly leaseLost: AbortSignal;
}

/**
 * Follows items, and reports each change, until all are settled or everything that is left needs the user.
 */
export function follow({
  longhand,
  ids,
  reporter,
  interrupted,
  leaseLost,
}: FollowOptions): Promise<RunOutcome> {
  const { promise, resolve } = Promise.withResolvers<RunOutcome>();
  const followed = new Set(ids);
  const unsettled = new Map<ItemId, QueueRow>();
  const conditions = new Map<ServiceAddress, ServiceCondition['kind']>();

  const check = (id: ItemId): void => {
    const row = longhand.queue.row(id);
    if (row !== null) reporter.report({ type: 'item', row });
    if (row === null || isSettled(row.state)) unsettled.delete(id);
    else unsettled.set(id, row);
  };
  const reportServices = (): void => {
    for (const service of new Set([...unsettled.values()].map((row) => row.service))) {
      const status = longhand.serviceStatus(service);
      const { kind } = status.condition;
      if (kind !== (conditions.get(service) ?? 'ready')) reporter.report({ type: 'service', status });
      conditions.set(service, kind);
    }
  };
  const currentRows = function* (): Iterable<QueueRow> {
    for (const id of unsettled.keys()) {
      const row = longhand.queue.row(id);
      if (row !== null) yield row;
    }
  };
  const resolveIfOver = (): void => {
    if (unsettled.size === 0) resolve({ kind: 'finished' });
    if (blockingProblemOf(longhand, unsettled.values()) === null) return;
    // A service's condition can be notified before the row that has changed it.
    const problem = blockingProblemOf(longhand, currentRows());
    if (problem !== null) resolve({ kind: 'needs-user', problem });
  };

  const unsubscribe = longhand.listen({
    changed: (id) => {
      if (id === null) reportServices();
      // Commands for many items are applied in slices: one that looks settled now may still be retried.
      else if (followed.has(id)) check(id);
      resolveIfOver();
    },
  });
  whenAborted(interrupted, () => resolve({ kind: 'interrupted', inWindow: false }));
  whenAborted(leaseLost, () => resolve({ kind: 'needs-user', problem: { code: 'data_folder_in_use' } }));
  ids.forEach(check);
  resolveIfOver();
  return promise.finally(unsubscribe);
}

/** Returns the problem that blocks everything that is left; `null` while anything can continue. */
function blockingProblemOf(longhand: Longhand, unsettled: Iterable<QueueRow>): Problem | null {
  let blockingProblem: Problem | null = null;
  for (const row of unsettled) {
    const { condition } = longhand.serviceStatus(row.service);
    if (!('problem' in condition) || !blocks(condition.kind, row)) return null;
    blockingProblem = condition.problem;
  }
  return blockingProblem;
}

/** Whether a recording cannot proceed in this condition of its service. */
function blocks(condition: 'stopped' | 'no-credits' | 'over-limit', { state }: QueueRow): boolean {
  switch (condition) {
    case 'stopped':
      return true;
    case 'no-credits':
      return state.kind === 'waiting' || state.kind === 'creating';
    case 'over-limit':
      // A job that is being requested is within the limit.
      return state.kind === 'waiting';
  }
}
