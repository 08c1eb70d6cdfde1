import type { TFunction } from 'i18next';
import { memo } from 'react';
import type {
  Distinction,
  MatchedPassage,
  TranscriptRow,
} from '../../../electron/contract/library-commands.ts';
import { durationTime } from '../../../electron/core/transcript/clock-time.ts';
import { IconButton } from '../../ui/actions/button.tsx';
import { rowHeight } from '../../ui/list/row-list.tsx';
import { formatTimeCode, type Format } from '../../ui/text/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { MatchedText } from '../../ui/text/marked.tsx';
import { useCachedTexts } from '../../ui/text/use-cached-texts.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import styles from './library-row.module.css';

/** The height of the first line of a row with passages, and of each passage, in px. */
const firstLineHeight = 40;
const passageHeight = 30;
const lastPassageGap = 8;

/** Returns the height of a row in px. */
export function heightOfRow(row: TranscriptRow | undefined): number {
  const lines = row === undefined ? 0 : row.passages.length + (hasMore(row) ? 1 : 0);
  return lines === 0 ? rowHeight : firstLineHeight + lines * passageHeight + lastPassageGap;
}

const hasMore = ({ passages, passageCount }: TranscriptRow): boolean => passageCount > passages.length;

export interface LibraryRowProps {
  readonly row: TranscriptRow;
  readonly selected: boolean;
  /** Whether this is the active row: then Tab reaches its controls. */
  readonly active: boolean;
  readonly onOpen: (row: TranscriptRow, passage?: MatchedPassage) => void;
  readonly onToggle: (row: TranscriptRow) => void;
  readonly onMore: (button: HTMLElement, row: TranscriptRow) => void;
}

/** Returns what tells a transcript apart from others of the same name; the date has a column of its own. */
const distinctionText = (
  t: TFunction,
  format: Format,
  { createdAt }: TranscriptRow,
  { accuracy, isEdited }: Distinction,
): string =>
  [
    format.time(createdAt),
    ...(accuracy === null ? [] : [t(`accuracy.${accuracy}`)]),
    ...(isEdited ? [t('library.edited')] : []),
  ].join(' · ');

/** The cells of a transcript: its name and facts, the matches of a search, and its actions. */
export const LibraryRow = memo(function LibraryRow(props: LibraryRowProps) {
  const { row, selected, active, onOpen, onToggle, onMore } = props;
  const t = useCachedTexts();
  const format = useFormat();
  const unknown = t('list.unknown');
  const tabIndex = active ? 0 : -1;
  const distinction = row.distinction !== null && (
    <span className={styles.distinction}>{distinctionText(t, format, row, row.distinction)}</span>
  );
  return (
    <div role="presentation" className={styles.row} data-has-passages={row.passages.length > 0 || undefined}>
      <div role="presentation" className={styles.cells}>
        <div role="gridcell" className={styles.checkCell}>
          <input
            type="checkbox"
            className={styles.check}
            aria-label={t('library.select', { name: row.name })}
            tabIndex={tabIndex}
            checked={selected}
            onChange={() => onToggle(row)}
          />
        </div>
        <div role="gridcell" className={styles.nameCell}>
          <span className={styles.title}>
            <bdi className={styles.name} title={row.name}>
              <MatchedText text={row.name} marks={row.nameMarks} />
            </bdi>
            {row.tags.map((tag) => (
              <bdi key={tag} className={styles.tag}>
                {tag}
              </bdi>
            ))}
            {row.passages.length > 0 && distinction}
          </span>
          {row.passages.length === 0 && (
            <span className={styles.opening}>
              {distinction}
              <bdi className={styles.excerpt}>{row.excerpt === '' ? t('library.silent') : row.excerpt}</bdi>
            </span>
          )}
        </div>
        <div role="gridcell" className={styles.quiet}>
          {row.language !== null && format.language(row.language)}
        </div>
        <div role="gridcell" className={styles.number}>
          {row.durationSeconds === null ? unknown : durationTime(row.durationSeconds)}
        </div>
        <div role="gridcell" className={styles.number}>
          {format.shortDate(row.createdAt)}
        </div>
        <div role="gridcell">
          <IconButton
            className={styles.more}
            tabIndex={tabIndex}
            aria-haspopup="menu"
            aria-label={t('list.moreActions', { name: row.name })}
            onClick={(event) => onMore(event.currentTarget, row)}
          >
            <Icon name="more" />
          </IconButton>
        </div>
      </div>
      {row.passages.length > 0 && (
        <div
          role="gridcell"
          className={styles.passages}
          data-untimed={row.passages.every(({ start }) => start === null) || undefined}
        >
          {row.passages.map((passage) => (
            <button
              key={passage.segment ?? `at-${passage.range?.start}`}
              type="button"
              data-passage
              tabIndex={tabIndex}
              className={styles.passage}
              onClick={() => onOpen(row, passage)}
            >
              {passage.start !== null && (
                <span className={styles.time}>
                  {formatTimeCode(passage.start, row.durationSeconds ?? passage.start)}
                </span>
              )}
              <bdi className={styles.passageText}>
                <MatchedText text={passage.text} marks={passage.marks} />
              </bdi>
            </button>
          ))}
          {hasMore(row) && (
            <span className={styles.rest}>
              {t('library.morePassages', { count: row.passageCount - row.passages.length })}
            </span>
          )}
        </div>
      )}
    </div>
  );
});
