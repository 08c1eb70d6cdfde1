import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { Events } from '../contract/events.ts';

export interface MenuActions {
  readonly addFiles: () => void;
  readonly addFolder: () => void;
  readonly goTo: (to: Events['navigate']['to']) => void;
  readonly showDataFolder: () => void;
}

/** The native menu with the platform's own entries and shortcuts. */
export function setMenu(actions: MenuActions): void {
  const mac = process.platform === 'darwin';
  const settings: MenuItemConstructorOptions = {
    label: 'Settings…',
    accelerator: 'CmdOrCtrl+,',
    click: () => actions.goTo('settings'),
  };
  const template: MenuItemConstructorOptions[] = [
    ...(mac
      ? [
          {
            label: app.name,
            submenu: [
              { role: 'about' },
              { type: 'separator' },
              settings,
              { type: 'separator' },
              { role: 'hide' },
              { role: 'hideOthers' },
              { role: 'unhide' },
              { type: 'separator' },
              { role: 'quit' },
            ],
          } satisfies MenuItemConstructorOptions,
        ]
      : []),
    {
      label: '&File',
      submenu: [
        { label: 'Add recordings…', accelerator: 'CmdOrCtrl+O', click: actions.addFiles },
        { label: 'Add a folder…', accelerator: 'CmdOrCtrl+Shift+O', click: actions.addFolder },
        { type: 'separator' },
        ...(mac ? [] : [settings]),
        { label: 'Show the data folder', click: actions.showDataFolder },
        { type: 'separator' },
        { role: mac ? 'close' : 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        { label: 'Queue', accelerator: 'CmdOrCtrl+1', click: () => actions.goTo('queue') },
        { label: 'Library', accelerator: 'CmdOrCtrl+2', click: () => actions.goTo('library') },
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
      ],
    },
    { role: 'windowMenu' },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
