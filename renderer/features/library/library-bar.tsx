import {
  Fragment,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { LibraryQuery, Tag } from '../../../electron/contract/library-commands.ts';
import type { LibrarySort } from '../../../electron/contract/choices.ts';
import { maxTagLength } from '../../../electron/contract/limits.ts';
import { runReportingErrors } from '../../notices.ts';
import { useStore, useWindowState } from '../../use-store.ts';
import { foldCase } from '../../../electron/contract/unicode.ts';
import { IconButton } from '../../ui/actions/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem } from '../../ui/actions/menu.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import filters from '../../ui/list/filter-bar.module.css';
import styles from './library-bar.module.css';
import { RenameDialog } from './rename-dialog.tsx';
import { useLibraryTools } from './tools/library-tools.tsx';

export interface LibraryBarProps {
  /** Takes the focus when the tag that had it is gone. */
  readonly list: RefObject<HTMLElement | null>;
  readonly libraryQuery: LibraryQuery;
  readonly onChange: (patch: Partial<LibraryQuery>) => void;
  readonly onTagRenamed: (former: string, name: string) => void;
  /** Shown before the sort menu. */
  readonly children?: ReactNode;
}

const plainSorts = ['newest', 'oldest', 'name', 'longest'] as const satisfies readonly LibrarySort[];

/** Chooses which transcripts of the library are listed, and their order. */
export function LibraryBar({ list, libraryQuery, onChange, onTagRenamed, children }: LibraryBarProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { total, trashed, revision } = useWindowState((state) => state.library);
  const tags = useTags(revision);
  const { tag, trash, sort, query } = libraryQuery;
  const pills = useRef<HTMLDivElement>(null);
  const overflow = useOverflow(pills);
  const scrolledToTag = useRef(tag);
  useEffect(() => {
    if (scrolledToTag.current === tag) return;
    scrolledToTag.current = tag;
    pills.current
      ?.querySelector('[aria-pressed=true]')
      ?.scrollIntoView({ inline: 'center', block: 'nearest' });
  });
  const hasOverflow = overflow.before || overflow.after;
  const isSearch = query.trim() !== '';
  const sorts: readonly LibrarySort[] = isSearch ? ['relevance', ...plainSorts] : plainSorts;
  const shownSort = sort === 'relevance' && !isSearch ? 'newest' : sort;
  const renderPill = (label: string, count: number, pressed: boolean, patch: Partial<LibraryQuery>) => (
    <button type="button" className={filters.filter} aria-pressed={pressed} onClick={() => onChange(patch)}>
      <bdi>{label}</bdi> <span className={filters.count}>{format.number(count)}</span>
    </button>
  );

  return (
    <div className={filters.bar}>
      <div
        ref={pills}
        role="group"
        aria-label={t('list.filters')}
        className={`${filters.filters} ${styles.pills}`}
        data-before={overflow.before}
        data-after={overflow.after}
      >
        {renderPill(t('library.all'), total, tag === null && !trash, { tag: null, trash: false })}
        {tags.map(({ name, count }) => {
          const isChosen = tag === name && !trash;
          return (
            <Fragment key={`tag ${name}`}>
              {renderPill(name, count, isChosen, { tag: isChosen ? null : name, trash: false })}
              {isChosen && (
                <TagMenu list={list} tag={tag} tags={tags} onChange={onChange} onTagRenamed={onTagRenamed} />
              )}
            </Fragment>
          );
        })}
        {(trashed > 0 || trash) && renderPill(t('library.trash'), trashed, trash, { tag: null, trash: true })}
      </div>
      <div className={styles.end}>
        {hasOverflow && tags.length > 0 && (
          <Menu
            button={
              <IconButton aria-label={t('library.allTags', { count: tags.length })}>
                <Icon name="chevron-down" />
              </IconButton>
            }
          >
            {tags.map(({ name, count }) => (
              <MenuItem key={name} onClick={() => onChange({ tag: name, trash: false })}>
                <bdi>{name}</bdi> <span className={filters.count}>{format.number(count)}</span>
              </MenuItem>
            ))}
          </Menu>
        )}
        {children}
        <label className={styles.sort}>
          <span className="visually-hidden">{t('library.sort')}</span>
          <select
            value={shownSort}
            onChange={({ target }) => {
              const chosen = target.value as LibrarySort;
              // Without a search, relevance lists the newest first too; so later searches are still sorted by it.
              onChange({ sort: chosen === 'newest' && !isSearch ? 'relevance' : chosen });
            }}
          >
            {sorts.map((name) => (
              <option key={name} value={name}>
                {t(`library.sorts.${name}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
    </div>
  );
}

/** Returns all tags, requested again for each revision of the library. */
function useTags(revision: number): readonly Tag[] {
  const { invoke } = useStore();
  const [loaded, setLoaded] = useState<{ revision: number; tags: readonly Tag[] }>({
    revision: -1,
    tags: [],
  });
  useEffect(() => {
    let isCurrent = true;
    runReportingErrors(async () => {
      const tags = await invoke('library.tags', undefined);
      if (isCurrent) setLoaded({ revision, tags });
    });
    return () => {
      isCurrent = false;
    };
  }, [invoke, revision]);
  return loaded.tags;
}

/** The actions on the tag that is shown. */
function TagMenu({
  list,
  tag,
  tags,
  onChange,
  onTagRenamed,
}: Pick<LibraryBarProps, 'list' | 'onChange' | 'onTagRenamed'> & {
  readonly tag: string;
  readonly tags: readonly Tag[];
}) {
  const { t } = useTranslation();
  const { tags: tagChanges } = useLibraryTools();
  const [isRenaming, setRenaming] = useState(false);
  /** Says that a rename would merge two tags. */
  const mergeHint = (to: string): string | undefined => {
    const other = tags.find(({ name }) => name !== tag && foldCase(name) === foldCase(to.trim()));
    return other === undefined ? undefined : t('library.tags.exists', { name: other.name });
  };
  return (
    <>
      <Menu
        button={
          <IconButton aria-label={t('library.tagActions', { name: tag })}>
            <Icon name="more" />
          </IconButton>
        }
      >
        <MenuItem onClick={() => setRenaming(true)}>{t('library.renameTag')}</MenuItem>
        <MenuItem
          danger
          onClick={() => {
            runReportingErrors(() => tagChanges.removeEverywhere(tag));
            onChange({ tag: null });
            list.current?.focus();
          }}
        >
          {t('library.removeTag')}
        </MenuItem>
      </Menu>
      {isRenaming && (
        <RenameDialog
          open
          onClose={() => setRenaming(false)}
          finalFocus={list}
          title={t('library.tags.rename')}
          label={t('library.tags.name')}
          value={tag}
          maxLength={maxTagLength}
          hintFor={mergeHint}
          onRename={(to) => runReportingErrors(() => tagChanges.rename(tag, to, onTagRenamed))}
        />
      )}
    </>
  );
}

/** Tolerance for fractional scroll positions, for example when the window is zoomed. */
const tolerancePx = 1;

/** Whether horizontally scrolled content overflows before or after the visible part. */
export interface Overflow {
  readonly before: boolean;
  readonly after: boolean;
}

/** Observes whether a horizontally scrolled element overflows. */
function useOverflow(scroller: RefObject<HTMLElement | null>): Overflow {
  const [overflow, setOverflow] = useState<Overflow>({ before: false, after: false });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = (): void => {
      // From right to left, scroll positions are negative.
      const position = Math.abs(element.scrollLeft);
      const before = position > tolerancePx;
      const after = position + element.clientWidth < element.scrollWidth - tolerancePx;
      setOverflow((current) =>
        current.before === before && current.after === after ? current : { before, after },
      );
    };
    measure();
    const sizeObserver = new ResizeObserver(measure);
    sizeObserver.observe(element);
    const contentObserver = new MutationObserver(measure);
    contentObserver.observe(element, { childList: true, characterData: true, subtree: true });
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      sizeObserver.disconnect();
      contentObserver.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [scroller]);
  return overflow;
}
