import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { Translator } from '../../../../electron/core/translator.ts';
import {
  menuTemplate,
  type MenuActions,
  type MenuState,
} from '../../../../electron/shell/window/menu-template.ts';
import { combinationsOf, shortcutGroups } from '../../../../renderer/features/frame/shortcut-list.ts';

const nothing = (): void => undefined;
const actions: MenuActions = {
  addFiles: nothing,
  addFolder: nothing,
  library: nothing,
  edit: nothing,
  clearRecent: nothing,
  goTo: nothing,
  showShortcuts: nothing,
  showDataFolder: nothing,
  saveLog: nothing,
  showLicences: nothing,
};

const state: MenuState = {
  recent: [
    { id: 7, name: 'Rock & roll' },
    { id: 3, name: 'x'.repeat(500) },
  ],
  isSetUp: true,
  isModal: false,
};

/** Roles of every text field, and those that a Mac adds to the application menu. */
const theSystems = new Set([
  'cut',
  'copy',
  'paste',
  'selectAll',
  'minimize',
  'services',
  'hide',
  'hideOthers',
]);

const entriesOf = (items: readonly MenuItemConstructorOptions[]): readonly MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? entriesOf(item.submenu) : [])]);

/** A menu's accelerator in the notation of the help. */
const combination = (accelerator: string): string =>
  accelerator.replace('CmdOrCtrl', 'Mod').replace('Cmd', 'Mod');

describe.each(['linux', 'darwin', 'win32'] as const)('the menu on %s', (platform) => {
  it('has a label for every entry, and the help lists every shortcut', async () => {
    for (const language of ['en', 'de', 'es'] as const) {
      const entries = entriesOf(menuTemplate(await Translator.load(language), actions, platform, state));
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

  it('has no role with a shortcut that the help does not list', async () => {
    const entries = entriesOf(menuTemplate(await Translator.load(), actions, platform, state));
    const withoutOwn = entries.filter(
      ({ role, accelerator }) => role !== undefined && accelerator === undefined,
    );
    const without = new Set(['about', 'help', 'window', 'unhide', 'front', ...theSystems]);
    expect(withoutOwn.map(({ role }) => String(role)).filter((role) => !without.has(role))).toEqual([]);
  });
});

/** A menu's entries by role or label. */
const entriesIn = (menu: MenuItemConstructorOptions | undefined): readonly string[] =>
  Array.isArray(menu?.submenu)
    ? menu.submenu.flatMap(({ type, role, label }) => (type === 'separator' ? [] : [role ?? label ?? '']))
    : [];

describe('each system has entries in its conventional menus', () => {
  it('a Mac in the application menu, with a window menu', async () => {
    const [own, file, ...others] = menuTemplate(await Translator.load(), actions, 'darwin', state);
    expect(own?.label).toBe('Longhand');
    expect(entriesIn(own)).toEqual([
      'about',
      'Settings…',
      'services',
      'hide',
      'hideOthers',
      'unhide',
      'quit',
    ]);
    expect(entriesIn(file)).toEqual([
      'Add recordings…',
      'Add folder…',
      'Open recent',
      'Import transcripts…',
      'Import folder of transcripts…',
      'Export…',
      'Back up library…',
      'Restore from backup…',
      'Show data folder',
      'close',
    ]);
    expect(others.map(({ role, label }) => role ?? label)).toEqual(['&Edit', '&View', 'window', 'help']);
    expect(entriesIn(others[3])).toEqual(['Keyboard shortcuts', 'Save log file…', 'Third-party licences']);
  });

  it.each(['linux', 'win32'] as const)('%s under File and Help', async (platform) => {
    const [file, ...others] = menuTemplate(await Translator.load(), actions, platform, state);
    expect(entriesIn(file)).toEqual([
      'Add recordings…',
      'Add folder…',
      'Open recent',
      'Import transcripts…',
      'Import folder of transcripts…',
      'Export…',
      'Back up library…',
      'Restore from backup…',
      'Settings…',
      'Show data folder',
      'close',
      'quit',
    ]);
    expect(others.map(({ role, label }) => role ?? label)).toEqual(['&Edit', '&View', 'help']);
    expect(entriesIn(others[2])).toEqual([
      'Keyboard shortcuts',
      'Save log file…',
      'Third-party licences',
      'about',
    ]);
  });

  it('with their shortcuts for full screen', async () => {
    const translator = await Translator.load();
    const wholeScreen = (platform: NodeJS.Platform): unknown =>
      entriesOf(menuTemplate(translator, actions, platform, state)).find(
        ({ role }) => role === 'togglefullscreen',
      )?.accelerator;
    expect(['darwin', 'linux', 'win32'].map((platform) => wholeScreen(platform as NodeJS.Platform))).toEqual([
      'Ctrl+Cmd+F',
      'F11',
      'F11',
    ]);
  });
});

it('every entry without a role calls its action', async () => {
  const translator = await Translator.load();
  const asked = vi.fn<(what: string, ...given: readonly unknown[]) => void>();
  const hear = (what: string) => (): void => asked(what);
  const heard: MenuActions = {
    addFiles: hear('addFiles'),
    addFolder: hear('addFolder'),
    library: (command) => asked('library', command),
    edit: (command) => asked('edit', command),
    clearRecent: hear('clearRecent'),
    goTo: (to) => asked('goTo', to),
    showShortcuts: hear('showShortcuts'),
    showDataFolder: hear('showDataFolder'),
    saveLog: hear('saveLog'),
    showLicences: hear('showLicences'),
  };
  for (const { click } of entriesOf(menuTemplate(translator, heard, 'linux', state))) {
    if (click !== undefined) Reflect.apply(click, null, []);
  }
  expect(asked.mock.calls).toEqual([
    ['addFiles'],
    ['addFolder'],
    ['goTo', { transcript: 7 }],
    ['goTo', { transcript: 3 }],
    ['clearRecent'],
    ['library', 'import'],
    ['library', 'importFolder'],
    ['library', 'export'],
    ['library', 'backUp'],
    ['library', 'restore'],
    ['goTo', 'settings'],
    ['showDataFolder'],
    ['edit', 'undo'],
    ['edit', 'redo'],
    ['library', 'replace'],
    ['goTo', 'queue'],
    ['goTo', 'library'],
    ['showShortcuts'],
    ['saveLog'],
    ['showLicences'],
  ]);
});

it('lists the transcripts that were opened last, and what needs a library only with one', async () => {
  const translator = await Translator.load();
  const file = (given: MenuState) => {
    const { submenu } = menuTemplate(translator, actions, 'linux', given)[0] ?? {};
    return Array.isArray(submenu) ? submenu : [];
  };
  const recent = file(state).find(({ label }) => label === 'Open recent');
  expect(entriesIn(recent)).toEqual(['Rock && roll', `${'x'.repeat(60)}…`, 'Clear list']);
  const disabled = (given: MenuState) =>
    file(given).flatMap(({ enabled, label }) => (enabled === false ? [label] : []));
  expect(disabled(state)).toEqual([]);
  expect(disabled({ ...state, recent: [] })).toEqual(['Open recent']);
  expect(disabled({ ...state, recent: [], isSetUp: false })).toEqual([
    'Open recent',
    'Import transcripts…',
    'Import folder of transcripts…',
    'Export…',
    'Back up library…',
    'Restore from backup…',
  ]);
});

it('offers nothing that would change what is behind a dialog', async () => {
  const entries = entriesOf(
    menuTemplate(await Translator.load(), actions, 'linux', { ...state, isModal: true }),
  );
  const enabled = entries.filter(({ click, enabled }) => click !== undefined && enabled !== false);
  // The first three are in a menu that is disabled.
  expect(enabled.map(({ label }) => label)).toEqual([
    'Rock && roll',
    `${'x'.repeat(60)}…`,
    'Clear list',
    'Show data folder',
    // They also undo in the fields of the dialog.
    'Undo',
    'Redo',
    'Third-party licences',
  ]);
});
