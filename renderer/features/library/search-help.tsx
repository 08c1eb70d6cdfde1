import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import styles from './search-help.module.css';

/** What can be typed in the search field, in the order of the help. */
const forms = ['words', 'phrase', 'start', 'exclude'] as const;

/** A button that explains how to search. */
export function SearchHelp() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button variant="plain" onClick={() => setOpen(true)}>
        {t('library.searchHelp.button')}
      </Button>
      <Dialog
        open={open}
        onClose={close}
        title={t('library.searchHelp.title')}
        actions={
          <Button variant="main" onClick={close}>
            {t('action.close')}
          </Button>
        }
      >
        <dl className={styles.forms}>
          {forms.map((form) => (
            <div key={form} className={styles.form}>
              <dt>
                <code className={styles.example}>{t(`library.searchHelp.${form}Example`)}</code>
              </dt>
              <dd>{t(`library.searchHelp.${form}`)}</dd>
            </div>
          ))}
        </dl>
        <p className={styles.limits}>{t('library.searchHelp.limits')}</p>
      </Dialog>
    </>
  );
}
