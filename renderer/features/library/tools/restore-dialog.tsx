import { useTranslation } from 'react-i18next';
import type { BackupContents } from '../../../../electron/contract/backup.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog, type DialogProps } from '../../../ui/dialog/dialog.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import styles from './restore-dialog.module.css';

export interface RestoreDialogProps extends Pick<DialogProps, 'open' | 'onClose'> {
  readonly contents: BackupContents;
  readonly onRestore: () => void;
}

/** Shows what a backup would add to the library before anything is added. */
export function RestoreDialog({ contents, open, onClose, onRestore }: RestoreDialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, createdAt, total, missing, known, trashed, differing } = contents;
  const count = missing + differing;
  const madeAt = t('backup.madeAt', { date: format.date(createdAt), time: format.time(createdAt) });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('backup.title', { name })}
      note={`${madeAt} ${t('backup.total', { count: total })}`}
      actions={
        count === 0 ? (
          <Button variant="main" onClick={onClose}>
            {t('action.close')}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{t('action.cancel')}</Button>
            <Button variant="main" onClick={onRestore}>
              {t('backup.restore', { count })}
            </Button>
          </>
        )
      }
    >
      <ul className={styles.facts}>
        {count === 0 && total > 0 && <li>{t('backup.nothingMissing')}</li>}
        {missing > 0 && <li>{t('backup.missing', { count: missing })}</li>}
        {differing > 0 && <li>{t('backup.differing', { count: differing })}</li>}
        {known > 0 && count > 0 && <li>{t('backup.known', { count: known })}</li>}
        {trashed > 0 && <li>{t('backup.trashed', { count: trashed })}</li>}
      </ul>
      <p className={styles.quiet}>{t('backup.without')}</p>
    </Dialog>
  );
}
