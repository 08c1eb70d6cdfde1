import type { TFunction } from 'i18next';
import type { QueuePart, QueueRow, RowState } from '../../../electron/contract/queue.ts';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import { remedyFor } from './problem-remedies.ts';
import { serviceName } from '../../ui/words/service-words.ts';

/** What a user can do with one row. */
export type RowAction =
  | 'open'
  | 'export'
  | 'pause'
  | 'resume'
  | 'retry'
  | 'runNext'
  | 'options'
  | 'sendWith'
  | 'locate'
  | 'settings'
  | 'cancel'
  | 'showInFolder'
  | 'details'
  | 'remove';

/** The actions that make sense for many rows at once, in the order in which they are shown. */
const bulkActions = [
  'export',
  'pause',
  'resume',
  'retry',
  'runNext',
  'options',
  'sendWith',
  'cancel',
  'remove',
] as const;
export type BulkAction = (typeof bulkActions)[number];

/** Returns the label of a row's first action: for a problem, what the action does about it. */
export function primaryWords(
  t: TFunction,
  action: RowAction,
  { state }: QueueRow,
  inUse: ServiceAddress | null,
): string {
  const label =
    state.kind === 'blocked' && action === 'retry' ? remedyFor(state.problem.code).retryLabel : undefined;
  return label === undefined ? actionWords(t, 'rowAction', action, inUse) : t(`mend.${label}`);
}

/** The words of an action: short ones for a button in a row, longer ones for a menu. */
export function actionWords(
  t: TFunction,
  where: 'rowAction' | 'menuAction',
  action: RowAction,
  inUse: ServiceAddress | null,
): string {
  if (action !== 'sendWith') return t(`${where}.${action}`);
  return inUse === null || inUse === 'on-device'
    ? t('sendWith.here')
    : t('sendWith.to', { service: serviceName(t, inUse) });
}

/**
 * What can be done with a row, the likeliest first.
 *
 * @param inUse the service of new recordings, which may have those of another one too.
 */
export function actionsOf(row: QueueRow, inUse: ServiceAddress | null): readonly RowAction[] {
  const actions = defaultActionsOf(row);
  if (!row.movable || inUse === null || row.service === inUse) return actions;
  const at = waitsForKey(row) ? 0 : Math.max(1, actions.indexOf('details'));
  return actions.toSpliced(at, 0, 'sendWith');
}

/** Its account has no key, or is gone: it waits for ever unless the user does something. */
const waitsForKey = ({ state }: QueueRow): boolean =>
  (state.kind === 'waiting' || state.kind === 'creating') && state.waitsFor === 'key';

function defaultActionsOf(row: QueueRow): readonly RowAction[] {
  const file: readonly RowAction[] = row.source === 'file' ? ['showInFolder'] : [];
  const options: readonly RowAction[] = row.changeable ? ['options'] : [];
  const rest: readonly RowAction[] = [...options, ...file, 'details', 'remove'];
  const { state } = row;
  switch (state.kind) {
    case 'waiting':
      return ['runNext', 'pause', ...rest];
    case 'creating':
    case 'uploading':
    case 'completing':
      return row.retryAt === null ? ['pause', 'cancel', ...rest] : ['retry', 'pause', 'cancel', ...rest];
    case 'transcribing':
      return row.retryAt === null ? ['cancel', 'pause', ...rest] : ['retry', 'pause', 'cancel', ...rest];
    case 'saving':
    case 'cancelling':
      return ['details', ...file, 'remove'];
    case 'paused':
      return ['resume', 'cancel', ...rest];
    case 'done':
      return ['open', 'export', ...rest];
    case 'cancelled':
      return ['retry', ...rest];
    case 'blocked':
      switch (remedyFor(state.problem.code).action) {
        case 'locate':
          return ['locate', 'retry', 'cancel', 'details', 'remove'];
        case 'settings':
          return ['settings', 'retry', 'cancel', ...rest];
        default:
          return ['retry', 'cancel', ...rest];
      }
    case 'failed':
      return remedyFor(state.problem.code).action === 'remove'
        ? ['remove', 'retry', ...file, 'details']
        : ['retry', ...rest];
  }
}

const sentActions = ['pause', 'cancel', 'remove'] as const;
const endedActions = ['retry', 'options', 'remove'] as const;

/** States in which a service may hold nothing of a recording yet, or any more. */
const movableStates: ReadonlySet<RowState['kind']> = new Set([
  'waiting',
  'creating',
  'paused',
  'blocked',
  'failed',
  'cancelled',
]);

/** What can be done with many rows of a state, whatever else there is to each. */
const bulkActionsIn: Readonly<Record<RowState['kind'], readonly BulkAction[]>> = {
  waiting: ['pause', 'runNext', 'options', 'remove'],
  creating: sentActions,
  uploading: sentActions,
  completing: sentActions,
  transcribing: sentActions,
  saving: ['remove'],
  done: ['export', 'remove'],
  paused: ['resume', 'cancel', 'options', 'remove'],
  blocked: ['retry', 'cancel', 'options', 'remove'],
  failed: endedActions,
  cancelling: ['remove'],
  cancelled: endedActions,
};

/** What can be done with several rows: all that fits one of them at least. */
export function bulkActionsOf(
  parts: readonly Pick<QueuePart, 'kind' | 'service'>[],
  inUse: ServiceAddress | null,
): readonly BulkAction[] {
  const possible = new Set(parts.flatMap(({ kind }) => bulkActionsIn[kind]));
  const isElsewhere =
    inUse !== null && parts.some((part) => part.service !== inUse && movableStates.has(part.kind));
  if (isElsewhere) possible.add('sendWith');
  return bulkActions.filter((action) => possible.has(action));
}

/** Whether something of it has been sent or done that would have to be done again. */
export const isAtWork = ({ kind }: Pick<RowState, 'kind'>): boolean =>
  kind === 'creating' ||
  kind === 'uploading' ||
  kind === 'completing' ||
  kind === 'transcribing' ||
  kind === 'saving';

/** How many of some items an action changes: what is over cannot be cancelled any more. */
export function countFor(action: 'cancel' | 'remove', parts: readonly QueuePart[]): number {
  return parts
    .filter(({ kind }) => action === 'remove' || !finishedStates.has(kind))
    .reduce((sum, { count }) => sum + count, 0);
}

const finishedStates: ReadonlySet<RowState['kind']> = new Set(['done', 'failed', 'cancelling', 'cancelled']);

/** Whether the row's first action is always visible, because something needs to be read or fixed. */
export const showsFirstAction = (row: QueueRow): boolean =>
  waitsForKey(row) || ['done', 'blocked', 'failed', 'paused'].includes(row.state.kind);
