import { Toast } from '@base-ui/react/toast';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { notices, type NoticeData, type NoticeDetails } from '../../notices.ts';
import { Button, IconButton } from '../actions/button.tsx';
import { Icon } from '../icon.tsx';
import styles from './toasts.module.css';
import { useToastAvoidance } from './use-toast-avoidance.ts';

/** The corner where short messages appear. F6 leads there. */
export function Toasts({ onDetails }: { readonly onDetails: (details: NoticeDetails) => void }) {
  return (
    <Toast.Provider toastManager={notices}>
      <Toast.Portal>
        <Corner>
          <ToastList onDetails={onDetails} />
        </Corner>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Corner({ children }: { readonly children: ReactNode }) {
  const corner = useRef<HTMLDivElement>(null);
  const { toasts } = Toast.useToastManager();
  const place = useToastAvoidance(corner, toasts.length);
  return (
    <Toast.Viewport ref={corner} className={styles.corner} data-place={place}>
      {children}
    </Toast.Viewport>
  );
}

function ToastList({ onDetails }: { readonly onDetails: (details: NoticeDetails) => void }) {
  const { t } = useTranslation();
  const { toasts, close } = Toast.useToastManager<NoticeData>();
  return toasts.map((toast) => {
    const { details, action } = toast.data ?? {};
    return (
      <Toast.Root key={toast.id} toast={toast} swipeDirection="right" className={styles.toast}>
        <Toast.Content className={styles.content}>
          <div className={styles.words}>
            <Toast.Title className={styles.title} />
            <Toast.Description className={styles.note} />
          </div>
          {details !== undefined && (
            <Button
              onClick={() => {
                close(toast.id);
                onDetails(details);
              }}
            >
              {t('action.details')}
            </Button>
          )}
          {action !== undefined && (
            <Button
              onClick={() => {
                close(toast.id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <Toast.Close render={<IconButton aria-label={t('action.dismiss')} />}>
            <Icon name="close" />
          </Toast.Close>
        </Toast.Content>
      </Toast.Root>
    );
  });
}
