import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReplaceSpeaker } from '../../../../electron/contract/replace.ts';
import { keyCombination, nextIndex } from '../../../ui/list/list-keys.ts';
import { RowList } from '../../../ui/list/row-list.tsx';
import { toggleRow, type ExcludedMatches, type PreviewRow } from './replace-choices.ts';
import { heightOfRow, PreviewCells } from './preview-row.tsx';

export interface PreviewListProps {
  readonly rows: readonly PreviewRow[];
  readonly excluded: ExcludedMatches;
  /** The speakers who are merged with another one. */
  readonly merged: ReadonlySet<ReplaceSpeaker>;
  readonly replacement: string;
  readonly onExcluded: (excluded: ExcludedMatches) => void;
}

const columns = ['choice', 'time', 'text'] as const;
const doNothing = (): void => {};

/** All matches; each line can be excluded and included again. */
export function PreviewList({ rows, excluded, merged, replacement, onExcluded }: PreviewListProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const [activeIndex, setActiveIndex] = useState<number | null>(null);
  const heightOf = useCallback((index: number) => heightOfRow(rows[index]), [rows]);
  const toggle = (index: number): void => {
    const row = rows[index];
    if (row !== undefined) onExcluded(toggleRow(row, excluded));
  };
  return (
    <RowList
      ref={list}
      label={t('replaceAll.list')}
      columns={columns.map((name) => t(`replaceAll.column.${name}`))}
      total={rows.length}
      activeIndex={activeIndex}
      rowKey={(index) => index}
      heightOf={heightOf}
      // Check marks show what is chosen. Nearly everything is, so highlighted rows would not help.
      isSelected={() => false}
      onVisible={doNothing}
      onKeyDown={(event) => {
        const next = nextIndex(event, activeIndex, rows.length);
        if (next !== null) setActiveIndex(next);
        else if (keyCombination(event) === ' ' && activeIndex !== null) toggle(activeIndex);
        else return;
        event.preventDefault();
      }}
      onRowClick={(index, event) => {
        setActiveIndex(index);
        if (!(event.target instanceof HTMLInputElement)) toggle(index);
      }}
      onRowDoubleClick={doNothing}
    >
      {(index) => {
        const row = rows[index];
        return (
          row !== undefined && (
            <PreviewCells
              row={row}
              excluded={excluded}
              merged={merged}
              replacement={replacement}
              onToggle={() => toggle(index)}
            />
          )
        );
      }}
    </RowList>
  );
}
