import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore, useWindowState } from '../../use-store.ts';
import { ShortcutsDialog } from '../../ui/dialog/shortcuts-dialog.tsx';
import { transcriptShortcuts } from '../transcript/dialogs/shortcut-help.ts';
import { asksForHelp, combinationsOf, shortcutGroups } from './shortcut-list.ts';

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

  const groups = shortcutGroups.map(({ name, shortcuts }) => ({
    title: t(`shortcuts.${name}`),
    entries: shortcuts.map((shortcut) => ({
      action: t(`shortcut.${shortcut.action}`),
      combinations: combinationsOf(shortcut, isMac),
    })),
  }));
  return (
    <ShortcutsDialog
      open={open}
      onClose={() => setOpen(false)}
      note={t('shortcuts.note')}
      groups={[...groups, ...transcriptShortcuts(t)]}
    />
  );
}
