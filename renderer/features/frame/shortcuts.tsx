import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore, useWindowState } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ScrollGroup } from '../../ui/screen/scroll-group.tsx';
import { keysOf } from '../../ui/text/key-names.ts';
import { transcriptKeys } from '../transcript/dialogs/shortcut-help.ts';
import { asksForHelp, combinationsOf, shortcutGroups } from './shortcut-list.ts';
import styles from './shortcuts.module.css';

/** The help with all shortcuts, opened by "?" or from the menu. */
export function Shortcuts() {
  const { t } = useTranslation();
  const { bridge } = useStore();
  const isMac = useWindowState((state) => state.app.platform === 'darwin');
  const [open, setOpen] = useState(false);

  useEffect(() => bridge.on('showShortcuts', () => setOpen(true)), [bridge]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!asksForHelp(event)) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);

  return (
    <Dialog
      open={open}
      onClose={() => setOpen(false)}
      title={t('shortcuts.title')}
      note={t('shortcuts.note')}
      actions={
        <Button variant="main" onClick={() => setOpen(false)}>
          {t('action.close')}
        </Button>
      }
    >
      <ScrollGroup className={styles.groups} label={t('shortcuts.title')}>
        {shortcutGroups.map(({ name, shortcuts }) => (
          <Group key={name} title={t(`shortcuts.${name}`)}>
            {shortcuts.map((shortcut) => (
              <Entry
                key={shortcut.action}
                action={t(`shortcut.${shortcut.action}`)}
                combinations={combinationsOf(shortcut, isMac)}
              />
            ))}
          </Group>
        ))}
        <Group title={t('shortcuts.transcript')}>
          {[...transcriptKeys.listening, ...transcriptKeys.writing, ...transcriptKeys.more].map(
            ([action, keys]) => (
              <Entry key={action} action={t(`transcript.keys.${action}`)} combinations={keys.split(' … ')} />
            ),
          )}
        </Group>
      </ScrollGroup>
    </Dialog>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3 className={styles.name}>{title}</h3>
      <dl>{children}</dl>
    </section>
  );
}

/** An action and its key combinations. */
function Entry({
  action,
  combinations,
}: {
  readonly action: string;
  readonly combinations: readonly string[];
}) {
  const { t } = useTranslation();
  const isMac = useWindowState((state) => state.app.platform === 'darwin');
  return (
    <div className={styles.shortcut}>
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
  );
}
