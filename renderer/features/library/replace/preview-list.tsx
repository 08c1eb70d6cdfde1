import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReplaceSpeaker } from '../../../../electron/contract/replace.ts';
import { nextIndex } from '../../../ui/list/list-keys.ts';
import { RowList } from '../../../ui/list/row-list.tsx';
import { toggled, type Excluded, type PreviewRow } from './replace-choices.ts';
import { heightOfRow, PreviewCells } from './preview-row.tsx';

export interface PreviewListProps {
  readonly rows: readonly PreviewRow[];
  readonly excluded: Excluded;
  /** The speakers who are merged with another one. */
  readonly merged: ReadonlySet<ReplaceSpeaker>;
  readonly replacement: string;
  readonly onExcluded: (excluded: Excluded) => void;
}

const columns = ['choice', 'time', 'text'] as const;
const doNothing = (): void => {};

/** All matches; each line can be excluded and included again. */
export function PreviewList({ rows, excluded, merged, replacement, onExcluded }: PreviewListProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<number | null>(null);
  const heightOf = useCallback((index: number) => heightOfRow(rows[index]), [rows]);
  const toggle = (index: number): void => {
    const row = rows[index];
    if (row !== undefined) onExcluded(toggled(row, excluded));
  };
  return (
    <RowList
      ref={list}
      label={t('replaceAll.list')}
      columns={columns.map((name) => t(`replaceAll.column.${name}`))}
      total={rows.length}
      activeIndex={active}
      rowKey={(index) => index}
      heightOf={heightOf}
      // Check marks show what is chosen: nearly everything is, so selected rows would hide the rest.
      isSelected={() => false}
      onVisible={doNothing}
      onKeyDown={(event) => {
        const next = nextIndex(event, active, rows.length);
        if (next !== null) setActive(next);
        else if (event.key === ' ' && active !== null) toggle(active);
        else return;
        event.preventDefault();
      }}
      onRowClick={(index, event) => {
        setActive(index);
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
