import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useWindowState } from '../../use-store.ts';

/** Actions of one kind with their shortcuts. */
export interface ShortcutGroup {
  readonly title: string;
  readonly entries: readonly ShortcutEntry[];
}

interface ShortcutEntry {
  readonly action: string;
  /** Combinations such as `Mod+Shift+C`, each of which does it. */
  readonly combinations: readonly string[];
}

/** Keys that are written as symbols on a Mac. */
const macSymbols: Readonly<Record<string, string>> = {
  Mod: '⌘',
  Ctrl: '⌃',
  Alt: '⌥',
  Shift: '⇧',
  Enter: '↩',
  Del: '⌫',
};

/** Keys that are written as words, which differ by language. */
const names = {
  Mod: 'Control',
  Ctrl: 'Control',
  Shift: 'Shift',
  Space: 'Space',
  Enter: 'Enter',
  Del: 'Delete',
  Esc: 'Escape',
  Tab: 'Tab',
  Page: 'Page',
  Click: 'Click',
  Home: 'Home',
  End: 'End',
} as const;

/** Returns the keys of a combination such as `Mod+Shift+C`, as written on the platform and in the language. */
export function keysOf(combination: string, isMac: boolean, t: TFunction): readonly string[] {
  return combination.split('+').map((key) => {
    const symbol = isMac ? macSymbols[key] : undefined;
    if (symbol !== undefined) return symbol;
    if (key === 'Plus') return '+';
    return key in names ? t(`key.${names[key as keyof typeof names]}`) : key;
  });
}

/** Returns a function that formats combinations, and ranges of them such as `Alt+1 … Alt+9`, in one line. */
export function useKeyNames(): (combinations: string) => string {
  const { t } = useTranslation();
  const isMac = useWindowState((state) => state.app.platform === 'darwin');
  return (combinations) =>
    combinations
      .split(' … ')
      .map((one) => keysOf(one, isMac, t).join(isMac ? '' : '+'))
      .join(' … ');
}
