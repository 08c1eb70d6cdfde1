import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Events } from '../../../electron/contract/events.ts';
import type { LibraryQuery } from '../../../electron/contract/library-commands.ts';
import { maxQueryLength } from '../../../electron/contract/limits.ts';
import { useJobViews } from '../../use-job-views.ts';
import { useGoTo, useSend, useStore, useWindowState } from '../../use-store.ts';
import { Button, type ButtonProps } from '../../ui/actions/button.tsx';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ScreenHeader } from '../../ui/screen/screen-header.tsx';
import { useUndoKey } from '../../ui/list/use-undo-key.ts';
import { SearchBox } from '../../ui/form/search-box.tsx';
import { LibraryBar } from './library-bar.tsx';
import { LibraryList } from './library-list.tsx';
import { ToolsMenu, useLibraryTools } from './tools/library-tools.tsx';
import type { RequestedView } from './library-selection.ts';
import { useLibrarySelection } from './use-library-selection.ts';
import { runReportingErrors } from '../../notices.ts';
import { useLibrary, type Listing } from './use-library.ts';

/** Lists all transcripts, the newest first; a search that follows lists the best matches first. */
const newestFirst: LibraryQuery = { query: '', tag: null, sort: 'relevance', trash: false };

/** The library: all saved transcripts, and a search in their names and text. */
export function LibraryScreen() {
  const { t } = useTranslation();
  const goTo = useGoTo();
  const { total, trashed } = useWindowState((state) => state.library);
  const send = useSend();
  const { bridge, getState, invoke } = useStore();
  // One state: an update of only one of them could be lost when React repeats a render.
  const [requested, setRequested] = useState((): RequestedView => ({
    libraryQuery: { query: '', tag: null, sort: getState().settings.librarySort, trash: false },
    route: null,
  }));
  const { libraryQuery } = requested;
  const listing = useLibrary(libraryQuery);
  const selection = useLibrarySelection(listing, requested);
  const route = useWindowState((state) => (state.route.screen === 'library' ? state.route : null));
  if (route !== null && route !== requested.route)
    setRequested({
      // Restored transcripts are selected: show all, so that they are listed. Leave an empty trash, which would look as if
      // everything were lost.
      libraryQuery:
        route.select !== undefined
          ? newestFirst
          : { ...libraryQuery, trash: libraryQuery.trash && trashed > 0 },
      route,
    });
  const changeQuery = useCallback(
    (change: (now: LibraryQuery) => LibraryQuery) =>
      setRequested((now) => ({ ...now, libraryQuery: change(now.libraryQuery) })),
    [],
  );
  const { imports, replace, restore, undoLast, redoLast } = useLibraryTools();
  useUndoKey(undoLast, redoLast);
  const change = useCallback(
    (patch: Partial<LibraryQuery>) => {
      changeQuery((now) => ({ ...now, ...patch }));
      if (patch.sort !== undefined) send('settings.change', { librarySort: patch.sort });
    },
    [changeQuery, send],
  );

  /** Keeps showing a tag that is renamed. */
  const onTagRenamed = useCallback(
    (former: string, tag: string) => changeQuery((now) => (now.tag === former ? { ...now, tag } : now)),
    [changeQuery],
  );
  const list = useRef<HTMLDivElement>(null);

  /** Opens the replace dialog for the selection, or else for what a tag or a search lists; never for the trash. */
  const replaceInShown = (): void => {
    const { query, tag, trash } = libraryQuery;
    const isSearch = query.trim() !== '';
    if (trash || (selection.ids.size === 0 && tag === null && !isSearch)) replace(null);
    else if (selection.ids.size > 0) replace({ kind: 'selected', tag: '', ids: [...selection.ids] });
    else
      runReportingErrors(async () => {
        const ids = await invoke('library.ids', libraryQuery);
        replace({ kind: tag === null || isSearch ? 'listed' : 'tagged', tag: tag ?? '', ids });
      });
  };

  const onCommand = useEffectEvent((command: Events['libraryCommand']) => {
    if (command === 'replace') replaceInShown();
  });
  useEffect(() => bridge.on('libraryCommand', (command) => onCommand(command)), [bridge]);

  if (total + trashed === 0) {
    return (
      <>
        <ScreenHeader title={t('library.title')} subtitle={t('library.emptySub')} actions={<JobsLink />} />
        <Empty title={t('library.emptyTitle')} note={t('library.emptyNote')}>
          <Button variant="main" onClick={() => goTo({ screen: 'queue' })}>
            {t('library.emptyAction')}
          </Button>
          <ImportButton />
          <Button onClick={() => imports.pick('folder')}>{t('library.tool.importFolder')}</Button>
          <Button onClick={() => restore(null)}>{t('library.tool.restore')}</Button>
        </Empty>
      </>
    );
  }
  return (
    <>
      <ScreenHeader
        title={t('library.title')}
        subtitle={t('library.count', { count: total })}
        actions={
          <>
            <JobsLink />
            <SearchBox
              label={t(libraryQuery.trash ? 'library.searchTrash' : 'library.search')}
              value={libraryQuery.query}
              onChange={(query) => change({ query })}
              maxLength={maxQueryLength}
              results={list}
            />
          </>
        }
      />
      <LibraryBar list={list} libraryQuery={libraryQuery} onChange={change} onTagRenamed={onTagRenamed}>
        <ImportButton variant="plain" />
        <ToolsMenu onReplace={replaceInShown} />
      </LibraryBar>
      <LibraryList
        list={list}
        listing={listing}
        selection={selection}
        searchText={libraryQuery.query}
        onSearch={(query) => change({ query })}
      >
        <NothingFound listing={listing} onChange={change} />
      </LibraryList>
    </>
  );
}

function ImportButton({ variant = 'standard' }: Pick<ButtonProps, 'variant'>) {
  const { t } = useTranslation();
  const { pick } = useLibraryTools().imports;
  return (
    <Button variant={variant} onClick={() => pick('files')}>
      {t('import.button')}
    </Button>
  );
}

interface NothingFoundProps {
  readonly listing: Listing;
  readonly onChange: (patch: Partial<LibraryQuery>) => void;
}

/** Says what was searched for and where, and how to widen the search. */
function NothingFound({ listing, onChange }: NothingFoundProps) {
  const { t } = useTranslation();
  const { query, tag, trash } = listing.libraryQuery;
  const isSearch = query.trim() !== '';
  const scopeText = trash
    ? t('library.where.trash')
    : tag === null
      ? t('library.where.all')
      : t('library.where.tag', { tag });
  const isNarrow = trash || tag !== null;
  if (isSearch) {
    return (
      <Empty
        isList
        title={t(/["“”]/u.test(query) ? 'library.notFoundQuoted' : 'library.notFound', {
          query: query.trim(),
        })}
        note={
          /[\p{L}\p{N}]/u.test(query)
            ? `${scopeText} ${t(/["“”*-]/u.test(query) ? 'library.widenSigns' : 'library.widen')}`
            : t('library.noWords')
        }
      >
        {listing.similar.map(({ query: similar, count }, index) => (
          <Button
            key={similar}
            variant={index === 0 ? 'main' : 'standard'}
            onClick={() => onChange({ query: similar })}
          >
            {t('library.searchSimilar', { query: similar.trim(), found: count })}
          </Button>
        ))}
        {isNarrow && (
          <Button onClick={() => onChange({ tag: null, trash: false })}>{t('library.searchAll')}</Button>
        )}
        <Button onClick={() => onChange({ query: '' })}>{t('library.clear')}</Button>
      </Empty>
    );
  }
  return isNarrow ? (
    <Empty isList title={t(trash ? 'library.trashEmpty' : 'library.tagEmpty')}>
      <Button onClick={() => onChange({ tag: null, trash: false })}>{t('library.showAll')}</Button>
    </Empty>
  ) : (
    <Empty isList title={t('library.allTrashed')}>
      <Button onClick={() => onChange({ trash: true })}>{t('library.showTrash')}</Button>
    </Empty>
  );
}

/**
 * Links to the jobs on the services, and says how many of them are not in the library. Hidden without an account, unless
 * there are such jobs.
 */
export function JobsLink() {
  const { t } = useTranslation();
  const goTo = useGoTo();
  const views = useJobViews();
  const hasAccount = useWindowState(({ settings }) => settings.accounts.length > 0);
  const missingByService = views.map(({ service, records }) => ({
    service,
    count: records.filter(({ relation }) => relation.kind === 'finished').length,
  }));
  const missing = missingByService.reduce((sum, { count }) => sum + count, 0);
  const firstMissing = missingByService.find(({ count }) => count > 0);
  if (!hasAccount && missing === 0) return null;
  return (
    <Button
      variant="plain"
      onClick={() => goTo({ screen: 'jobs', ...(firstMissing && { service: firstMissing.service }) })}
    >
      {missing === 0 ? t('jobs.link') : t('jobs.linkNew', { count: missing })}
    </Button>
  );
}
