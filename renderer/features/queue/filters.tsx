import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { queueFilters, type QueueFilter } from '../../../electron/contract/choices.ts';
import { useSend, useStore, useWindowState } from '../../use-store.ts';
import { Button, IconButton } from '../../ui/actions/button.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { runReportingErrors, notifyWhileBusy } from '../../notices.ts';
import styles from '../../ui/list/filter-bar.module.css';
import type { QueueSort } from '../../../electron/contract/queue-commands.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/actions/menu.tsx';
import { useAnnouncement } from './use-announcement.ts';
import { useUndoRemove } from './use-undo-remove.ts';

export interface FiltersProps {
  readonly filter: QueueFilter;
  /** Whether a search narrows the list: then the actions are hidden, because they would also affect rows that it hides. */
  readonly isSearch: boolean;
  readonly onFilter: (filter: QueueFilter) => void;
  /** Takes the focus when the action that had it is gone. */
  readonly list: RefObject<HTMLElement | null>;
  /** The search. */
  readonly children: ReactNode;
}

/** The filters of the queue, and the actions on everything that the current one shows. */
export function Filters({ filter, isSearch, onFilter, list, children }: FiltersProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const send = useSend();
  const { invoke } = useStore();
  const counts = useWindowState((state) => state.queue.summary.counts);
  const listingCounts = useWindowState((state) => state.queue.counts);
  const hasClearable = counts.done + counts.cancelled > 0;
  // Most queues have no cancelled recordings.
  const shownFilters = queueFilters.filter(
    (name) => name !== 'cancelled' || name === filter || counts.cancelled > 0,
  );

  const { report } = useUndoRemove();
  const clearDoneAndCancelled = (): void => {
    list.current?.focus({ preventScroll: true });
    runReportingErrors(async () => {
      await invoke('queue.clearDoneAndCancelled', undefined);
      report(t('queue.cleared'));
    });
  };
  const [announcement, announce] = useAnnouncement();
  // Sorting changes the order in which the waiting items are processed.
  const sort = (name: SortName): void =>
    runReportingErrors(async () => {
      await notifyWhileBusy('sorting', t('sort.working'), () => invoke('queue.sortWaiting', sorts[name]));
      announce(t('queue.sorted', { order: t(`sort.${name}`) }));
    });
  return (
    <div className={styles.bar}>
      <div role="group" aria-label={t('list.filters')} className={styles.filters}>
        {shownFilters.map((name) => (
          <button
            key={name}
            type="button"
            className={styles.filter}
            aria-pressed={name === filter}
            data-needs-attention={(name === 'attention' && listingCounts.attention > 0) || undefined}
            onClick={() => onFilter(name)}
          >
            {t(`queue.filter.${name}`)}{' '}
            {counts[name] > 0 && <span className={styles.count}>{format.number(listingCounts[name])}</span>}
          </button>
        ))}
      </div>
      <span className={styles.end}>
        {children}
        {/* Hidden actions keep their room, so that the search field does not move while the user types. */}
        <span className={styles.actions} data-hidden={isSearch || undefined}>
          {(filter === 'waiting' || filter === 'all') && counts.waiting > 1 && (
            <span data-beside={filter === 'all' || undefined} className={styles.part}>
              <SortMenu onSort={sort} />
            </span>
          )}
          {filter === 'attention' && counts.attention > 0 && (
            <Button variant="plain" onClick={() => send('queue.retryAll', undefined)}>
              {t('queue.retryAll')}
            </Button>
          )}
          {(filter === 'done' || filter === 'cancelled' || filter === 'all') && hasClearable && (
            <span data-beside={filter === 'all' || undefined} className={styles.part}>
              <Button variant="plain" onClick={clearDoneAndCancelled}>
                {t('queue.clearDoneAndCancelled')}
              </Button>
            </span>
          )}
          {filter === 'all' && (counts.waiting > 1 || hasClearable) && (
            <span className={styles.overflow}>
              <Menu
                button={
                  <IconButton aria-label={t('queue.listActions')}>
                    <Icon name="more" />
                  </IconButton>
                }
              >
                {counts.waiting > 1 && <SortItems onSort={sort} />}
                {counts.waiting > 1 && hasClearable && <MenuSeparator />}
                {hasClearable && (
                  <MenuItem onClick={clearDoneAndCancelled}>{t('queue.clearDoneAndCancelled')}</MenuItem>
                )}
              </Menu>
            </span>
          )}
        </span>
      </span>
      <span aria-live="polite" className="visually-hidden">
        {announcement}
      </span>
    </div>
  );
}

const sorts = {
  name: { by: 'name', descending: false },
  shortest: { by: 'duration', descending: false },
  longest: { by: 'duration', descending: true },
  smallest: { by: 'size', descending: false },
  oldest: { by: 'added', descending: false },
} as const satisfies Record<string, QueueSort>;
type SortName = keyof typeof sorts;
const sortNames = [
  'name',
  'shortest',
  'longest',
  'smallest',
  'oldest',
] as const satisfies readonly SortName[];

interface SortProps {
  readonly onSort: (name: SortName) => void;
}

/** The orders of the waiting items, behind a button. */
function SortMenu({ onSort }: SortProps) {
  const { t } = useTranslation();
  return (
    <Menu
      button={
        <Button variant="plain">
          {t('sort.button')}
          <Icon name="chevron-down" />
        </Button>
      }
    >
      <SortItems onSort={onSort} />
    </Menu>
  );
}

function SortItems({ onSort }: SortProps) {
  const { t } = useTranslation();
  return sortNames.map((name) => (
    <MenuItem key={name} onClick={() => onSort(name)}>
      {t(`sort.${name}`)}
    </MenuItem>
  ));
}
