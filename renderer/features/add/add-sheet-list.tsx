import { type KeyboardEvent, useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  AddSheetRow,
  AddSheetRowId,
  AddSheetView,
} from '../../../electron/contract/add-sheet-commands.ts';
import type { AddSheetGroup } from '../../../electron/contract/choices.ts';
import { useGoTo, useSend, useStore } from '../../use-store.ts';
import { keyCombination, nextIndex } from '../../ui/list/list-keys.ts';
import { RowList } from '../../ui/list/row-list.tsx';
import { PlaceholderCells } from '../../ui/list/placeholder-cells.tsx';
import { rowAt, targetOf } from '../../ui/list/list-selection.ts';
import type { SelectionControl } from '../../ui/list/use-list-selection.ts';
import { AddSheetRowCells } from './add-sheet-row.tsx';
import { hasRowsAround, rangeAround } from '../../ui/list/row-range.ts';

export interface AddSheetListProps {
  readonly view: AddSheetView;
  readonly group: AddSheetGroup;
  readonly selection: SelectionControl;
  /** Called when the recording of a row is retried. */
  readonly onRetried: (id: AddSheetRowId) => void;
}

const columns = ['include', 'name', 'duration', 'size', 'options', 'actions'] as const;

/** The recordings of one group of the sheet. */
export function AddSheetList({ view, group, selection, onRetried }: AddSheetListProps) {
  const { t } = useTranslation();
  const send = useSend();
  const goTo = useGoTo();
  const list = useRef<HTMLDivElement>(null);
  const onVisible = useAddSheetRows(group);
  const { has, activeIndex } = selection;
  const rowKey = useCallback((index: number) => rowAt(view, index)?.id ?? `unloaded-${index}`, [view]);

  // The sheet opens without a click, so the keyboard continues in its list.
  useEffect(() => list.current?.focus({ preventScroll: true }), []);

  const onInclude = useCallback(
    (row: AddSheetRow, included: boolean) => send('addSheet.include', { ids: [row.id], included }),
    [send],
  );
  const onOpen = useCallback(
    ({ duplicate }: AddSheetRow) => {
      if (duplicate !== null && 'transcriptId' in duplicate) {
        goTo({ screen: 'transcript', id: duplicate.transcriptId, from: 'queue' });
      }
    },
    [goTo],
  );
  const onRetry = useCallback(
    ({ id, duplicate }: AddSheetRow) => {
      if (duplicate?.kind !== 'failed' && duplicate?.kind !== 'cancelled') return;
      send('queue.retry', { ids: [duplicate.itemId] });
      onRetried(id);
    },
    [send, onRetried],
  );
  const toggleIncluded = (index: number): void => {
    const row = rowAt(view, index);
    if (row === undefined || row.problem !== null) return;
    const target = has(row.id) ? targetOf(selection, group) : { ids: [row.id] };
    send('addSheet.include', { ...target, included: !row.included });
  };
  const onListKey = (event: KeyboardEvent): boolean => {
    const next = nextIndex(event, activeIndex, view.total);
    const key = keyCombination(event);
    if (next !== null) selection.moveTo(next, event.shiftKey);
    else if (key === 'Mod+a') selection.selectAll();
    else if (key === ' ' && activeIndex !== null) toggleIncluded(activeIndex);
    else return false;
    return true;
  };

  return (
    <RowList
      ref={list}
      label={t('addSheet.list')}
      columns={columns.map((name) => t(`addSheet.column.${name}`))}
      total={view.total}
      activeIndex={activeIndex}
      multiselectable
      rowKey={rowKey}
      isSelected={(index) => has(rowAt(view, index)?.id ?? 0)}
      onVisible={onVisible}
      onKeyDown={(event) => {
        if (event.target === event.currentTarget && onListKey(event)) event.preventDefault();
      }}
      onRowClick={(index, event) => {
        if (event.target instanceof HTMLInputElement) return;
        if (event.ctrlKey || event.metaKey) selection.toggle(index);
        else selection.moveTo(index, event.shiftKey);
      }}
      onRowDoubleClick={() => undefined}
    >
      {(index) => {
        const row = rowAt(view, index);
        if (row === undefined) return <PlaceholderCells />;
        return (
          <AddSheetRowCells
            row={row}
            active={index === activeIndex}
            onInclude={onInclude}
            onOpen={onOpen}
            onRetry={onRetry}
          />
        );
      }}
    </RowList>
  );
}

/** The rows of a window of default height: loaded before the list reports which ones are visible. */
const initialRows = { first: 0, last: 30 };

/**
 * Keeps the rows of a group loaded around those on screen.
 *
 * @returns a function to call when the visible rows change.
 */
function useAddSheetRows(group: AddSheetGroup): (first: number, last: number) => void {
  const store = useStore();

  useEffect(() => {
    store.watchAddSheet({ group, ...rangeAround(initialRows.first, initialRows.last) });
  }, [group, store]);

  return useCallback(
    (first: number, last: number) => {
      const { addSheet } = store.getState();
      if (addSheet !== null && addSheet.group === group && hasRowsAround(addSheet, first, last)) return;
      store.watchAddSheet({ group, ...rangeAround(first, last) });
    },
    [group, store],
  );
}
