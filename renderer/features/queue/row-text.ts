import type { TFunction } from 'i18next';
import type { ExportFormat } from '../../../electron/contract/choices.ts';
import type { QueueRow } from '../../../electron/contract/queue-commands.ts';
import { textContext } from '../../../electron/contract/problem.ts';
import { shortfallTimes } from '../../../electron/core/transcript/clock-time.ts';
import type { Format } from '../../ui/text/format.ts';
import { jobText } from '../../ui/text/job-text.ts';
import { problemText, reasonText } from '../../ui/text/problem-text.ts';

/** The state of a row in words. */
export interface RowText {
  /** Colours are used for meaning only: done, needs attention, failed. `transient`: a fault that is retried automatically. */
  readonly tone: 'plain' | 'transient' | 'ok' | 'warn' | 'bad';
  readonly text: string;
  /** The full text, when it is longer than a row has room for. */
  readonly full?: string;
  /** A short text at the end of the line: progress, or a time. */
  readonly trailingText?: string;
  /** 0..1 for the progress bar; absent for none. */
  readonly progress?: number;
}

/**
 * Describes the state of a row.
 *
 * @param now Unix milliseconds, for the time until the next attempt.
 */
export function rowText(t: TFunction, format: Format, row: QueueRow, now: number): RowText {
  if (row.retryAt === null) return stateText(t, format, row);
  const seconds = Math.ceil((row.retryAt - now) / 1000);
  return {
    tone: 'transient',
    ...(row.lastProblem === null
      ? { text: stateText(t, format, row).text }
      : // The time of the retry says what happens next.
        { text: reasonText(t, row.lastProblem), full: problemText(t, row.lastProblem) }),
    trailingText: seconds > 0 ? t('row.again', { time: format.duration(seconds) }) : t('row.againNow'),
  };
}

function stateText(t: TFunction, format: Format, row: QueueRow): RowText {
  const { state, service } = row;
  const where = textContext(service);
  // A paused queue still cancels.
  if (state.kind === 'cancelling' && row.waitReason !== null && row.waitReason !== 'paused')
    return { tone: 'warn', text: t(`row.cancellingLater.${row.waitReason}`, where) };
  if (row.waitReason !== null)
    return {
      tone: row.waitReason === 'paused' || row.waitReason === 'outage' ? 'plain' : 'warn',
      text: t(`row.waiting.${row.waitReason}`, where),
    };
  switch (state.kind) {
    case 'waiting':
      return {
        tone: toneOf(state.waitsFor),
        text: t(`row.waiting.${state.waitsFor}`, where),
        ...(state.position === null ? {} : { trailingText: positionText(t, state.position) }),
      };
    case 'creating':
      return state.waitsFor === null
        ? { tone: 'plain', text: t('row.creating', where) }
        : { tone: toneOf(state.waitsFor), text: t(`row.waiting.${state.waitsFor}`, where) };
    case 'uploading': {
      if (service === 'on-device' || row.sizeBytes === null || row.sizeBytes === 0 || state.sentBytes === 0)
        return { tone: 'plain', text: t('row.uploading', where) };
      const progress = state.sentBytes / row.sizeBytes;
      const sent = format.bytes(state.sentBytes);
      const text = t('row.sent', { sent, size: format.bytes(row.sizeBytes) });
      const rate = t('unit.perSecond', { amount: format.bytes(state.bytesPerSecond) });
      return { tone: 'plain', text, progress, ...(state.bytesPerSecond > 0 && { trailingText: rate }) };
    }
    case 'completing':
      return {
        tone: 'plain',
        text: t('row.completing', where),
        ...(service !== 'on-device' && { progress: 1 }),
      };
    case 'transcribing': {
      const progress = state.progress / 100;
      const text = jobText(t, service, state.status);
      // An empty bar looks like a stalled task.
      return {
        tone: 'plain',
        text,
        ...(progress > 0 && { trailingText: format.percent(progress), progress }),
      };
    }
    case 'saving':
      return { tone: 'plain', text: t('row.saving'), progress: 1 };
    case 'done': {
      const { files, transcript, shortfall } = state;
      const formatNames = (names: readonly ExportFormat[]): string =>
        format.list(names.map((name) => t(`format.${name}`)));
      const parts = [
        doneText(t, state),
        ...(shortfall === undefined ? [] : [t('row.shortfall', shortfallTimes(shortfall))]),
        ...(files.saved.length > 0 ? [t('row.saved', { formats: formatNames(files.saved) })] : []),
        ...(files.failed.length > 0 ? [t('row.notSaved', { formats: formatNames(files.failed) })] : []),
      ];
      const tone = transcript.kind === 'library' ? 'ok' : 'plain';
      return {
        tone: files.failed.length > 0 || shortfall !== undefined ? 'warn' : tone,
        text: parts.join(' · '),
      };
    }
    case 'paused':
      return { tone: 'plain', text: t('row.paused') };
    case 'blocked':
      return { tone: 'warn', text: problemText(t, state.problem) };
    case 'failed':
      return { tone: 'bad', text: problemText(t, state.problem) };
    case 'cancelling':
      return { tone: 'plain', text: t('row.cancelling') };
    case 'cancelled':
      return { tone: 'plain', text: t('row.cancelled') };
  }
}

function doneText(
  t: TFunction,
  { transcript, wordCount }: Extract<QueueRow['state'], { kind: 'done' }>,
): string {
  if (transcript.kind !== 'library') return t(`row.${transcript.kind}`);
  return wordCount === 0
    ? t('row.doneEmpty')
    : t('row.done', { words: t('unit.words', { count: wordCount }) });
}

/** Returns the tone of a waiting item: one that waits for the user needs attention, as in the filters. */
const toneOf = (waitsFor: Extract<QueueRow['state'], { kind: 'waiting' }>['waitsFor']): RowText['tone'] =>
  waitsFor === 'credits' || waitsFor === 'limit' || waitsFor === 'key' || waitsFor === 'account'
    ? 'warn'
    : 'plain';

/** Returns the text for a position in the queue: "next", "2nd in line". */
const positionText = (t: TFunction, position: number): string =>
  position === 1 ? t('row.next') : t('row.queuePosition', { count: position, ordinal: true });
