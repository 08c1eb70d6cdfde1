import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { QueueSummary } from '../../../electron/contract/model/queue.ts';
import { useSend, useWindow } from '../../use-store.ts';
import { Button } from '../../ui/button.tsx';
import type { Format } from '../../ui/format.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { useFormat } from '../../ui/use-format.ts';
import { AddMenu } from '../add/add-menu.tsx';
import { serviceName } from '../frame/service-words.ts';

/** How the whole queue stands, in one line. */
function summaryWords(t: TFunction, format: Format, summary: QueueSummary): string {
  const { counts, totalSeconds, secondsLeft, bytesLeft, bytesPerSecond, paused } = summary;
  const total = format.duration(totalSeconds);
  const left = format.duration(secondsLeft);
  const bytes = format.bytes(bytesLeft);
  const rate = t('unit.perSecond', { amount: format.bytes(bytesPerSecond) });
  return [
    paused && t('queue.paused'),
    counts.done === counts.all
      ? t('queue.allDone', { count: counts.all })
      : t('queue.doneOf', { done: counts.done, all: counts.all }),
    totalSeconds > 0 &&
      (secondsLeft > 0 && secondsLeft < totalSeconds
        ? t('queue.lengthLeft', { total, left })
        : t('queue.length', { total })),
    bytesLeft > 0 &&
      (bytesPerSecond > 0 ? t('queue.toSendAt', { bytes, rate }) : t('queue.toSend', { bytes })),
  ]
    .filter((part) => part !== false)
    .join(' · ');
}

/** How much of the queue is done, 0..1: by length where lengths are known, by number otherwise. */
function shareDone({ counts, totalSeconds, secondsLeft }: QueueSummary): number {
  if (totalSeconds > 0) return (totalSeconds - secondsLeft) / totalSeconds;
  return counts.all === 0 ? 0 : counts.done / counts.all;
}

/** The head of the queue: how it stands, pause and resume, and the way in. */
export function QueueHeader() {
  const { t } = useTranslation();
  const format = useFormat();
  const send = useSend();
  const summary = useWindow((state) => state.queue.summary);
  const service = useWindow((state) => state.settings.service);
  const { counts, paused } = summary;
  const unfinished = counts.working + counts.waiting > 0;

  if (counts.all === 0) {
    const sub =
      service === null || service === 'on-device'
        ? t('queue.goOnDevice')
        : t('queue.goToCloud', { service: serviceName(t, service) });
    return <ScreenHeader title={t('queue.title')} sub={sub} />;
  }
  return (
    <ScreenHeader
      title={t('queue.title')}
      sub={summaryWords(t, format, summary)}
      actions={
        <>
          {paused && (
            <Button onClick={() => send('queue.resumeAll', undefined)}>{t('queue.resumeAll')}</Button>
          )}
          {!paused && unfinished && (
            <Button onClick={() => send('queue.pauseAll', undefined)}>{t('queue.pauseAll')}</Button>
          )}
          <AddMenu />
        </>
      }
    >
      <ProgressBar label={t('queue.progress')} share={shareDone(summary)} thick />
    </ScreenHeader>
  );
}
