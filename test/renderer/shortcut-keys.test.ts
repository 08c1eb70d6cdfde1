import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { combinationsOf, shortcutGroups } from '../../renderer/features/frame/shortcut-list.ts';
import { transcriptKeys } from '../../renderer/features/transcript/dialogs/shortcut-help.ts';
import { undoCommandOf } from '../../renderer/features/transcript/session/undo-stack.ts';

const renderer = resolve(import.meta.dirname, '../../renderer');

/** The keys in the window's code, in lower case, as the help writes them. */
const keyLabels: Readonly<Record<string, string>> = {
  ' ': 'Space',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  bracketleft: '[',
  bracketright: ']',
  delete: 'Del',
  escape: 'Esc',
  keyh: 'H',
  keyi: 'I',
  keyn: 'N',
  keys: 'S',
  keyt: 'T',
  pagedown: 'Page',
  pageup: 'Page',
};

/** Keys with the same effect as a combination in the help. */
const equivalentKeys = new Set(['Backspace', 'ContextMenu', 'F3', 'Y']);

const handledKeys =
  /(?<!problem\.)\b(?:key|code|keyCombination\(event\))\s*===?\s*'(?:(?:Mod|Alt|Shift)\+)*([^']+)'|case '(Arrow\w+|Page\w+|Home|End|Bracket\w+|Key[A-Z]|enter|[a-z])'/g;

function keysInCode(): ReadonlySet<string> {
  const files = readdirSync(renderer, { recursive: true, encoding: 'utf8' });
  const sources = files
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('decoder'))
    .map((file) => readFileSync(join(renderer, file), 'utf8'));
  const found = sources.flatMap((source) =>
    /keydown|onKey|KeyEvent|KeyboardEvent/i.test(source)
      ? [...source.matchAll(handledKeys)].map(([, compared, listed]) => compared ?? listed ?? '')
      : [],
  );
  return new Set(
    found.map((key) => keyLabels[key.toLowerCase()] ?? key.charAt(0).toUpperCase() + key.slice(1)),
  );
}

test('every key that the window handles is in the help', () => {
  const combinations = [
    ...shortcutGroups.flatMap(({ shortcuts }) =>
      shortcuts.flatMap((one) => [...combinationsOf(one, false), ...combinationsOf(one, true)]),
    ),
    ...Object.values(transcriptKeys).flatMap((keys) => keys.map(([, combination]) => combination)),
  ];
  const alone = new Set(combinations.flatMap((one) => one.split(' … ')));
  const named = new Set(combinations.flatMap((one) => one.split(/\+| … | /)));
  const inCode = [...keysInCode()];
  expect(inCode.length).toBeGreaterThan(20);
  expect(inCode.filter((key) => !named.has(key) && !equivalentKeys.has(key))).toEqual([]);
  // A combination with a function key does not name what the key does alone; F10 does nothing.
  expect(inCode.filter((key) => /^F\d+$/.test(key) && key !== 'F10' && !alone.has(key))).toEqual([]);
});

const commandOf = (key: string, modifiers: Partial<Parameters<typeof undoCommandOf>[0]>) =>
  undoCommandOf({ key, ctrlKey: true, metaKey: false, shiftKey: false, altKey: false, ...modifiers });

test('the transcript undoes and redoes with the same keys as lists and fields', () => {
  expect(commandOf('z', {})).toBe('undo');
  expect(commandOf('Z', { shiftKey: true })).toBe('redo');
  expect(commandOf('y', {})).toBe('redo');
  expect(commandOf('Y', { shiftKey: true })).toBeNull();
  expect(commandOf('z', { ctrlKey: false })).toBeNull();
  // AltGr types a letter.
  expect(commandOf('z', { altKey: true })).toBeNull();
});
