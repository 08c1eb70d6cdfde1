import type { TFunction } from 'i18next';
import type { QueueSummary, ServiceCost } from '../../../electron/contract/queue-commands.ts';
import { dollarsFor } from '../../../electron/contract/pricing.ts';
import type { Format } from '../../ui/text/format.ts';

/** The summary of the queue: what the user looks for first, and the rest. */
export interface SummaryText {
  readonly headline: string;
  readonly rest: string;
}

/**
 * Summarizes the queue, the most important facts first. Unknown facts are absent.
 *
 * @param isAnyServiceReady whether a service is ready, so that the remaining time is meaningful.
 */
export function summaryText(
  t: TFunction,
  format: Format,
  summary: QueueSummary,
  isAnyServiceReady: boolean,
): SummaryText {
  const { counts, bytesLeft, bytesPerSecond, speed, timeLeftSeconds, unknownDurations } = summary;
  const bytes = format.bytes(bytesLeft);
  const rate = t('unit.perSecond', { amount: format.bytes(bytesPerSecond) });
  const hasProgress = isAnyServiceReady && counts.working > 0;
  const timeLeft =
    hasProgress &&
    timeLeftSeconds !== null &&
    t('queue.timeLeft', { time: format.duration(timeLeftSeconds) });
  return {
    headline: joinFacts([
      summary.paused && t('queue.paused'),
      summary.paused &&
        summary.transcribingInCloud > 0 &&
        t('queue.transcribingInCloud', { count: summary.transcribingInCloud }),
      counts.done === counts.all
        ? t('queue.allDone', { count: counts.all })
        : t('queue.doneOf', { done: counts.done, all: counts.all }),
      !summary.paused && summary.pausedItems > 0 && t('queue.pausedItems', { count: summary.pausedItems }),
      timeLeft,
    ]),
    rest: joinFacts([
      // Two remaining amounts in a row are confusing.
      durationText(t, format, summary, timeLeft === false),
      timeLeft !== false && unknownDurations > 0 && t('queue.unknownDurations', { count: unknownDurations }),
      hasProgress && speed !== null && t('queue.speed', { speed: format.factor(speed) }),
      bytesLeft > 0 &&
        (bytesPerSecond > 0 ? t('queue.toSendAt', { bytes, rate }) : t('queue.toSend', { bytes })),
    ]),
  };
}

/** Joins facts so that a line breaks between them, or after a comma, never within "56 GB to send". */
const joinFacts = (parts: readonly (string | false)[]): string =>
  parts
    .filter((part) => part !== false)
    .map((part) => part.replaceAll(/(?<!,) /gu, '\u00a0'))
    .join('\u00a0· ');

function durationText(
  t: TFunction,
  format: Format,
  { totalSeconds, secondsLeft }: QueueSummary,
  withTimeLeft: boolean,
): string | false {
  if (totalSeconds === 0) return false;
  const total = format.duration(totalSeconds);
  const left = format.duration(secondsLeft);
  // Rounded, the two can be the same.
  return withTimeLeft && secondsLeft > 0 && left !== total
    ? t('queue.durationLeft', { total, left })
    : t('queue.duration', { total });
}

/** What an account charges for some recordings. */
export type CostOfRecordings = Pick<ServiceCost, 'credits' | 'unknownDurations'>;

export interface PendingCostText {
  readonly text: string;
  /** Whether the balance is too low. */
  readonly isBalanceTooLow: boolean;
}

/** Describes the pending charges and the balance. */
export function pendingCostText(
  t: TFunction,
  format: Format,
  { credits, unknownDurations }: CostOfRecordings,
  balance: number | null,
): PendingCostText {
  const knownCost = t('pendingCost.credits', {
    count: credits,
    dollars: format.dollars(dollarsFor(credits)),
  });
  const cost =
    unknownDurations > 0 ? t('pendingCost.unknown', { cost: knownCost, count: unknownDurations }) : knownCost;
  if (balance === null) return { text: t('pendingCost.needs', { cost }), isBalanceTooLow: false };
  return { text: t('pendingCost.needsOf', { cost, count: balance }), isBalanceTooLow: credits > balance };
}

/**
 * Returns the finished share of the queue, 0..1: by duration if that of every unfinished recording is known, or else by
 * number.
 */
export function finishedShare({ counts, totalSeconds, secondsLeft, unknownDurations }: QueueSummary): number {
  if (totalSeconds > 0 && unknownDurations === 0) return (totalSeconds - secondsLeft) / totalSeconds;
  return counts.all === 0 ? 0 : counts.done / counts.all;
}
