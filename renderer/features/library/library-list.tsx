import { routeToTranscript } from '../../route.ts';
import { useCallback, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { MatchedPassage, TranscriptRow } from '../../../electron/contract/library-commands.ts';
import { notify, runReportingErrors } from '../../notices.ts';
import { useGoTo, useStore } from '../../use-store.ts';
import {
  isActiveInView,
  isMenuKey,
  keyCombination,
  type ListKey,
  menuAnchor,
  nextIndex,
} from '../../ui/list/list-keys.ts';
import { RowList } from '../../ui/list/row-list.tsx';
import { usePendingKeys } from '../../ui/list/use-pending-keys.ts';
import { useRestoredFocus } from '../../ui/focus/use-restored-focus.ts';
import { PlaceholderCells } from '../../ui/list/placeholder-cells.tsx';
import styles from './library-list.module.css';
import { LibraryMenu, type LibraryMenuTarget } from './library-menu.tsx';
import { heightOfRow, LibraryRow } from './library-row.tsx';
import { type LibraryAction, useLibraryActions } from './use-library-actions.tsx';
import type { LibrarySelection } from './use-library-selection.ts';
import type { Listing } from './use-library.ts';
import { useExportTarget } from '../export/use-export.tsx';
import { SearchHelp } from './search-help.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { ScreenFooter } from '../../ui/screen/screen-footer.tsx';

export interface LibraryListProps {
  /** The grid, which takes the focus. */
  readonly list: RefObject<HTMLDivElement | null>;
  readonly listing: Listing;
  readonly selection: LibrarySelection;
  /** The text in the search field. */
  readonly searchText: string;
  /** Searches for another text. */
  readonly onSearch: (query: string) => void;
  /** Shown instead of the list when nothing matches. */
  readonly children: ReactNode;
}

/**
 * The transcripts that match the query, with the selection and its actions. It stays mounted when the query changes, so
 * that no key press is lost before the response arrives.
 */
export function LibraryList({ list, listing, selection, searchText, onSearch, children }: LibraryListProps) {
  const { t } = useTranslation();
  const goTo = useGoTo();
  const { invoke } = useStore();
  const { trash, query } = listing.libraryQuery;
  const { rowAt, indexOf, onVisible } = listing;
  const rowOf = useCallback(
    (id: TranscriptId) => {
      const index = indexOf(id);
      return index === null ? undefined : rowAt(index);
    },
    [indexOf, rowAt],
  );
  const { perform, dialogs } = useLibraryActions(list, rowOf, selection.clear);
  const [menu, setMenu] = useState<{ open: boolean; target: LibraryMenuTarget | null }>({
    open: false,
    target: null,
  });
  const { ids, activeIndex } = selection;
  const menuRow = menu.target?.ids.length === 1 ? menu.target.ids.map(rowOf)[0] : undefined;
  const total = listing.total ?? 0;
  /** Returns what keys act on: the selection, even if the active row is outside of it, or else the active row. */
  const keyTargets = (): readonly TranscriptId[] => {
    const row = activeIndex === null ? undefined : rowAt(activeIndex);
    return ids.size > 0 ? [...ids] : row === undefined ? [] : [row.id];
  };
  useExportTarget(() => [trash ? [] : keyTargets()]);
  useRestoredFocus(list, activeIndex !== null);
  const rowKey = useCallback((index: number) => rowAt(index)?.id ?? `unloaded-${index}`, [rowAt]);
  const heightOf = useCallback((index: number) => heightOfRow(rowAt(index)), [rowAt]);

  const open = useCallback(
    (row: TranscriptRow, passage?: MatchedPassage): void => {
      const at = indexOf(row.id) ?? total;
      // Only loaded rows are offered: for others, the user returns to the list.
      const foundFrom = (start: number, by: -1 | 1): readonly TranscriptRow[] => {
        const rows: TranscriptRow[] = [];
        for (let index = start; index >= 0 && index < total; index += by) {
          const other = rowAt(index);
          if (other === undefined) break;
          if (other.passages.length > 0) rows.push(other);
        }
        return rows;
      };
      const before = foundFrom(at - 1, -1).toReversed();
      const rows = [...before, row, ...foundFrom(at + 1, 1)];
      goTo(routeToTranscript(row, passage, { query, rows, index: before.length }));
    },
    [goTo, indexOf, rowAt, total, query],
  );
  /** Opens the best match when the list is the result of a search. */
  const openBest = (row: TranscriptRow): void => open(row, row.passages[0]);
  const openMenu = (anchor: LibraryMenuTarget['anchor'], chosen: readonly TranscriptId[]): void =>
    setMenu({ open: true, target: { ids: chosen, anchor } });
  const onMore = useCallback(
    (anchor: LibraryMenuTarget['anchor'], { id }: TranscriptRow) =>
      setMenu({ open: true, target: { ids: ids.has(id) ? [...ids] : [id], anchor } }),
    [ids],
  );

  const onKeyDown = (event: KeyboardEvent): void => {
    // Controls in a row handle their own keys.
    const isHandled =
      event.target === event.currentTarget
        ? onPendingKey(event)
        : onPassageKey(keyCombination(event), event.target);
    if (isHandled) event.preventDefault();
  };
  /** Moves between the passages of the active row, and back to the row. Returns whether the key does. */
  const onPassageKey = (key: string, from: EventTarget): boolean => {
    const passages = [...(list.current?.querySelectorAll<HTMLElement>('[data-active] [data-passage]') ?? [])];
    const index = passages.findIndex((passage) => passage === from);
    if (index < 0) return false;
    if (key === 'ArrowLeft' || key === 'Escape') list.current?.focus();
    else if (key === 'ArrowDown') passages[index + 1]?.focus();
    else if (key === 'ArrowUp') (passages[index - 1] ?? list.current)?.focus();
    else return false;
    return true;
  };
  const onListKey = (event: ListKey): boolean => {
    const next = nextIndex(event, activeIndex, total);
    const key = keyCombination(event);
    const row = activeIndex === null ? undefined : rowAt(activeIndex);
    if (next !== null) selection.moveTo(next, event.shiftKey);
    else if (key === 'Mod+a') selection.selectAll();
    else if (key === 'Escape' && ids.size > 0) selection.clear();
    else if (key === 'Delete' || key === 'Mod+Backspace') {
      // The user may have scrolled away from the active row: show first what a second press deletes.
      if (ids.size === 0 && row !== undefined && !isActiveInView(list.current))
        list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
      else perform(trash ? 'purge' : 'trash', keyTargets());
    } else if (isMenuKey(event) && ids.size > 0) openMenu(menuAnchor(list.current), [...ids]);
    else if (key === 'F2' && !trash) {
      const [id, ...others] = keyTargets();
      if (others.length > 0) notify(t('library.renameOne'));
      else if (id !== undefined && rowOf(id) !== undefined) perform('rename', [id]);
    } else if (activeIndex === null || row === undefined) return false;
    else if (key === ' ') selection.toggle(activeIndex);
    else if (key === 'Enter') openBest(row);
    else if (isMenuKey(event)) openMenu(menuAnchor(list.current), [row.id]);
    else if (key === 'ArrowRight')
      list.current?.querySelector<HTMLElement>('[data-active] [data-passage]')?.focus();
    else return false;
    return true;
  };
  const isReady =
    listing.total !== null &&
    // The rows of an earlier search are shown until those of this one arrive.
    listing.libraryQuery.query === searchText &&
    selection.isSettled &&
    (activeIndex === null || rowAt(activeIndex) !== undefined);
  const onPendingKey = usePendingKeys(isReady, onListKey);

  return (
    <>
      {listing.total === 0 ? (
        children
      ) : (
        <div className={styles.frame} data-selecting={ids.size > 0 || undefined}>
          <RowList
            ref={list}
            label={t(trash ? 'library.trashList' : 'library.list')}
            columns={(['select', 'name', 'language', 'duration', 'date', 'actions'] as const).map((name) =>
              t(`library.column.${name}`),
            )}
            total={total}
            contentKey={JSON.stringify(listing.libraryQuery)}
            activeIndex={activeIndex}
            multiselectable
            rowKey={rowKey}
            heightOf={heightOf}
            isSelected={(index) => ids.has(rowAt(index)?.id ?? 0)}
            onVisible={onVisible}
            onKeyDown={onKeyDown}
            onRowClick={(index, event) => {
              const row = rowAt(index);
              if (event.target instanceof HTMLInputElement || row === undefined) return;
              if (event.ctrlKey || event.metaKey) selection.toggle(index);
              else if (event.shiftKey) selection.moveTo(index, true);
              else {
                selection.moveTo(index, false);
                openBest(row);
              }
            }}
            onRowDoubleClick={() => {}}
            onRowButton={(index) => selection.moveTo(index, false)}
            onContextMenu={(index, event) => {
              const row = rowAt(index);
              if (row === undefined) return;
              const { clientX, clientY } = event;
              const anchor = { getBoundingClientRect: () => new DOMRect(clientX, clientY, 0, 0) };
              selection.moveTo(index, false);
              onMore(anchor, row);
            }}
          >
            {(index) => {
              const row = rowAt(index);
              if (row === undefined) return <PlaceholderCells />;
              return (
                <LibraryRow
                  row={row}
                  selected={ids.has(row.id)}
                  active={index === activeIndex}
                  onOpen={open}
                  onToggle={() => selection.toggle(index)}
                  onMore={onMore}
                />
              );
            }}
          </RowList>
        </div>
      )}
      <LibraryFooter
        listing={listing}
        selectedCount={ids.size}
        onSearch={onSearch}
        onAction={(action) => {
          // The button disappears with the selection, and the one that takes its place may empty the trash.
          if (action === 'trash' || action === 'restore') list.current?.focus({ preventScroll: true });
          perform(action, [...ids]);
        }}
        onEmptyTrash={() =>
          runReportingErrors(async () => perform('purge', await invoke('library.ids', listing.libraryQuery)))
        }
      />
      <LibraryMenu
        list={list}
        open={menu.open}
        target={menu.target}
        row={menuRow}
        isSelected={menu.target?.ids.every((id) => ids.has(id)) ?? false}
        trash={trash}
        onAction={(action, chosen) => {
          if (action === 'open') {
            if (menuRow !== undefined) openBest(menuRow);
          } else if (action === 'select') chosen.forEach(selection.toggleRow);
          else perform(action, chosen);
        }}
        onClose={() => setMenu({ ...menu, open: false })}
      />
      {dialogs}
    </>
  );
}

export interface LibraryFooterProps {
  readonly listing: Listing;
  readonly selectedCount: number;
  readonly onSearch: (query: string) => void;
  readonly onAction: (action: LibraryAction) => void;
  /** Asks whether everything in the trash is to be deleted permanently. */
  readonly onEmptyTrash: () => void;
}

/** The footer of the library: the selection with its actions, or the result of the search. */
function LibraryFooter({ listing, selectedCount, onSearch, onAction, onEmptyTrash }: LibraryFooterProps) {
  const { t } = useTranslation();
  const { trash } = listing.libraryQuery;
  const resultText = useSearchResultText(listing);
  const [other] = listing.total === 0 ? [] : listing.similar;
  if (selectedCount === 0) {
    const searchOther = other !== undefined && (
      <Button variant="plain" onClick={() => onSearch(other.query)}>
        {t('library.moreSimilar', { query: other.query.trim(), found: other.count })}
      </Button>
    );
    // The button is on the side that is not truncated.
    const end = trash ? (
      t('library.trashHint')
    ) : (
      <>
        {searchOther}
        <SearchHelp />
      </>
    );
    return (
      <ScreenFooter truncatesEnd={trash} end={end}>
        {trash && listing.libraryQuery.query === '' && (listing.total ?? 0) > 0 && (
          <Button variant="plain" onClick={onEmptyTrash}>
            {t('library.emptyTrash')}
          </Button>
        )}
        <span role="status">{resultText}</span>
        {trash && searchOther}
      </ScreenFooter>
    );
  }
  const actions: readonly LibraryAction[] = trash ? ['restore', 'purge'] : ['export', 'tag', 'trash'];
  return (
    <ScreenFooter
      end={actions.map((action) => (
        <Button key={action} variant="plain" onClick={() => onAction(action)}>
          {t(`library.action.${action}`)}
        </Button>
      ))}
    >
      <span role="status">{t('list.selected', { count: selectedCount })}</span>
    </ScreenFooter>
  );
}

/** Returns the result of the search in words. */
function useSearchResultText(listing: Listing): string {
  const { libraryQuery, isSearch, total, passageTotal, isCapped, isComplete, isIndexing } = listing;
  const { t } = useTranslation();
  if (libraryQuery.query.trim() === '' || total === null) return '';
  if (!isSearch) return t('library.noWords');
  const parts = [
    t(isComplete ? 'library.found' : 'library.foundSoFar', { count: total }),
    passageTotal > 0 && (isComplete || !isCapped) && t('library.passages', { count: passageTotal }),
    isCapped && libraryQuery.sort === 'relevance' && t('library.ranked'),
    isIndexing && t('library.indexing'),
  ];
  return parts.filter((part) => part !== false).join(' · ');
}
