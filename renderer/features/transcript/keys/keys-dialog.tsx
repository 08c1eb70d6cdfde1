import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ScrollGroup } from '../../../ui/scroll-group.tsx';
import { Keys } from './keys.tsx';
import styles from './keys.module.css';

const groups = {
  listening: [
    ['play', 'Tab'],
    ['back', 'Shift+Tab'],
    ['fromHere', 'Alt+Enter'],
    ['playReading', 'Space'],
    ['skip', '← →'],
    ['speed', '< >'],
  ],
  writing: [
    ['edit', 'Enter'],
    ['leave', 'Esc'],
    ['split', 'Enter'],
    ['splitHere', 'Mod+Enter'],
    ['mergeBefore', 'Alt+↑'],
    ['mergeAfter', 'Alt+↓'],
    ['insert', 'Alt+I'],
    ['delete', 'Alt+Del'],
    ['start', 'Alt+['],
    ['end', 'Alt+]'],
    ['undo', 'Mod+Z'],
    ['redo', 'Mod+Shift+Z'],
  ],
  more: [
    ['speaker', 'Alt+1 … Alt+9'],
    ['note', 'Alt+N'],
    ['quote', 'Mod+Shift+C'],
    ['find', 'Mod+F'],
    ['review', 'F8'],
    ['reviewBack', 'Shift+F8'],
    ['menu', 'Shift+F10'],
  ],
} as const;

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
        {(Object.keys(groups) as (keyof typeof groups)[]).map((group) => [
          <h3 key={group} className={styles.group}>
            {t(`transcript.keys.${group}`)}
          </h3>,
          ...groups[group].map(([words, keys]) => (
            <Keys key={words} keys={keys}>
              {t(`transcript.keys.${words}`)}
            </Keys>
          )),
        ])}
      </ScrollGroup>
    </Dialog>
  );
}
