import { BrowserWindow, nativeTheme } from 'electron';
import type { Settings } from '../contract/model/settings.ts';
import { pageOrigin } from './pages.ts';

const windowUrl = `${pageOrigin}/index.html`;

/** Background of the page before it is painted, in both themes: `--paper` of the design tokens. */
const paper = { light: '#fbfaf8', dark: '#191817' };

/** Opens the one window, shown once it has something to show. */
export function openWindow(preload: string, theme: Settings['theme']): BrowserWindow {
  nativeTheme.themeSource = theme;
  const window = new BrowserWindow({
    width: 1280,
    height: 820,
    minWidth: 720,
    minHeight: 480,
    title: 'Longhand',
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? paper.dark : paper.light,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  });
  window.once('ready-to-show', () => window.show());
  // What the page shows is in the main process: a page that crashed comes back with nothing lost.
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit') void window.loadURL(windowUrl);
  });
  void window.loadURL(windowUrl);
  return window;
}
