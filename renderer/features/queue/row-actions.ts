import type { TFunction } from 'i18next';
import type { QueueGroup, QueueRow, RowState } from '../../../electron/contract/queue-commands.ts';
import { textContext } from '../../../electron/contract/problem.ts';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import { remedyFor } from './problem-remedies.ts';

/** Returns the name of a service for the user. */
export type NameOf = (service: ServiceAddress) => string;

/** An action on one row. */
export type RowAction =
  | 'open'
  | 'export'
  | 'pause'
  | 'resume'
  | 'retry'
  | 'restore'
  | 'transcribeAgain'
  | 'addAgain'
  | 'runNext'
  | 'options'
  | 'moveToDefaultService'
  | 'transcribeHere'
  | 'otherService'
  | 'editLink'
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
  'moveToDefaultService',
  'transcribeHere',
  'otherService',
  'cancel',
  'remove',
] as const;
export type BulkAction = (typeof bulkActions)[number];

/** Returns the label of a row's primary action; for a problem, the label of its remedy. */
export function primaryActionText(
  t: TFunction,
  action: RowAction,
  row: QueueRow,
  defaultService: ServiceAddress | null,
  nameOf: NameOf,
): string {
  const { state } = row;
  if (action === 'settings' && waitsForKey(row)) return t('settings.replaceKey');
  const label =
    state.kind === 'blocked' && action === 'retry'
      ? remedyFor(state.problem.code, row.service).retryLabel
      : undefined;
  return label === undefined
    ? actionText(t, 'rowAction', action, defaultService, nameOf)
    : t(`retryLabel.${label}`, textContext(row.service));
}

/** Returns the label of an action: short for a button in a row, longer for a menu. */
export function actionText(
  t: TFunction,
  where: 'rowAction' | 'menuAction',
  action: RowAction,
  defaultService: ServiceAddress | null,
  nameOf: NameOf,
): string {
  if (action === 'transcribeHere') return t('moveToService.here');
  if (action !== 'moveToDefaultService') return t(`${where}.${action}`);
  return defaultService === null || defaultService === 'on-device'
    ? t('moveToService.here')
    : t('moveToService.to', { service: nameOf(defaultService) });
}

/**
 * Returns the actions on a row, the most likely one first.
 *
 * @param defaultService the default service; recordings of other services can be moved to it.
 * @param accounts all accounts: recordings can be moved to each.
 */
export function actionsOf(
  row: QueueRow,
  defaultService: ServiceAddress | null,
  accounts: readonly ServiceAddress[] = [],
): readonly RowAction[] {
  const isDeleted = row.state.kind === 'done' && row.state.transcript.kind === 'deleted';
  const canMove = row.movable || isStuck(row) || (row.isAccountRemoved && isDeleted);
  const moves = canMove ? moveActionsFor(row.service, defaultService, accounts) : [];
  if (row.isAccountRemoved && canMove) {
    const others = defaultActionsOf(row).filter((action) => !accountActions.has(action));
    return [...moves, ...others];
  }
  const actions = defaultActionsOf(row);
  if (!waitsForUser(row) && !isStoppedUntilUserActs(row))
    return actions.toSpliced(Math.max(1, actions.indexOf('details')), 0, ...moves);
  const settings: readonly RowAction[] =
    waitsForLimit(row) || (waitsForKey(row) && accounts.includes(row.service)) ? ['settings'] : [];
  return [...settings, ...moves, ...actions.filter((action) => action !== 'runNext')];
}

/** Actions that send a recording to its account, or fix the account. */
const accountActions: ReadonlySet<RowAction> = new Set([
  'runNext',
  'resume',
  'retry',
  'transcribeAgain',
  'settings',
]);

/** Returns what Enter does on a row: its primary action, or its details if that would stop or remove the recording. */
export function enterActionOf(
  row: QueueRow,
  defaultService: ServiceAddress | null,
  accounts: readonly ServiceAddress[],
): RowAction {
  const [primary = 'details'] = actionsOf(row, defaultService, accounts);
  return progressActions.some((action) => action === primary) ? 'details' : primary;
}

/** Returns the actions that move a recording to another service: the default one, this computer, or another account. */
function moveActionsFor(
  service: ServiceAddress,
  defaultService: ServiceAddress | null,
  accounts: readonly ServiceAddress[],
): readonly BulkAction[] {
  if (defaultService === null) return [];
  const moves: BulkAction[] = service === defaultService ? [] : ['moveToDefaultService'];
  if (service !== 'on-device' && defaultService !== 'on-device') moves.push('transcribeHere');
  if (accounts.some((account) => account !== service && account !== defaultService))
    moves.push('otherService');
  return moves;
}

/**
 * Whether a row cannot proceed until the user does something about its service. An outage ends without the user, and one
 * button resumes a paused queue.
 */
const isStoppedUntilUserActs = ({ waitReason }: Pick<QueueRow, 'waitReason'>): boolean =>
  waitReason !== null && waitReason !== 'outage' && waitReason !== 'paused';

/** Whether an item whose service may already have a job for it is stuck until the user fixes the service. */
const isStuck = ({ state, waitReason }: QueueRow): boolean =>
  isStoppedUntilUserActs({ waitReason }) ||
  (state.kind === 'creating' &&
    (state.waitsFor === 'key' || state.waitsFor === 'account' || state.waitsFor === 'service'));

/** What an item waits for before its service has a job for it; `null` if it does not. */
const waitsFor = ({ state }: QueueRow) =>
  state.kind === 'waiting' || state.kind === 'creating' ? state.waitsFor : null;

/** Whether the account of an item has no valid key. */
export const waitsForKey = (row: QueueRow): boolean => row.waitReason === 'key' || waitsFor(row) === 'key';

const waitsForLimit = (row: QueueRow): boolean => waitsFor(row) === 'limit';

/** Whether the item waits until the user does something about its account. */
const waitsForUser = (row: QueueRow): boolean =>
  waitsForKey(row) || waitsForLimit(row) || waitsFor(row) === 'account' || waitsFor(row) === 'credits';

function defaultActionsOf(row: QueueRow): readonly RowAction[] {
  const file: readonly RowAction[] = row.source === 'file' ? ['showInFolder'] : [];
  const options: readonly RowAction[] = row.changeable ? ['options'] : [];
  const link: readonly RowAction[] = row.changeable && row.source === 'link' ? ['editLink'] : [];
  const rest: readonly RowAction[] = [...options, ...link, ...file, 'details', 'remove'];
  const { state } = row;
  const next: readonly RowAction[] = isQueuedOnDevice(row) ? ['runNext'] : [];
  switch (state.kind) {
    case 'waiting':
      return ['runNext', 'pause', ...rest];
    case 'creating':
    case 'uploading':
    case 'completing':
      return row.retryAt === null
        ? ['pause', 'cancel', ...next, ...rest]
        : ['retry', 'pause', 'cancel', ...next, ...rest];
    case 'transcribing': {
      const open: readonly RowAction[] = hasReadableText(row) ? ['open'] : [];
      return row.retryAt === null
        ? [...open, 'cancel', 'pause', ...next, ...rest]
        : ['retry', ...open, 'pause', 'cancel', ...next, ...rest];
    }
    case 'saving':
    case 'cancelling':
      return ['details', ...file, 'remove'];
    case 'paused':
      return ['resume', 'cancel', ...rest];
    case 'done':
      switch (state.transcript.kind) {
        case 'library':
          return ['open', 'export', 'addAgain', ...rest];
        case 'trash':
          return ['restore', 'open', ...rest];
        case 'deleted':
          return ['transcribeAgain', ...rest];
      }
    case 'cancelled':
      return ['retry', ...rest];
    case 'blocked':
      switch (remedyFor(state.problem.code, row.service).action) {
        case 'locate':
          return ['locate', 'retry', 'cancel', 'details', 'remove'];
        case 'settings':
          return ['settings', 'retry', 'cancel', ...rest];
        default:
          return ['retry', 'cancel', ...rest];
      }
    case 'failed':
      if (remedyFor(state.problem.code, row.service).action !== 'remove') return ['retry', ...rest];
      return link.length > 0
        ? [...link, 'retry', 'details', 'remove']
        : ['remove', 'retry', ...file, 'details'];
  }
}

/** Whether an item that has been started is not being transcribed by the on-device service yet. */
const isQueuedOnDevice = ({ state, service }: QueueRow): boolean =>
  service === 'on-device' &&
  !(state.kind === 'transcribing' && (state.status === 'processing' || state.status === 'merging'));

/** Whether there is text to read: a saved transcript, or the first text of one in progress. */
export const hasReadableText = ({ state }: Pick<QueueRow, 'state'>): boolean =>
  (state.kind === 'done' && state.transcript.kind !== 'deleted') ||
  (state.kind === 'transcribing' && state.latestText !== undefined);

/** The bulk actions on items in progress, and on those that ended without a transcript. */
const progressActions = ['pause', 'cancel', 'remove'] as const;
const endedActions = ['retry', 'options', 'remove'] as const;

/**
 * States in which the service has no job of the item, or no longer has one. Items of a stopped service can always be
 * moved.
 */
const movableStates: ReadonlySet<RowState['kind']> = new Set([
  'waiting',
  'creating',
  'paused',
  'blocked',
  'failed',
  'cancelled',
]);

/** The bulk actions that apply to rows in each state. */
const bulkActionsIn: Readonly<Record<RowState['kind'], readonly BulkAction[]>> = {
  waiting: ['pause', 'runNext', 'options', 'remove'],
  creating: progressActions,
  uploading: progressActions,
  completing: progressActions,
  transcribing: progressActions,
  saving: ['remove'],
  done: ['export', 'remove'],
  paused: ['resume', 'cancel', 'options', 'remove'],
  blocked: ['retry', 'cancel', 'options', 'remove'],
  failed: endedActions,
  cancelling: ['remove'],
  cancelled: endedActions,
};

/**
 * Returns the actions that apply to at least one of several rows.
 *
 * @param stopped the services that are stopped until the user acts: items that may have a job there can be moved too,
 *   after a confirmation.
 */
export function bulkActionsOf(
  groups: readonly Pick<QueueGroup, 'kind' | 'service'>[],
  defaultService: ServiceAddress | null,
  accounts: readonly ServiceAddress[] = [],
  stopped: readonly ServiceAddress[] = [],
): readonly BulkAction[] {
  const possible = new Set(groups.flatMap(({ kind }) => bulkActionsIn[kind]));
  for (const { kind, service } of groups)
    if (movableStates.has(kind) || (kind !== 'done' && stopped.includes(service)))
      for (const move of moveActionsFor(service, defaultService, accounts)) possible.add(move);
  return bulkActions.filter((action) => possible.has(action));
}

/** Whether work has been done that would have to be repeated. */
export const hasProgressToLose = ({ kind }: Pick<RowState, 'kind'>): boolean =>
  kind === 'creating' ||
  kind === 'uploading' ||
  kind === 'completing' ||
  kind === 'transcribing' ||
  kind === 'saving';

/** Counts the items that an action affects. */
export function countAffectedItems(action: 'cancel' | 'remove', groups: readonly QueueGroup[]): number {
  return groups
    .filter(({ kind }) => action === 'remove' || !uncancellableStates.has(kind))
    .reduce((sum, { count }) => sum + count, 0);
}

const uncancellableStates: ReadonlySet<RowState['kind']> = new Set([
  'done',
  'failed',
  'cancelling',
  'cancelled',
]);

/** Whether the row's primary action is always visible, because something needs to be read or fixed. */
export const showsPrimaryAction = (row: QueueRow): boolean =>
  waitsForUser(row) ||
  isStoppedUntilUserActs(row) ||
  row.isAccountRemoved ||
  ['done', 'blocked', 'failed', 'paused'].includes(row.state.kind);
