import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { ScrollGroup } from '../../../ui/screen/scroll-group.tsx';
import { transcriptKeys } from './key-list.ts';
import { Keys } from './keys.tsx';
import styles from './keys.module.css';

/** Every key that works in a transcript. */
export function KeysDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('transcript.keys.title')}
      actions={<Button onClick={onClose}>{t('action.close')}</Button>}
    >
      <ScrollGroup className={styles.list} label={t('transcript.keys.title')}>
        {(Object.keys(transcriptKeys) as (keyof typeof transcriptKeys)[]).map((group) => [
          <h3 key={group} className={styles.group}>
            {t(`transcript.keys.${group}`)}
          </h3>,
          ...transcriptKeys[group].map(([words, keys]) => (
            <Keys key={words} keys={keys}>
              {t(`transcript.keys.${words}`)}
            </Keys>
          )),
        ])}
      </ScrollGroup>
    </Dialog>
  );
}
