import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { ScrollGroup } from '../../../ui/screen/scroll-group.tsx';
import { transcriptKeys } from './shortcut-help.ts';
import styles from './keys-dialog.module.css';
import type { ReactNode } from 'react';
import { useKeyNames } from '../../../ui/text/key-names.ts';

/** Lists every shortcut of a transcript. */
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
          ...transcriptKeys[group].map(([action, keys]) => (
            <ShortcutLabel key={action} keys={keys}>
              {t(`transcript.keys.${action}`)}
            </ShortcutLabel>
          )),
        ])}
      </ScrollGroup>
    </Dialog>
  );
}

/** A label with its shortcut. */
export function ShortcutLabel({ keys, children }: { readonly keys: string; readonly children: ReactNode }) {
  const keyNames = useKeyNames();
  return (
    <span className={styles.line}>
      <span>{children}</span>
      <kbd className={styles.keys}>{keyNames(keys)}</kbd>
    </span>
  );
}
