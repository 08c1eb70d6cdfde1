import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Rejection } from '../../../electron/contract/rejection.ts';
import type { NoticeDetails } from '../../notices.ts';
import { Button } from '../actions/button.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import { problemText } from '../text/problem-text.ts';
import { ScrollGroup } from '../screen/scroll-group.tsx';
import styles from './rejections-dialog.module.css';

export interface RejectionsDialogProps {
  readonly open: boolean;
  /** `null` before the dialog was first opened; kept while it closes. */
  readonly details: NoticeDetails | null;
  readonly onClose: () => void;
}

/** Lists what was rejected or not saved, with reasons. */
export function RejectionsDialog({ open, details, onClose }: RejectionsDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={details?.title ?? ''}
      note={details?.note}
      actions={
        <Button variant="main" onClick={onClose}>
          {t('action.close')}
        </Button>
      }
    >
      <RejectionList entries={details?.entries ?? []} />
    </Dialog>
  );
}

/** Height of an entry before it is measured, in px: a name and one line of reason. */
const entryHeight = 54;

/** Names with the reasons for their rejection. */
export function RejectionList({ entries }: { readonly entries: readonly Rejection[] }) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => entryHeight,
    overscan: 6,
  });

  return (
    <ScrollGroup ref={scroller} className={styles.scroller} label={t('action.details')}>
      <ul className={styles.list} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const entry = entries[index];
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className={styles.entry}
              style={{ transform: `translateY(${start}px)` }}
            >
              <bdi className={styles.name}>{entry?.name}</bdi>
              <p className={styles.reason}>{entry && problemText(t, entry.problem)}</p>
            </li>
          );
        })}
      </ul>
    </ScrollGroup>
  );
}
