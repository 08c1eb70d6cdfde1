import type { MenuItemConstructorOptions } from 'electron';
import type { Events } from '../../contract/events.ts';
import type { TranscriptId } from '../../contract/identifiers.ts';
import type { Translator } from '../../core/translator.ts';

export interface MenuActions {
  readonly addFiles: () => void;
  readonly addFolder: () => void;
  readonly library: (command: Events['libraryCommand']) => void;
  readonly edit: (command: Events['editCommand']) => void;
  readonly clearRecent: () => void;
  readonly goTo: (to: Events['navigate']['to']) => void;
  readonly showShortcuts: () => void;
  readonly showDataFolder: () => void;
  readonly saveLog: () => void;
  readonly showLicences: () => void;
}

/** What the menu depends on. */
export interface MenuState {
  /** The recently opened transcripts, the latest first. */
  readonly recent: readonly { readonly id: TranscriptId; readonly name: string }[];
  /** Whether a service was chosen; before that, the window shows only the welcome screen. */
  readonly isSetUp: boolean;
  /** Whether a modal dialog is open. Then there are no entries that would change what is behind it. */
  readonly isModal: boolean;
}

/** Roles with labels of ours, since the system would label them in its own language rather than in the window's. */
const roles = {
  cut: 'cut',
  copy: 'copy',
  paste: 'paste',
  selectAll: 'selectAll',
  resetZoom: 'resetZoom',
  zoomIn: 'zoomIn',
  zoomOut: 'zoomOut',
  fullScreen: 'togglefullscreen',
  minimise: 'minimize',
  close: 'close',
  about: 'about',
  services: 'services',
  hide: 'hide',
  hideOthers: 'hideOthers',
  showAll: 'unhide',
  front: 'front',
  quit: 'quit',
} as const satisfies Record<string, MenuItemConstructorOptions['role']>;

/** Returns the native menu with the platform's own entries and shortcuts, in the window's language. */
export function menuTemplate(
  translator: Translator,
  actions: MenuActions,
  platform: NodeJS.Platform,
  { recent, isSetUp, isModal }: MenuState,
): readonly MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin';
  const menuText = (key: string): string => translator.translate(`menu.${key}`);
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const entry = (key: string, click: () => void, accelerator?: string): MenuItemConstructorOptions => ({
    label: menuText(key),
    click,
    ...(accelerator === undefined ? {} : { accelerator }),
  });
  /** An entry that changes what the window shows. */
  const windowEntry = (...args: Parameters<typeof entry>): MenuItemConstructorOptions => ({
    ...entry(...args),
    enabled: !isModal,
  });
  const role = (name: keyof typeof roles, accelerator?: string): MenuItemConstructorOptions => ({
    role: roles[name],
    label: menuText(name),
    ...(accelerator === undefined ? {} : { accelerator }),
  });
  // The list of shortcuts names these: they are the same on every platform.
  const quit = role('quit', 'CmdOrCtrl+Q');
  const close = role('close', 'CmdOrCtrl+W');
  const settings = windowEntry('settings', () => actions.goTo('settings'), 'CmdOrCtrl+,');

  const libraryEntry = (
    command: Events['libraryCommand'],
    accelerator?: string,
  ): MenuItemConstructorOptions => ({
    ...entry(command, () => actions.library(command), accelerator),
    enabled: isSetUp && !isModal,
  });
  /**
   * An entry that does what its key does. It has no role, because a role would act on text fields only; elsewhere the
   * window handles the key, and only a Mac needs the menu for it in text fields.
   */
  const editEntry = (command: Events['editCommand'], accelerator: string): MenuItemConstructorOptions => ({
    ...entry(command, () => actions.edit(command), accelerator),
    registerAccelerator: isMac,
  });
  const openRecent: MenuItemConstructorOptions = {
    label: menuText('openRecent'),
    enabled: isSetUp && !isModal && recent.length > 0,
    submenu: [
      ...recent.map(({ id, name }) => ({
        label: menuLabel(name),
        click: () => actions.goTo({ transcript: id }),
      })),
      separator,
      entry('clearRecent', actions.clearRecent),
    ],
  };

  return [
    ...(isMac
      ? [
          {
            label: 'Longhand',
            submenu: [
              role('about'),
              separator,
              settings,
              separator,
              role('services'),
              separator,
              role('hide'),
              role('hideOthers'),
              role('showAll'),
              separator,
              quit,
            ],
          },
        ]
      : []),
    {
      label: menuText('file'),
      submenu: [
        windowEntry('addFiles', actions.addFiles, 'CmdOrCtrl+O'),
        windowEntry('addFolder', actions.addFolder, 'CmdOrCtrl+Shift+O'),
        openRecent,
        separator,
        libraryEntry('import'),
        libraryEntry('importFolder'),
        libraryEntry('export', 'CmdOrCtrl+E'),
        libraryEntry('backUp'),
        libraryEntry('restore'),
        separator,
        ...(isMac ? [] : [settings]),
        entry('showData', actions.showDataFolder),
        separator,
        close,
        ...(isMac ? [] : [quit]),
      ],
    },
    {
      label: menuText('edit'),
      submenu: [
        editEntry('undo', 'CmdOrCtrl+Z'),
        editEntry('redo', 'CmdOrCtrl+Shift+Z'),
        separator,
        role('cut'),
        role('copy'),
        role('paste'),
        role('selectAll'),
        separator,
        libraryEntry('replace', 'CmdOrCtrl+Shift+H'),
      ],
    },
    {
      label: menuText('view'),
      submenu: [
        windowEntry('queue', () => actions.goTo('queue'), 'CmdOrCtrl+1'),
        windowEntry('library', () => actions.goTo('library'), 'CmdOrCtrl+2'),
        separator,
        role('resetZoom', 'CmdOrCtrl+0'),
        role('zoomIn', 'CmdOrCtrl+Plus'),
        role('zoomOut', 'CmdOrCtrl+-'),
        role('fullScreen', isMac ? 'Ctrl+Cmd+F' : 'F11'),
      ],
    },
    ...(isMac
      ? [{ label: menuText('window'), role: 'window' as const, submenu: [role('minimise'), role('front')] }]
      : []),
    {
      label: menuText('help'),
      role: 'help',
      submenu: [
        windowEntry('shortcuts', actions.showShortcuts, 'F1'),
        windowEntry('saveLog', actions.saveLog),
        entry('licences', actions.showLicences),
        ...(isMac ? [] : [separator, role('about')]),
      ],
    },
  ];
}

/** Longest name of a transcript in the menu, in characters. */
const maxLabelLength = 60;

/** Returns a name as a menu shows it: short, and with each `&` doubled, since a single one underlines the next letter. */
function menuLabel(name: string): string {
  const short = name.length > maxLabelLength ? `${name.slice(0, maxLabelLength).trimEnd()}…` : name;
  return short.replaceAll('&', '&&');
}
