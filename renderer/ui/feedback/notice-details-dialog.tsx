import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Rejection } from '../../../electron/contract/rejection.ts';
import type { NoticeDetails } from '../../notices.ts';
import { Button } from '../actions/button.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import { problemText } from '../text/problem-text.ts';
import { ScrollGroup } from '../screen/scroll-group.tsx';
import styles from './notice-details-dialog.module.css';

export interface NoticeDetailsDialogProps {
  readonly open: boolean;
  /** `null` before the dialog was first opened; kept while it closes. */
  readonly details: NoticeDetails | null;
  readonly onClose: () => void;
}

/** Lists what was rejected or not saved, with reasons. */
export function NoticeDetailsDialog({ open, details, onClose }: NoticeDetailsDialogProps) {
  const { t } = useTranslation();
  const action = details?.action;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={details?.title ?? ''}
      note={details?.note}
      actions={
        <>
          {action !== undefined && (
            <Button
              onClick={() => {
                onClose();
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <Button variant="main" onClick={onClose}>
            {t('action.close')}
          </Button>
        </>
      }
    >
      <RejectionList entries={details?.entries ?? []} />
    </Dialog>
  );
}

/** Height of an entry before it is measured, in px: a name and one line of reason. */
const entryHeight = 54;

/** Names with the reasons for their rejection, grouped by reason. */
export function RejectionList({ entries }: { readonly entries: readonly Rejection[] }) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => groupByReason(t, entries), [entries, t]);
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => entryHeight,
    overscan: 6,
  });

  return (
    <ScrollGroup ref={scroller} className={styles.scroller} label={t('action.details')}>
      <ul className={styles.list} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const entry = shown[index];
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className={styles.entry}
              style={{ transform: `translateY(${start}px)` }}
            >
              {entry?.isFirst === true && <p className={styles.reason}>{entry.reason}</p>}
              <bdi className={styles.name}>{entry?.name}</bdi>
            </li>
          );
        })}
      </ul>
    </ScrollGroup>
  );
}

interface ShownRejection {
  readonly name: string;
  readonly reason: string;
  /** Whether it is the first with its reason: only this one shows it. */
  readonly isFirst: boolean;
}

/** Puts rejections with the same reason one after the other: many files often fail for one. */
function groupByReason(t: TFunction, entries: readonly Rejection[]): readonly ShownRejection[] {
  const groups = Map.groupBy(entries, ({ problem }) => problemText(t, problem));
  return [...groups].flatMap(([reason, group]) =>
    group.map(({ name }, index) => ({ name, reason, isFirst: index === 0 })),
  );
}
