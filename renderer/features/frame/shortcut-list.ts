import { isTextField } from '../../ui/focus/is-text-field.ts';

/** An action with its keyboard shortcuts. */
export interface Shortcut<Action extends string> {
  readonly action: Action;
  /** Combinations with the same effect. `Mod` is Cmd on a Mac and Ctrl elsewhere. */
  readonly keys: readonly string[];
  /** The combinations on a Mac, where they differ. */
  readonly mac?: readonly string[];
}

const group = <Name extends string, Action extends string>(
  name: Name,
  shortcuts: readonly Shortcut<Action>[],
): { readonly name: Name; readonly shortcuts: readonly Shortcut<Action>[] } => ({ name, shortcuts });

/** All shortcuts outside of a transcript, as the help lists them. */
export const shortcutGroups = [
  group('everywhere', [
    { action: 'addFiles', keys: ['Mod+O'] },
    { action: 'addFolder', keys: ['Mod+Shift+O'] },
    { action: 'export', keys: ['Mod+E'] },
    { action: 'replaceAll', keys: ['Mod+Shift+H'] },
    { action: 'paste', keys: ['Mod+V'] },
    { action: 'queue', keys: ['Mod+1'] },
    { action: 'library', keys: ['Mod+2'] },
    { action: 'settings', keys: ['Mod+,'] },
    { action: 'larger', keys: ['Mod+Plus'] },
    { action: 'smaller', keys: ['Mod+-'] },
    { action: 'actualSize', keys: ['Mod+0'] },
    { action: 'fullScreen', keys: ['F11'], mac: ['Ctrl+Mod+F'] },
    { action: 'notices', keys: ['F6'] },
    { action: 'submit', keys: ['Mod+Enter'] },
    { action: 'close', keys: ['Mod+W'] },
    { action: 'quit', keys: ['Mod+Q'] },
    { action: 'help', keys: ['?', 'F1'] },
  ]),
  group('lists', [
    { action: 'search', keys: ['Mod+F'] },
    { action: 'move', keys: ['↑', '↓'] },
    { action: 'page', keys: ['Page'] },
    { action: 'ends', keys: ['Home', 'End'] },
    { action: 'extend', keys: ['Shift+↑', 'Shift+↓'] },
    { action: 'toggle', keys: ['Space'] },
    { action: 'selectAll', keys: ['Mod+A'] },
    { action: 'open', keys: ['Enter'] },
    { action: 'passages', keys: ['→', '←'] },
    { action: 'rename', keys: ['F2'] },
    { action: 'moveRow', keys: ['Alt+↑', 'Alt+↓'] },
    { action: 'moveFirst', keys: ['Alt+Home'] },
    { action: 'remove', keys: ['Del'], mac: ['Mod+Del'] },
    { action: 'undo', keys: ['Mod+Z'] },
    { action: 'redo', keys: ['Mod+Shift+Z'] },
    { action: 'menu', keys: ['Shift+F10'] },
    { action: 'leave', keys: ['Esc'] },
  ]),
] as const;

/** Returns the combinations of a shortcut on this platform. */
export const combinationsOf = ({ keys, mac }: Shortcut<string>, isMac: boolean): readonly string[] =>
  isMac ? (mac ?? keys) : keys;

/** Whether a key press opens the help; in a text field the question mark is only a character. */
export function asksForHelp(event: Pick<KeyboardEvent, 'key' | 'defaultPrevented' | 'target'>): boolean {
  if (event.defaultPrevented) return false;
  if (event.key === 'F1') return true;
  return event.key === '?' && !isTextField(event.target);
}
