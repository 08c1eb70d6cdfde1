import type { TFunction } from 'i18next';
import type { QueuePart } from '../../../electron/contract/queue-commands.ts';

/** States in which the service may hold an active job, whose credits it refunds (API part 1). */
const refunded: ReadonlySet<QueuePart['kind']> = new Set([
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
  parts: readonly Pick<QueuePart, 'kind' | 'service'>[],
): string | null {
  const paid = parts.filter(({ service }) => service !== 'on-device');
  const some = paid.some(({ kind }) => refunded.has(kind));
  const finished = paid.some(({ kind }) => kind === 'saving');
  if (some && finished) return t('refund.mixed');
  if (some) return t('refund.cancel');
  return finished ? t('refund.saving') : null;
}
