import type { TFunction } from 'i18next';
import type { QueueGroup } from '../../../electron/contract/queue-commands.ts';

/** States in which the service may hold an active job, whose credits it refunds (API part 1). */
const refundableStates: ReadonlySet<QueueGroup['kind']> = new Set([
  'creating',
  'uploading',
  'completing',
  'transcribing',
  'cancelling',
  'paused',
  'blocked',
]);

/** Says what is refunded when work on items of the queue ends; `null` when nothing can have been charged. */
export function refundText(
  t: TFunction,
  groups: readonly Pick<QueueGroup, 'kind' | 'service'>[],
): string | null {
  const paid = groups.filter(({ service }) => service !== 'on-device');
  const hasRefundable = paid.some(({ kind }) => refundableStates.has(kind));
  const hasFinished = paid.some(({ kind }) => kind === 'saving');
  if (hasRefundable && hasFinished) return t('refund.mixed');
  if (hasRefundable) return t('refund.cancel');
  return hasFinished ? t('refund.saving') : null;
}
