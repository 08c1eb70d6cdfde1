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
  const line = useRef<HTMLDivElement>(null);
  const hidden = useOverflow(line);
  const scrolledTo = useRef(tag);
  useEffect(() => {
    if (scrolledTo.current === tag) return;
    scrolledTo.current = tag;
    line.current
      ?.querySelector('[aria-pressed=true]')
      ?.scrollIntoView({ inline: 'center', block: 'nearest' });
  });
  const overflows = hidden.before || hidden.after;
  const isSearch = query.trim() !== '';
  const sorts: readonly LibrarySort[] = isSearch ? ['relevance', ...plainSorts] : plainSorts;
  const shown = sort === 'relevance' && !isSearch ? 'newest' : sort;
  const pill = (label: string, count: number, pressed: boolean, patch: Partial<LibraryQuery>) => (
    <button type="button" className={filters.filter} aria-pressed={pressed} onClick={() => onChange(patch)}>
      <bdi>{label}</bdi> <span className={filters.count}>{format.number(count)}</span>
    </button>
  );

  return (
    <div className={filters.bar}>
      <div
        ref={line}
        role="group"
        aria-label={t('queue.filters')}
        className={`${filters.filters} ${styles.pills}`}
        data-before={hidden.before}
        data-after={hidden.after}
      >
        {pill(t('library.all'), total, tag === null && !trash, { tag: null, trash: false })}
        {tags.map(({ name, count }) => {
          const isShown = tag === name && !trash;
          return (
            <Fragment key={`tag ${name}`}>
              {pill(name, count, isShown, { tag: isShown ? null : name, trash: false })}
              {isShown && (
                <TagMenu list={list} tag={tag} tags={tags} onChange={onChange} onTagRenamed={onTagRenamed} />
              )}
            </Fragment>
          );
        })}
        {(trashed > 0 || trash) && pill(t('library.trash'), trashed, trash, { tag: null, trash: !trash })}
      </div>
      <div className={styles.end}>
        {overflows && tags.length > 0 && (
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
            value={shown}
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

function useTags(revision: number): readonly Tag[] {
  const { invoke } = useStore();
  const [tags, setTags] = useState<{ revision: number; all: readonly Tag[] }>({ revision: -1, all: [] });
  useEffect(() => {
    let isCurrent = true;
    runReportingErrors(async () => {
      const answer = await invoke('library.tags', undefined);
      if (isCurrent) setTags({ revision, all: answer });
    });
    return () => {
      isCurrent = false;
    };
  }, [invoke, revision]);
  return tags.all;
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
  const { tags: changes } = useLibraryTools();
  const [renaming, setRenaming] = useState(false);
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
            runReportingErrors(() => changes.removeEverywhere(tag));
            onChange({ tag: null });
            list.current?.focus();
          }}
        >
          {t('library.removeTag')}
        </MenuItem>
      </Menu>
      {renaming && (
        <RenameDialog
          open
          onClose={() => setRenaming(false)}
          finalFocus={list}
          title={t('library.tags.rename')}
          label={t('library.tags.name')}
          value={tag}
          maxLength={maxTagLength}
          hintFor={mergeHint}
          onRename={(to) => runReportingErrors(() => changes.rename(tag, to, onTagRenamed))}
        />
      )}
    </>
  );
}

/** Tolerance in px for fractional scroll positions, as when the window is zoomed. */
const tolerance = 1;

/** Whether horizontally scrolled content overflows before or after the visible part. */
export interface Overflow {
  readonly before: boolean;
  readonly after: boolean;
}

/** Observes a line that scrolls sideways. */
function useOverflow(line: RefObject<HTMLElement | null>): Overflow {
  const [overflow, setOverflow] = useState<Overflow>({ before: false, after: false });
  useLayoutEffect(() => {
    const element = line.current;
    if (element === null) return;
    const measure = (): void => {
      // From right to left, scroll positions are negative.
      const at = Math.abs(element.scrollLeft);
      const before = at > tolerance;
      const after = at + element.clientWidth < element.scrollWidth - tolerance;
      setOverflow((known) => (known.before === before && known.after === after ? known : { before, after }));
    };
    measure();
    const size = new ResizeObserver(measure);
    size.observe(element);
    const content = new MutationObserver(measure);
    content.observe(element, { childList: true, characterData: true, subtree: true });
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      size.disconnect();
      content.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [line]);
  return overflow;
}
