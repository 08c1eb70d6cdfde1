import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueueListing, QueueRow, QueueView } from '../../../electron/contract/queue-commands.ts';
import { useStore, useWindowState } from '../../use-store.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { RowList } from '../../ui/list/row-list.tsx';
import { usePendingKeys } from '../../ui/list/use-pending-keys.ts';
import { useCachedTexts } from '../../ui/text/use-cached-texts.ts';
import { isMenuKey, keyCombination, type ListKey, menuAnchor, nextIndex } from '../../ui/list/list-keys.ts';
import { useRestoredFocus } from '../../ui/focus/use-restored-focus.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import { useStoppedServices } from '../../ui/text/use-service-conditions.ts';
import { useServiceName } from '../../ui/text/use-service-name.ts';
import { useNow } from '../../ui/time/timers.ts';
import { PlaceholderCells } from '../../ui/list/placeholder-cells.tsx';
import { QueueRowCells } from './queue-row.tsx';
import {
  type RowSelection,
  selectionOfRow,
  selectionInListing,
  useDeselectUnlisted,
  useSelectionSummary,
} from './queue-selection.ts';
import {
  enterActionOf,
  actionText,
  type BulkAction,
  bulkActionsOf,
  hasReadableText,
  type RowAction,
} from './row-actions.ts';
import { RowMenu, type RowMenuTarget } from './row-menu.tsx';
import { rowAt } from '../../ui/list/list-selection.ts';
import { useReorder } from './use-reorder.ts';
import { isSameListing } from '../../view-subscriptions.ts';
import { hasRowsAround, rangeAround } from '../../ui/list/row-range.ts';
import { useRowActions } from './use-row-actions.tsx';
import { useAnnouncement } from './use-announcement.ts';
import { useListSelection } from '../../ui/list/use-list-selection.ts';
import { Button } from '../../ui/actions/button.tsx';
import { ActionRow } from '../../ui/actions/action-row.tsx';
import { ScreenFooter } from '../../ui/screen/screen-footer.tsx';

export interface QueueListProps extends QueueListing {
  readonly list: RefObject<HTMLDivElement | null>;
  readonly onListing: (listing: QueueListing) => void;
}

/** The rows of the queue under a filter and a search, with the selection and its actions. */
export function QueueList({ filter, search, list, onListing }: QueueListProps) {
  const { t } = useTranslation();
  const cachedT = useCachedTexts();
  const format = useFormat();
  const listing = useMemo(() => ({ filter, search }), [filter, search]);
  const { view, onVisible } = useQueueRows(listing);
  const { invoke } = useStore();
  const fetchIds = useCallback(
    (offset: number, limit: number) => invoke('queue.ids', { ...listing, offset, limit }),
    [invoke, listing],
  );
  const selection = useListSelection(view, fetchIds);
  useDeselectUnlisted(selection, listing, view);
  const { service: defaultService, accounts } = useWindowState((state) => state.settings);
  const nameOf = useServiceName();
  const now = useNow(view.rows.some((row) => row.retryAt !== null));
  const [menu, setMenu] = useState<{ open: boolean; target: RowMenuTarget | null }>({
    open: false,
    target: null,
  });
  const [announcement, announce] = useAnnouncement();
  const { perform, dialogs } = useRowActions({ list, onRemoved: selection.clear, announce });

  const { has, size, activeIndex } = selection;
  const selectedRows = selectionInListing(selection, listing, view.rows);
  const reorder = useReorder({
    view,
    selection,
    selectedRows,
    announce,
    runNext: (rows) => perform('runNext', rows),
  });
  useRestoredFocus(list, activeIndex !== null);
  const activeRow = activeIndex === null ? undefined : rowAt(view, activeIndex);
  const rowKey = useCallback((index: number) => rowAt(view, index)?.id ?? `unloaded-${index}`, [view]);

  const performOn = useCallback(
    (action: RowAction, row: QueueRow) => perform(action, selectionOfRow(row)),
    [perform],
  );
  /** Makes a row active when its menu or button is used. If the row is selected, the selection stays. */
  const activate = (index: number): void => {
    if (!has(rowAt(view, index)?.id ?? 0)) selection.moveTo(index, false);
  };
  const openMenu = (index: number, anchor: RowMenuTarget['anchor']): void => {
    const row = rowAt(view, index);
    if (row === undefined) return;
    activate(index);
    setMenu({ open: true, target: { row, anchor } });
  };
  const onMore = useCallback(
    (anchor: HTMLElement, row: QueueRow) => setMenu({ open: true, target: { row, anchor } }),
    [],
  );

  const onKeyDown = (event: KeyboardEvent): void => {
    // The buttons of a row have their own keys.
    if (event.target !== event.currentTarget) return;
    if (onPendingKey(event)) event.preventDefault();
  };
  const onListKey = (event: ListKey): boolean => {
    const key = keyCombination(event);
    const next = nextIndex(event, activeIndex, view.total);
    if (next !== null) {
      selection.moveTo(next, event.shiftKey);
      return true;
    }
    if (reorder.onKey(key)) return true;
    if (key === 'Mod+a') selection.selectAll();
    else if (key === 'Escape' && size > 0) selection.clear();
    else if (key === 'Delete' || key === 'Mod+Backspace') {
      perform('remove', selectedRows);
    } else if (isMenuKey(event)) {
      // Like all keys, it acts on the selection, even if the active row is outside of it.
      const row =
        activeRow !== undefined && has(activeRow.id) ? activeRow : (selectedRows.rows[0] ?? activeRow);
      if (row === undefined) return false;
      setMenu({ open: true, target: { row, anchor: menuAnchor(list.current) } });
    } else if (activeIndex === null || activeRow === undefined) return false;
    else if (key === ' ') selection.toggle(activeIndex);
    else if (key === 'Enter') {
      performOn(enterActionOf(activeRow, defaultService, accounts), activeRow);
    } else return false;
    return true;
  };
  const isReady =
    // The rows of an earlier search or filter are shown until those of this one arrive.
    isSameListing(view, listing) && (activeIndex === null || activeRow !== undefined);
  const onPendingKey = usePendingKeys(isReady, onListKey);

  return (
    <>
      {view.total === 0 && search !== '' ? (
        <Empty isList title={t('library.notFound', { query: search })} note={t('queue.searchNote')}>
          {filter !== 'all' && (
            <Button onClick={() => onListing({ filter: 'all', search })}>{t('queue.searchAll')}</Button>
          )}
          <Button onClick={() => onListing({ filter, search: '' })}>{t('library.clear')}</Button>
        </Empty>
      ) : view.total === 0 && filter !== 'all' ? (
        <Empty isList title={t(`queue.emptyFilter.${filter}`)} />
      ) : (
        <RowList
          ref={list}
          label={t('queue.list')}
          columns={(['name', 'duration', 'size', 'state', 'actions'] as const).map((name) =>
            t(`queue.column.${name}`),
          )}
          total={view.total}
          activeIndex={activeIndex}
          multiselectable
          rowKey={rowKey}
          isSelected={(index) => has(rowAt(view, index)?.id ?? 0)}
          onVisible={onVisible}
          onDrag={reorder.onDrag}
          onKeyDown={onKeyDown}
          onRowClick={(index, event) => {
            if (event.ctrlKey || event.metaKey) selection.toggle(index);
            else selection.moveTo(index, event.shiftKey);
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            const row = rowAt(view, index);
            // As in the library, a click opens the transcript if there is one.
            if (row !== undefined && hasReadableText(row)) performOn('open', row);
          }}
          onRowDoubleClick={() => {}}
          onRowButton={activate}
          onContextMenu={(index, event) => {
            const { clientX, clientY } = event;
            openMenu(index, { getBoundingClientRect: () => new DOMRect(clientX, clientY, 0, 0) });
          }}
        >
          {(index) => {
            const row = rowAt(view, index);
            if (row === undefined) return <PlaceholderCells />;
            return (
              <QueueRowCells
                t={cachedT}
                format={format}
                row={row}
                active={index === activeIndex}
                defaultService={defaultService}
                accounts={accounts}
                nameOf={nameOf}
                now={now}
                onAction={performOn}
                onMore={onMore}
              />
            );
          }}
        </RowList>
      )}
      <p aria-live="polite" className="visually-hidden">
        {announcement}
      </p>
      <SelectionBar
        foundCount={search === '' ? null : view.total}
        selectedRows={selectedRows}
        onAction={(action) => perform(action, selectedRows)}
      />
      <RowMenu
        list={list}
        open={menu.open}
        target={menu.target}
        selected={menu.target !== null && has(menu.target.row.id) ? selectedRows : null}
        onAction={perform}
        onClose={() => setMenu({ ...menu, open: false })}
      />
      {dialogs}
    </>
  );
}

interface SelectionBarProps {
  /** The number of rows that a search found; `null` without one. */
  readonly foundCount: number | null;
  readonly selectedRows: RowSelection;
  readonly onAction: (action: BulkAction) => void;
}

/** The footer of the queue: the selection with its actions, or what happens after each recording. */
function SelectionBar({ foundCount, selectedRows, onAction }: SelectionBarProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { autoExportFormats, service, accounts } = useWindowState((state) => state.settings);
  const chosenFormats = useWindowState((state) => state.queue.summary.autoExportChoice);
  const nameOf = useServiceName();
  const stoppedServices = useStoppedServices();
  const summary = useSelectionSummary(selectedRows);

  if (selectedRows.count === 0) {
    const savedFormats = chosenFormats === 'mixed' ? [] : (chosenFormats ?? autoExportFormats);
    return (
      <ScreenFooter
        end={
          chosenFormats === 'mixed'
            ? t('queue.saveChosen')
            : savedFormats.length > 0 &&
              t('queue.saveBeside', { formats: format.list(savedFormats.map((name) => t(`format.${name}`))) })
        }
      >
        {foundCount === null ? (
          t('queue.hint')
        ) : (
          <span role="status">{t('queue.found', { count: foundCount })}</span>
        )}
      </ScreenFooter>
    );
  }

  // If some durations are unknown, the sums would be too low.
  const isComplete = summary !== null && summary.unknownDurations === 0;
  const parts = [
    t('list.selected', { count: selectedRows.count }),
    ...(isComplete ? [format.duration(summary.seconds)] : []),
    ...(isComplete && summary.credits > 0 ? [t('unit.credits', { count: summary.credits })] : []),
  ];
  return (
    <ScreenFooter
      end={
        <ActionRow
          actions={bulkActionsOf(summary?.groups ?? [], service, accounts, stoppedServices).map((name) => ({
            name,
            label: actionText(t, 'rowAction', name, service, nameOf),
          }))}
          onAction={onAction}
        />
      }
    >
      <span role="status">{parts.join(' · ')}</span>
    </ScreenFooter>
  );
}

/** Rows loaded before the list reports its visible rows, for a window of default height. */
const firstRows = { first: 0, last: 30 };

/** Keeps the rows around the visible ones loaded. */
function useQueueRows({ filter, search }: QueueListing): {
  readonly view: QueueView;
  readonly onVisible: (first: number, last: number) => void;
} {
  const store = useStore();
  const view = useWindowState((state) => state.queue);
  const visible = useRef({ filter, search, ...firstRows });

  const onVisible = useCallback(
    (first: number, last: number) => {
      visible.current = { filter, search, first, last };
      const { queue } = store.getState();
      if (isSameListing(queue, { filter, search }) && hasRowsAround(queue, first, last)) return;
      store.watchQueue({ filter, search, ...rangeAround(first, last) });
    },
    [filter, search, store],
  );

  useEffect(() => {
    // Another filter or search makes another list, shown from its top.
    const { first, last } = isSameListing(visible.current, { filter, search }) ? visible.current : firstRows;
    store.watchQueue({ filter, search, ...rangeAround(first, last) });
    // While the queue is hidden, only its counts are visible.
    return () => store.watchQueue({ filter, search, offset: 0, limit: 0 });
  }, [filter, search, store]);

  return { view, onVisible };
}
