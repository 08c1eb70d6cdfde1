import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptRow } from '../../../electron/contract/model/library.ts';
import { clock } from '../../ui/format.ts';
import { Highlight } from '../../ui/highlight.tsx';
import { stepOf } from '../../ui/list-keys.ts';
import { RowList } from '../../ui/row-list.tsx';
import { useReturningFocus } from '../../ui/use-returning-focus.ts';
import { useFormat } from '../../ui/use-format.ts';
import { PlaceholderCells } from '../queue/queue-row.tsx';
import styles from './library-list.module.css';
import type { Listing } from './use-library.ts';

export interface LibraryListProps {
  readonly listing: Listing;
  readonly onOpen: (row: TranscriptRow) => void;
}

/** The transcripts that answer the search. */
export function LibraryList({ listing, onOpen }: LibraryListProps) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState<number | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const { rowAt, onVisible } = listing;
  const total = listing.total ?? 0;
  const activeIndex = wanted === null || total === 0 ? null : Math.min(wanted, total - 1);
  useReturningFocus(list, activeIndex !== null);
  const rowKey = useCallback((index: number) => rowAt(index)?.id ?? `place-${index}`, [rowAt]);
  const open = (index: number): void => {
    setWanted(index);
    const row = rowAt(index);
    if (row !== undefined) onOpen(row);
  };

  return (
    <div className={styles.frame}>
      <RowList
        ref={list}
        label={t('library.list')}
        columns={[
          t('library.column.name'),
          t('library.column.language'),
          t('library.column.length'),
          t('library.column.date'),
        ]}
        total={total}
        activeIndex={activeIndex}
        rowKey={rowKey}
        isSelected={(index) => index === activeIndex}
        onVisible={onVisible}
        onKeyDown={(event) => {
          const next = stepOf(event, activeIndex, total);
          if (next !== null) setWanted(next);
          else if (event.key === 'Enter' && activeIndex !== null) open(activeIndex);
          else return;
          event.preventDefault();
        }}
        onRowClick={(index) => open(index)}
        onRowDoubleClick={() => {}}
      >
        {(index) => {
          const row = rowAt(index);
          return row === undefined ? <PlaceholderCells /> : <Cells row={row} query={listing.query} />;
        }}
      </RowList>
    </div>
  );
}

function Cells({ row, query }: { readonly row: TranscriptRow; readonly query: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div role="presentation" className={styles.cells}>
      <div role="gridcell" className={styles.what}>
        <bdi className={styles.name}>
          <Highlight text={row.name} query={query} />
        </bdi>
        <bdi className={styles.excerpt}>
          {row.excerpt === '' ? t('library.silent') : <Highlight text={row.excerpt} query={query} />}
        </bdi>
      </div>
      <div role="gridcell" className={styles.quiet}>
        {row.language !== null && format.language(row.language)}
      </div>
      <div role="gridcell" className={styles.number}>
        {row.durationSeconds === null ? t('queue.unknown') : clock(row.durationSeconds)}
      </div>
      <div role="gridcell" className={styles.number}>
        {format.shortDate(row.createdAt)}
      </div>
    </div>
  );
}
