/** Everything that can be done by keys, as the help shows it. `Mod` is Cmd on a Mac and Ctrl elsewhere. */
export const shortcutGroups = [
  {
    name: 'everywhere',
    shortcuts: [
      { does: 'addFiles', keys: [['Mod', 'O']] },
      { does: 'addFolder', keys: [['Mod', 'Shift', 'O']] },
      { does: 'paste', keys: [['Mod', 'V']] },
      { does: 'queue', keys: [['Mod', '1']] },
      { does: 'library', keys: [['Mod', '2']] },
      { does: 'settings', keys: [['Mod', ',']] },
      { does: 'larger', keys: [['Mod', '+']] },
      { does: 'smaller', keys: [['Mod', '-']] },
      { does: 'notices', keys: [['F6']] },
      { does: 'help', keys: [['?'], ['F1']] },
    ],
  },
  {
    name: 'lists',
    shortcuts: [
      { does: 'search', keys: [['Mod', 'F']] },
      { does: 'move', keys: [['↑'], ['↓']] },
      { does: 'page', keys: [['Page']] },
      { does: 'ends', keys: [['Home'], ['End']] },
      {
        does: 'extend',
        keys: [
          ['Shift', '↑'],
          ['Shift', '↓'],
        ],
      },
      { does: 'toggle', keys: [['Space']] },
      { does: 'selectAll', keys: [['Mod', 'A']] },
      { does: 'open', keys: [['Enter']] },
      {
        does: 'moveRow',
        keys: [
          ['Alt', '↑'],
          ['Alt', '↓'],
        ],
      },
      { does: 'moveFirst', keys: [['Alt', 'Home']] },
      { does: 'remove', keys: [['Delete']] },
      { does: 'undo', keys: [['Mod', 'Z']] },
      { does: 'menu', keys: [['Shift', 'F10']] },
      { does: 'leave', keys: [['Escape']] },
    ],
  },
] as const;

/** Keys that are written in words, which differ by language. */
export const namedKeys = ['Shift', 'Space', 'Enter', 'Delete', 'Escape', 'Page', 'Home', 'End'] as const;

/** Whether a key press asks for the help; in a text the question mark is only a question mark. */
export function asksForHelp(event: Pick<KeyboardEvent, 'key' | 'defaultPrevented' | 'target'>): boolean {
  if (event.defaultPrevented) return false;
  if (event.key === 'F1') return true;
  const { target } = event;
  const isText =
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input:not([type=radio], [type=checkbox]), textarea, select'));
  return event.key === '?' && !isText;
}
