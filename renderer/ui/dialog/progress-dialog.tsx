import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../actions/button.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';

export interface ProgressDialogProps extends Pick<
  DialogProps,
  'open' | 'onClose' | 'title' | 'finalFocus' | 'children'
> {
  readonly onStop: () => void;
}

/**
 * Shows the progress of work that continues in the background when the dialog is closed. The work may take a while to
 * stop.
 */
export function ProgressDialog({ onStop, onClose, ...rest }: ProgressDialogProps) {
  const { t } = useTranslation();
  const [isStopping, setIsStopping] = useState(false);
  if (isStopping && !rest.open) setIsStopping(false);
  const closeButton = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      {...rest}
      onClose={onClose}
      note={t('task.closes')}
      initialFocus={() => closeButton.current}
      actions={
        <>
          <Button
            aria-disabled={isStopping}
            onClick={() => {
              if (isStopping) return;
              setIsStopping(true);
              onStop();
            }}
          >
            {t(isStopping ? 'task.stopping' : 'task.stop')}
          </Button>
          <Button ref={closeButton} onClick={onClose}>
            {t('action.close')}
          </Button>
        </>
      }
    />
  );
}
