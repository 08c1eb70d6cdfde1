import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore, useWindow } from '../../use-store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ScrollGroup } from '../../ui/scroll-group.tsx';
import { asksForHelp, namedKeys, shortcutGroups } from './shortcut-list.ts';
import styles from './shortcuts.module.css';

/** The help that shows all shortcuts, opened by "?" or from the menu. */
export function Shortcuts() {
  const { t } = useTranslation();
  const { bridge } = useStore();
  const [open, setOpen] = useState(false);

  useEffect(() => bridge.on('showShortcuts', () => setOpen(true)), [bridge]);
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (!asksForHelp(event)) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, []);

  return (
    <Dialog
      open={open}
      onClose={() => setOpen(false)}
      title={t('shortcuts.title')}
      note={t('shortcuts.note')}
      actions={
        <Button look="main" onClick={() => setOpen(false)}>
          {t('action.close')}
        </Button>
      }
    >
      <ScrollGroup className={styles.groups} label={t('shortcuts.title')}>
        {shortcutGroups.map(({ name, shortcuts }) => (
          <section key={name}>
            <h3 className={styles.name}>{t(`shortcuts.${name}`)}</h3>
            <dl>
              {shortcuts.map(({ does, keys }) => (
                <div key={does} className={styles.shortcut}>
                  <dt>{t(`shortcut.${does}`)}</dt>
                  <dd className={styles.keys}>
                    {keys.map((combination) => (
                      <Combination key={combination.join('+')} keys={combination} />
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

function Combination({ keys }: { readonly keys: readonly string[] }) {
  const { t } = useTranslation();
  const isMac = useWindow((state) => state.app.platform === 'darwin');
  const nameOf = (key: string): string => {
    if (key === 'Mod') return isMac ? '⌘' : t('key.Control');
    const named = namedKeys.find((one) => one === key);
    return named === undefined ? key : t(`key.${named}`);
  };
  return (
    <span className={styles.combination}>
      {keys.map((key) => (
        <kbd key={key} className={styles.key}>
          {nameOf(key)}
        </kbd>
      ))}
    </span>
  );
}
