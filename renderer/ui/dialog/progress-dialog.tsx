import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../actions/button.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';

export interface ProgressDialogProps extends Pick<
  DialogProps,
  'open' | 'onClose' | 'title' | 'finalFocus' | 'children'
> {
  readonly onStop: () => void;
}

/** Shows the progress of something that continues in the background when the dialog is closed. */
export function ProgressDialog({ onStop, onClose, ...rest }: ProgressDialogProps) {
  const { t } = useTranslation();
  const close = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      {...rest}
      onClose={onClose}
      note={t('task.closes')}
      initialFocus={() => close.current}
      actions={
        <>
          <Button onClick={onStop}>{t('task.stop')}</Button>
          <Button ref={close} onClick={onClose}>
            {t('action.close')}
          </Button>
        </>
      }
    />
  );
}
