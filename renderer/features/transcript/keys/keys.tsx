import type { ReactNode } from 'react';
import { useWindow } from '../../../use-store.ts';
import styles from './keys.module.css';

const macSigns: Readonly<Record<string, string>> = {
  Mod: '⌘',
  Ctrl: '⌃',
  Alt: '⌥',
  Shift: '⇧',
  Enter: '↩',
  Del: '⌫',
};

/** A combination such as `Mod+Shift+C` as the platform writes it. */
function keyWords(keys: string, mac: boolean): string {
  const parts = keys.split('+');
  return mac
    ? parts.map((part) => macSigns[part] ?? part).join('')
    : parts.map((part) => (part === 'Mod' ? 'Ctrl' : part)).join('+');
}

/** Writes combinations as this platform does. */
export function useKeyWords(): (keys: string) => string {
  const mac = useWindow((state) => state.app.platform === 'darwin');
  return (keys) => keyWords(keys, mac);
}

/** Words with the key that does the same. */
export function Keys({ keys, children }: { readonly keys: string; readonly children: ReactNode }) {
  const words = useKeyWords();
  return (
    <span className={styles.line}>
      <span>{children}</span>
      <kbd className={styles.keys}>{words(keys)}</kbd>
    </span>
  );
}
