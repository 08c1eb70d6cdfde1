import { useTranslation } from 'react-i18next';
import { useWindowState } from '../../use-store.ts';
import { Button } from '../actions/button.tsx';
import { ScrollGroup } from '../screen/scroll-group.tsx';
import { keysOf, type ShortcutGroup } from '../text/key-names.ts';
import { Dialog, type DialogProps } from './dialog.tsx';
import styles from './shortcuts-dialog.module.css';

export interface ShortcutsDialogProps extends Pick<DialogProps, 'open' | 'onClose' | 'note'> {
  readonly groups: readonly ShortcutGroup[];
}

/** Lists shortcuts by group. */
export function ShortcutsDialog({ groups, open, onClose, note }: ShortcutsDialogProps) {
  const { t } = useTranslation();
  const isMac = useWindowState((state) => state.app.platform === 'darwin');
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('shortcuts.title')}
      note={note}
      actions={
        <Button variant="main" onClick={onClose}>
          {t('action.close')}
        </Button>
      }
    >
      <ScrollGroup className={styles.groups} label={t('shortcuts.title')}>
        {groups.map(({ title, entries }) => (
          <section key={title}>
            <h3 className={styles.name}>{title}</h3>
            <dl>
              {entries.map(({ action, combinations }) => (
                <div key={action} className={styles.shortcut}>
                  <dt>{action}</dt>
                  <dd className={styles.keys}>
                    {combinations.map((combination) => (
                      <span key={combination} className={styles.combination}>
                        {keysOf(combination, isMac, t).map((key) => (
                          <kbd key={key} className={styles.key}>
                            {key}
                          </kbd>
                        ))}
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </ScrollGroup>
    </Dialog>
  );
}
