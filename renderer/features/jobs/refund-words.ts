import type { TFunction } from 'i18next';
import type { QueueRow } from '../../../electron/contract/model/queue.ts';

/** States in which the service may hold an active job, whose credits it refunds (API part 1). */
const refunded: ReadonlySet<QueueRow['state']['kind']> = new Set([
  'creating',
  'uploading',
  'completing',
  'transcribing',
  'cancelling',
  'paused',
  'blocked',
]);

/** What is refunded when work on rows of the queue ends; `null` where nothing can have been charged. */
export function refundWords(t: TFunction, rows: readonly QueueRow[]): string | null {
  const paid = rows.filter(({ service }) => service !== 'on-device');
  const some = paid.some(({ state }) => refunded.has(state.kind));
  const finished = paid.some(({ state }) => state.kind === 'saving');
  if (some && finished) return t('refund.mixed');
  if (some) return t('refund.cancel');
  return finished ? t('refund.saving') : null;
}
