import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { Words } from '../../../electron/core/words.ts';
import { menuTemplate, type MenuActions } from '../../../electron/shell/menu-template.ts';
import { combinationsOf, shortcutGroups } from '../../../renderer/features/frame/shortcut-list.ts';

const nothing = (): void => undefined;
const actions: MenuActions = {
  addFiles: nothing,
  addFolder: nothing,
  goTo: nothing,
  showShortcuts: nothing,
  showDataFolder: nothing,
  saveLog: nothing,
};

/** What works in every text field of every program, and what a Mac adds to each program's own menu. */
const theSystems = new Set([
  'undo',
  'redo',
  'cut',
  'copy',
  'paste',
  'selectAll',
  'minimize',
  'hide',
  'hideOthers',
]);

const entriesOf = (items: readonly MenuItemConstructorOptions[]): readonly MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? entriesOf(item.submenu) : [])]);

/** A menu's accelerator as the help writes combinations. */
const combination = (accelerator: string): string =>
  accelerator.replace('CmdOrCtrl', 'Mod').replace('Cmd', 'Mod');

describe.each(['linux', 'darwin', 'win32'] as const)('the menu on %s', (platform) => {
  it('has words for every entry, and every shortcut of it is in the help', async () => {
    for (const language of ['en', 'de', 'es'] as const) {
      const entries = entriesOf(menuTemplate(await Words.load(language), actions, platform));
      const labels = entries.filter(({ type }) => type !== 'separator').map(({ label }) => label);
      expect(labels.filter((label) => label === undefined || label.startsWith('menu.'))).toEqual([]);

      const inMenu = entries.flatMap(({ accelerator }) =>
        typeof accelerator === 'string' ? [combination(accelerator)] : [],
      );
      const inHelp = new Set(
        shortcutGroups.flatMap(({ shortcuts }) =>
          shortcuts.flatMap((one) => combinationsOf(one, platform === 'darwin')),
        ),
      );
      expect(inMenu.filter((one) => !inHelp.has(one))).toEqual([]);
      expect(inMenu.length).toBeGreaterThan(10);
      expect(new Set(inMenu).size).toBe(inMenu.length);
    }
  });

  it('leaves no role to a shortcut that the help does not name', async () => {
    const entries = entriesOf(menuTemplate(await Words.load(), actions, platform));
    const withoutOwn = entries.filter(
      ({ role, accelerator }) => role !== undefined && accelerator === undefined,
    );
    const without = new Set(['about', 'help', 'window', 'unhide', 'front', ...theSystems]);
    expect(withoutOwn.map(({ role }) => String(role)).filter((role) => !without.has(role))).toEqual([]);
  });
});
