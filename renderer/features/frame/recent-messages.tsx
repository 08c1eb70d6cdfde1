import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NoticeAction, NoticeDetails } from '../../notices.ts';
import { useRecentNotices, type RecentNotice } from '../../recent-notices.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { openModals } from '../../ui/dialog/open-modals.ts';
import { NoticeDetailsDialog } from '../../ui/feedback/notice-details-dialog.tsx';
import { ScrollGroup } from '../../ui/screen/scroll-group.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import styles from './recent-messages.module.css';

/** The button that lists recent messages; nothing before the first one. F6 opens the list when no notice is shown. */
export function RecentMessages() {
  const { t } = useTranslation();
  const messages = useRecentNotices();
  const [open, setOpen] = useState(false);
  const [details, setDetails] = useState<{ open: boolean; content: NoticeDetails | null }>({
    open: false,
    content: null,
  });
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'F6' || openModals.isOpen) return;
      // While notices are shown, Base UI moves the focus to them; its listener may come after this one.
      setTimeout(() => {
        if (!event.defaultPrevented) setOpen(true);
      });
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  if (messages.length === 0) return null;
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" className={styles.button} onClick={() => setOpen(true)}>
        {t('messages.button')}
      </button>
      <Dialog
        open={open}
        onClose={close}
        title={t('messages.title')}
        actions={
          <Button variant="main" onClick={close}>
            {t('action.close')}
          </Button>
        }
      >
        <ScrollGroup ref={scroller} className={styles.scroller} label={t('messages.title')}>
          <ul>
            {messages.map((message) => (
              <Message
                key={message.serial}
                message={message}
                onDetails={(content) => setDetails({ open: true, content })}
                onAction={({ run, isUndo = false }) => {
                  // The button is about to disappear; what else can be undone is still in the list.
                  if (isUndo) scroller.current?.focus();
                  else close();
                  run();
                }}
              />
            ))}
          </ul>
        </ScrollGroup>
      </Dialog>
      <NoticeDetailsDialog
        open={details.open}
        details={details.content}
        onClose={() => setDetails({ ...details, open: false })}
      />
    </>
  );
}

interface MessageProps {
  readonly message: RecentNotice;
  readonly onDetails: (details: NoticeDetails) => void;
  readonly onAction: (action: NoticeAction) => void;
}

function Message({ message, onDetails, onAction }: MessageProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { at, isFromEarlierDay, title, description, isProblem, details, actions } = message;
  return (
    <li className={styles.message} data-problem={isProblem || undefined}>
      <div className={styles.text}>
        <p className={styles.title}>{title}</p>
        {description !== '' && <p className={styles.note}>{description}</p>}
      </div>
      <span className={styles.time}>{isFromEarlierDay ? format.shortDate(at) : format.time(at)}</span>
      {details !== null && <Button onClick={() => onDetails(details)}>{t('action.details')}</Button>}
      {actions.map((action) => (
        <Button key={action.label} onClick={() => onAction(action)}>
          {action.label}
        </Button>
      ))}
    </li>
  );
}
