import { useDeferredValue, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueueFilter } from '../../../electron/contract/choices.ts';
import { lazyPart } from '../../lazy-part.tsx';
import { useWindow } from '../../use-store.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { Empty } from '../../ui/feedback/empty.tsx';
import { AddButtons } from '../add/add-menu.tsx';
import { ServiceBanner } from '../frame/service-banner.tsx';
import { blocksWork } from '../../ui/words/service-words.ts';
import { Filters } from './filters.tsx';
import { QueueHeader } from './queue-header.tsx';
import { QueueList } from './queue-list.tsx';
import styles from './queue-screen.module.css';

const BatchSheet = lazyPart(async () => (await import('../add/add-sheet.tsx')).AddSheet);

/** The queue, with the sheet over it that says what will be added to it. */
export function QueueScreen() {
  const batch = useWindow((state) => state.batch);
  return (
    <div className={styles.screen}>
      {/* The sheet covers it: what is not to be seen is not to be reached either. */}
      <div className={styles.below} inert={batch !== null}>
        <QueueBelow />
      </div>
      {batch !== null && <BatchSheet view={batch} />}
    </div>
  );
}

/** Everything that was added, how it stands, and what can be done about it. */
function QueueBelow() {
  const { t } = useTranslation();
  const [filter, setFilter] = useState<QueueFilter>('all');
  const counts = useWindow((state) => state.queue.summary.counts);
  const isEmpty = useIsEmptyYet(counts.all === 0);
  // One thing at a time: what holds up the whole service comes first.
  const flowing = useWindow(({ service: { condition } }) => !blocksWork(condition));

  return (
    <>
      <QueueHeader />
      <ServiceBanner />
      {isEmpty ? (
        <Empty title={t('queue.emptyTitle')} note={t('queue.emptyNote')} takesDrops>
          <AddButtons />
        </Empty>
      ) : (
        <>
          {flowing && counts.attention > 0 && filter !== 'attention' && (
            <div className={styles.call}>
              <Banner
                tone="warn"
                title={t('queue.needYou', { count: counts.attention })}
                actions={<Button onClick={() => setFilter('attention')}>{t('queue.showThem')}</Button>}
              >
                {t('queue.nothingLost')}
              </Banner>
            </div>
          )}
          <Filters filter={filter} onFilter={setFilter} />
          <QueueList key={filter} filter={filter} />
        </>
      )}
    </>
  );
}

/** Milliseconds that the list is drawn for piece by piece; while recordings come in quickly that may begin anew. */
const maxPiecemealMs = 250;

/**
 * Whether the queue is shown as an empty one: the list takes the place of that when it is drawn. It is the largest part
 * of the window, and while recordings are added the window has no time to draw it in one go.
 */
function useIsEmptyYet(isEmpty: boolean): boolean {
  const drawn = !useDeferredValue(isEmpty);
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (isEmpty || drawn) return;
    const timer = setTimeout(() => setLate(true), maxPiecemealMs);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isEmpty, drawn]);
  return isEmpty || !(drawn || late);
}
