import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { TermsField, type TermsFieldProps } from './terms-field.tsx';

export interface TermsButtonProps extends Pick<TermsFieldProps, 'terms' | 'onChange' | 'hint'> {
  readonly isInHeading: boolean;
}

/**
 * Opens the list of names and terms of some recordings, and says how many are in it. Escape and a click outside keep
 * what was typed; only Cancel discards it.
 */
export function TermsButton({ hint, isInHeading, terms, onChange }: TermsButtonProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const [changed, setChanged] = useState<readonly string[] | null>(null);
  const close = (): void => {
    setOpen(false);
    setChanged(null);
  };
  const apply = (): void => {
    if (changed !== null) onChange(changed);
    close();
  };
  return (
    <>
      <Button {...(isInHeading && { variant: 'plain' })} onClick={() => setOpen(true)}>
        {terms === undefined || terms.length === 0
          ? t('terms.open')
          : t('terms.openCount', { count: terms.length })}
      </Button>
      <Dialog
        open={open}
        onClose={close}
        onDismiss={() => setOpen(false)}
        title={t('terms.label')}
        note={t('terms.note')}
        wide
        actions={
          <>
            <Button onClick={close}>{t('action.cancel')}</Button>
            <Button variant="main" disabled={changed === null} onClick={apply}>
              {t('terms.done')}
            </Button>
          </>
        }
      >
        <TermsField isTitled hint={hint} terms={changed ?? terms} onChange={setChanged} onConfirm={apply} />
      </Dialog>
    </>
  );
}
