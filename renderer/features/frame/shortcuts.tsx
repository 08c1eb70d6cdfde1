import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore, useWindowState } from '../../use-store.ts';
import { replaceNotice } from '../../notices.ts';
import { openModals } from '../../ui/dialog/open-modals.ts';
import { findCommandOf } from '../../ui/form/find-keys.ts';
import { ShortcutsDialog } from '../../ui/dialog/shortcuts-dialog.tsx';
import { transcriptShortcuts } from '../transcript/dialogs/shortcut-help.ts';
import { asksForHelp, combinationsOf, shortcutGroups } from './shortcut-list.ts';

/**
 * The help with all shortcuts, opened by "?" or from the menu. Also says that a screen has nothing to search, where nothing
 * handles the key.
 */
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
  useEffect(() => {
    // At the window, after the search of the screen, if it has one.
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || openModals.isOpen || findCommandOf(event) !== 'open') return;
      replaceNotice('find', t('list.nothingToSearch'));
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [t]);

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
