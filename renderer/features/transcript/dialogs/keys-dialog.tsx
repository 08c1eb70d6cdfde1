import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ShortcutsDialog } from '../../../ui/dialog/shortcuts-dialog.tsx';
import { useKeyNames } from '../../../ui/text/key-names.ts';
import { transcriptShortcuts } from './shortcut-help.ts';
import styles from './keys-dialog.module.css';

/** Lists every shortcut of a transcript. */
export function KeysDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation();
  return <ShortcutsDialog open={open} onClose={onClose} groups={transcriptShortcuts(t)} />;
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
