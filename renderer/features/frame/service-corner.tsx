import { useTranslation } from 'react-i18next';
import { useGoTo, useWindow } from '../../use-store.ts';
import { useFormat } from '../../ui/words/use-format.ts';
import { jobSlots } from '../../../electron/contract/limits.ts';
import { shortConditionWords, serviceName } from '../../ui/words/service-words.ts';
import styles from './side.module.css';

/** The service in use with what it has left; leads to its settings. */
export function ServiceCorner() {
  const { t } = useTranslation();
  const format = useFormat();
  const goTo = useGoTo();
  const { service, condition, balanceCredits, activeJobs } = useWindow((state) => state.service);
  const trouble = shortConditionWords(t, format, condition);

  return (
    <button type="button" className={styles.service} onClick={() => goTo({ screen: 'settings' })}>
      <strong className={styles.serviceName}>{serviceName(t, service)}</strong>
      {trouble !== null && <span className={styles.trouble}>{trouble}</span>}
      {service === 'on-device' && trouble === null && <span>{t('service.private')}</span>}
      {service !== 'on-device' && balanceCredits !== null && (
        <>
          <span>{t('unit.credits', { count: balanceCredits })}</span>
          <span>{t('service.timeLeft', { time: format.duration(balanceCredits * 60) })}</span>
        </>
      )}
      {service !== 'on-device' && activeJobs > 0 && (
        <span>{t('service.slotsFree', { free: jobSlots - activeJobs, limit: jobSlots })}</span>
      )}
    </button>
  );
}
