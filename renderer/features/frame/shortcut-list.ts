import { isTextField } from '../../ui/focus/is-text-field.ts';

/** An action with its keyboard shortcuts. */
export interface Shortcut<Does extends string> {
  readonly does: Does;
  /** Combinations with the same effect. `Mod` is Cmd on a Mac and Ctrl elsewhere. */
  readonly keys: readonly string[];
  /** The combinations on a Mac, where they differ. */
  readonly mac?: readonly string[];
}

const group = <Name extends string, Does extends string>(
  name: Name,
  shortcuts: readonly Shortcut<Does>[],
): { readonly name: Name; readonly shortcuts: readonly Shortcut<Does>[] } => ({ name, shortcuts });

/** All shortcuts outside of a transcript, as the help lists them. */
export const shortcutGroups = [
  group('everywhere', [
    { does: 'addFiles', keys: ['Mod+O'] },
    { does: 'addFolder', keys: ['Mod+Shift+O'] },
    { does: 'export', keys: ['Mod+E'] },
    { does: 'paste', keys: ['Mod+V'] },
    { does: 'queue', keys: ['Mod+1'] },
    { does: 'library', keys: ['Mod+2'] },
    { does: 'settings', keys: ['Mod+,'] },
    { does: 'larger', keys: ['Mod+Plus'] },
    { does: 'smaller', keys: ['Mod+-'] },
    { does: 'actualSize', keys: ['Mod+0'] },
    { does: 'fullScreen', keys: ['F11'], mac: ['Ctrl+Mod+F'] },
    { does: 'notices', keys: ['F6'] },
    { does: 'submit', keys: ['Mod+Enter'] },
    { does: 'close', keys: ['Mod+W'] },
    { does: 'quit', keys: ['Mod+Q'] },
    { does: 'help', keys: ['?', 'F1'] },
  ]),
  group('lists', [
    { does: 'search', keys: ['Mod+F'] },
    { does: 'move', keys: ['↑', '↓'] },
    { does: 'page', keys: ['Page'] },
    { does: 'ends', keys: ['Home', 'End'] },
    { does: 'extend', keys: ['Shift+↑', 'Shift+↓'] },
    { does: 'toggle', keys: ['Space'] },
    { does: 'selectAll', keys: ['Mod+A'] },
    { does: 'open', keys: ['Enter'] },
    { does: 'rename', keys: ['F2'] },
    { does: 'moveRow', keys: ['Alt+↑', 'Alt+↓'] },
    { does: 'moveFirst', keys: ['Alt+Home'] },
    { does: 'remove', keys: ['Del'], mac: ['Mod+Del'] },
    { does: 'undo', keys: ['Mod+Z'] },
    { does: 'menu', keys: ['Shift+F10'] },
    { does: 'leave', keys: ['Esc'] },
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
