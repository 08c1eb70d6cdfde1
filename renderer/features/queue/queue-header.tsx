import { useTranslation } from 'react-i18next';
import { useStore, useWindowState } from '../../use-store.ts';
import { runReportingErrors } from '../../notices.ts';
import { Button } from '../../ui/actions/button.tsx';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { ScreenHeader } from '../../ui/screen/screen-header.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { AddMenu } from '../add/add-menu.tsx';
import { shortConditionText } from '../../ui/text/service-text.ts';
import { useServiceName } from '../../ui/text/use-service-name.ts';
import { useIsAnyServiceReady } from '../../ui/text/use-service-conditions.ts';
import { useAnnouncement } from './use-announcement.ts';
import { pendingCostText, finishedShare, summaryText } from './summary-text.ts';
import styles from './queue-header.module.css';

/** The header of the queue: its summary and pending cost, pause and resume, and the add menu. */
export function QueueHeader() {
  const { t } = useTranslation();
  const format = useFormat();
  const { invoke } = useStore();
  const nameOf = useServiceName();
  const [announcement, announce] = useAnnouncement();
  const summary = useWindowState((state) => state.queue.summary);
  const service = useWindowState((state) => state.settings.service);
  const status = useWindowState((state) => state.service);
  const isAnyServiceReady = useIsAnyServiceReady();
  const { counts, paused } = summary;
  const hasUnfinished = counts.working + counts.waiting > 0;

  const runCommand = (name: 'pauseAll' | 'resumeAll'): void =>
    runReportingErrors(async () => {
      await invoke(`queue.${name}`, undefined);
      const reason = name === 'resumeAll' ? shortConditionText(t, format, status) : null;
      announce(
        reason === null ? t(`queue.announced.${name}`) : t('queue.announced.resumeAllWaiting', { reason }),
      );
    });

  if (counts.all === 0) {
    const subtitle =
      service === null || service === 'on-device'
        ? t('queue.goOnDevice')
        : t('queue.goToCloud', { service: nameOf(service) });
    return <ScreenHeader title={t('queue.title')} subtitle={subtitle} />;
  }
  const share = finishedShare(summary);
  const { headline, rest } = summaryText(t, format, summary, isAnyServiceReady);
  return (
    <ScreenHeader
      title={t('queue.title')}
      subtitle={
        <>
          <strong className={styles.headline}>{headline}</strong> <span>{rest}</span>
        </>
      }
      actions={
        <>
          {paused && <Button onClick={() => runCommand('resumeAll')}>{t('queue.resumeAll')}</Button>}
          {!paused && hasUnfinished && (
            <Button onClick={() => runCommand('pauseAll')}>{t('queue.pauseAll')}</Button>
          )}
          <AddMenu />
        </>
      }
    >
      <span aria-live="polite" className="visually-hidden">
        {announcement}
      </span>
      <PendingCostLine />
      {/* An empty bar looks like a stalled task. */}
      {counts.done < counts.all && share > 0 && (
        <ProgressBar label={t('queue.progress')} value={share} thick />
      )}
    </ScreenHeader>
  );
}

/** What the default service will still charge; empty when nothing is pending. */
function PendingCostLine() {
  const { t } = useTranslation();
  const format = useFormat();
  const service = useWindowState((state) => state.settings.service);
  const balance = useWindowState((state) => state.service.balanceCredits);
  const pendingCost = useWindowState((state) =>
    state.queue.summary.pendingCosts.find((cost) => cost.service === service),
  );
  const isInBanner = useWindowState((state) => state.service.condition.kind === 'no-credits');
  if (pendingCost === undefined) return null;
  const { text, isBalanceTooLow } = pendingCostText(t, format, pendingCost, balance);
  return (
    <p
      className={styles.pendingCost}
      data-balance-too-low={isBalanceTooLow || undefined}
      data-in-banner={(isBalanceTooLow && isInBanner) || undefined}
      title={text}
    >
      {text}
    </p>
  );
}
