import { useTranslation } from 'react-i18next';
import { screenOf, screens, type Screen } from '../../route.ts';
import { useGoTo, useStore, useWindowState } from '../../use-store.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import { shortConditionText } from '../../ui/text/service-text.ts';
import { useServiceName } from '../../ui/text/use-service-name.ts';
import { Icon } from '../../ui/icon.tsx';
import { BackgroundTasks } from '../tasks/background-tasks.tsx';
import { RecentMessages } from './recent-messages.tsx';
import styles from './sidebar.module.css';
import { jobSlots } from '../../../electron/contract/limits.ts';

/** The sidebar: navigation, and the default service. */
export function Sidebar() {
  const { t } = useTranslation();
  const { openScreen } = useStore();
  const current = useWindowState((state) => screenOf(state.route));
  const counts = useWindowState((state) => state.queue.summary.counts);
  const isPaused = useWindowState((state) => state.queue.summary.paused);
  const libraryTotal = useWindowState((state) => state.library.total);

  const countOf: Readonly<Record<Screen, number>> = {
    queue: counts.working + counts.waiting + counts.attention,
    library: libraryTotal,
    settings: 0,
  };
  return (
    <nav className={styles.side} aria-label={t('nav.label')}>
      <div className={styles.brand}>{t('app.name')}</div>
      <ul className={styles.entries}>
        {screens.map((screen) => (
          <li key={screen}>
            <button
              type="button"
              className={styles.entry}
              aria-current={screen === current ? 'page' : undefined}
              onClick={() => openScreen(screen)}
            >
              <span className={styles.name}>{t(`nav.${screen}`)}</span>
              <Count
                number={countOf[screen]}
                needsUser={screen === 'queue' && counts.attention > 0}
                isPaused={screen === 'queue' && isPaused}
              />
            </button>
          </li>
        ))}
      </ul>
      <div className={styles.foot}>
        <BackgroundTasks />
        <RecentMessages />
        <ServiceSummary />
      </div>
    </nav>
  );
}

interface CountProps {
  readonly number: number;
  readonly needsUser: boolean;
  readonly isPaused: boolean;
}

function Count({ number, needsUser, isPaused }: CountProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <span className={styles.count}>
      {isPaused && (
        <span className={styles.paused} title={t('nav.paused')}>
          <Icon name="pause" />
          <span className="visually-hidden">{t('nav.paused')}</span>
        </span>
      )}
      {needsUser && (
        <span className={styles.dot}>
          <span className="visually-hidden">{t('nav.attention')}</span>
        </span>
      )}
      {number > 0 && format.number(number)}
    </span>
  );
}

/** The default service with its balance; opens its settings. */
function ServiceSummary() {
  const { t } = useTranslation();
  const format = useFormat();
  const goTo = useGoTo();
  const nameOf = useServiceName();
  const { service, condition, balanceCredits, activeJobs } = useWindowState((state) => state.service);
  // With an account, recordings may be sent to it even while this computer is the default service.
  const isPrivate = useWindowState((state) => state.settings.accounts.length === 0);
  const conditionLabel = shortConditionText(t, format, { service, condition });

  return (
    <button type="button" className={styles.service} onClick={() => goTo({ screen: 'settings' })}>
      <strong className={styles.serviceName}>{nameOf(service)}</strong>
      {conditionLabel !== null && <span className={styles.condition}>{conditionLabel}</span>}
      {isPrivate && conditionLabel === null && <span>{t('service.private')}</span>}
      {service !== 'on-device' && balanceCredits !== null && (
        <>
          <span>{t('unit.credits', { count: balanceCredits })}</span>
          {balanceCredits > 0 && (
            <span>{t('service.timeLeft', { time: format.duration(balanceCredits * 60) })}</span>
          )}
        </>
      )}
      {service !== 'on-device' && activeJobs > 0 && (
        <span>{t('service.slotsFree', { free: jobSlots - activeJobs, limit: jobSlots })}</span>
      )}
    </button>
  );
}
