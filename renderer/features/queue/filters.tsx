import { useTranslation } from 'react-i18next';
import { queueFilters, type QueueFilter } from '../../../electron/contract/model/queue.ts';
import { useSend, useWindow } from '../../use-store.ts';
import { Button } from '../../ui/button.tsx';
import { useFormat } from '../../ui/use-format.ts';
import styles from './filters.module.css';

export interface FiltersProps {
  readonly filter: QueueFilter;
  readonly onFilter: (filter: QueueFilter) => void;
}

/** What part of the queue is shown, and what can be done with all of that part. */
export function Filters({ filter, onFilter }: FiltersProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const send = useSend();
  const counts = useWindow((state) => state.queue.summary.counts);

  return (
    <div className={styles.bar}>
      <div role="group" aria-label={t('queue.filters')} className={styles.filters}>
        {queueFilters.map((name) => (
          <button
            key={name}
            type="button"
            className={styles.filter}
            aria-pressed={name === filter}
            data-calls={(name === 'attention' && counts.attention > 0) || undefined}
            onClick={() => onFilter(name)}
          >
            {t(`queue.filter.${name}`)} <span className={styles.count}>{format.number(counts[name])}</span>
          </button>
        ))}
      </div>
      {filter === 'attention' && counts.attention > 0 && (
        <Button look="plain" onClick={() => send('queue.retryFailed', undefined)}>
          {t('queue.retryFailed')}
        </Button>
      )}
      {(filter === 'done' || filter === 'all') && counts.done > 0 && (
        <Button look="plain" onClick={() => send('queue.clearFinished', undefined)}>
          {t('queue.clearFinished')}
        </Button>
      )}
    </div>
  );
}
