import type { TFunction } from 'i18next';
import type { QueuePart, QueueRow, RowState } from '../../../electron/contract/model/queue.ts';
import type { ProblemCode } from '../../../electron/contract/problem.ts';

/** What a user can do with one row. */
export type RowAction =
  | 'open'
  | 'export'
  | 'pause'
  | 'resume'
  | 'retry'
  | 'runNext'
  | 'options'
  | 'locate'
  | 'settings'
  | 'cancel'
  | 'showInFolder'
  | 'details'
  | 'remove';

/** The actions that make sense for many rows at once, in the order in which they are shown. */
const bulkActions = ['export', 'pause', 'resume', 'retry', 'runNext', 'options', 'cancel', 'remove'] as const;
export type BulkAction = (typeof bulkActions)[number];

/** Problems that only another recording or another link can mend. */
const hopeless: ReadonlySet<ProblemCode> = new Set([
  'invalid_remote_url',
  'insecure_remote_url',
  'remote_host_blocked',
  'remote_host_unresolved',
  'file_too_large',
  'unsupported_file',
  'invalid_file_signature',
  'file_empty',
  'not_media',
  'not_a_file',
  'invalid_link',
]);

/** Problems that are mended in the settings. */
const settingsProblems: ReadonlySet<ProblemCode> = new Set([
  'invalid_api_key',
  'key_missing',
  'wrong_address',
  'address_not_https',
  'foreign_address',
]);

/** What a retry means where there is more to say than that, by the problem that it mends. */
const mends: Partial<Record<ProblemCode, 'sendAgain' | 'sendAsIs' | 'startAnew' | 'tryAgain'>> = {
  file_changed: 'sendAsIs',
  file_unreadable: 'tryAgain',
  disk_full: 'tryAgain',
  unexpected_answer: 'tryAgain',
  job_gone: 'sendAgain',
  job_deleted: 'sendAgain',
  upload_expired: 'sendAgain',
  upload_session_missing: 'sendAgain',
  idempotency_conflict: 'startAnew',
};

/** The words of a row's first action: where it mends a problem, what it does about it. */
export function primaryWords(t: TFunction, action: RowAction, { state }: QueueRow): string {
  const mend = state.kind === 'blocked' && action === 'retry' ? mends[state.problem.code] : undefined;
  return mend === undefined ? t(`rowAction.${action}`) : t(`mend.${mend}`);
}

/** What can be done with a row, the likeliest first. */
export function actionsOf(row: QueueRow): readonly RowAction[] {
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
      if (state.problem.code === 'file_missing' || state.problem.code === 'file_unreadable')
        return ['locate', 'retry', 'cancel', 'details', 'remove'];
      if (settingsProblems.has(state.problem.code)) return ['settings', 'retry', 'cancel', ...rest];
      return ['retry', 'cancel', ...rest];
    case 'failed':
      return hopeless.has(state.problem.code) ? ['remove', 'retry', ...file, 'details'] : ['retry', ...rest];
  }
}

const sent = ['pause', 'cancel', 'remove'] as const;
const ended = ['retry', 'options', 'remove'] as const;

/** What can be done with many rows of a state, whatever else there is to each. */
const bulkActionsIn: Readonly<Record<RowState['kind'], readonly BulkAction[]>> = {
  waiting: ['pause', 'runNext', 'options', 'remove'],
  creating: sent,
  uploading: sent,
  completing: sent,
  transcribing: sent,
  saving: ['remove'],
  done: ['export', 'remove'],
  paused: ['resume', 'cancel', 'options', 'remove'],
  blocked: ['retry', 'cancel', 'options', 'remove'],
  failed: ended,
  cancelling: ['remove'],
  cancelled: ended,
};

/** What can be done with several rows: all that fits one of them at least. */
export function bulkActionsOf(kinds: readonly RowState['kind'][]): readonly BulkAction[] {
  const possible = new Set(kinds.flatMap((kind) => bulkActionsIn[kind]));
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
    .filter(({ kind }) => action === 'remove' || !over.has(kind))
    .reduce((sum, { count }) => sum + count, 0);
}

const over: ReadonlySet<RowState['kind']> = new Set(['done', 'failed', 'cancelling', 'cancelled']);

/** Whether the row's first action is shown at all times: something is to be read or mended. */
export const invites = ({ state }: QueueRow): boolean =>
  state.kind === 'done' || state.kind === 'blocked' || state.kind === 'failed' || state.kind === 'paused';
