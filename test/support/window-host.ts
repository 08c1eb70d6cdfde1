import { join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app, BrowserWindow, net, protocol } from 'electron';

// The program that the window tests start: an empty window and the pages under `app://`, as the real program serves
// them, without anything behind it. The window is drawn off screen, so that no display is needed.

const pages = process.argv.at(-1) ?? '';

protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }]);

async function open(): Promise<void> {
  // Not awaited at the top: Electron is ready only once this module has run.
  await app.whenReady();
  protocol.handle('app', ({ url }) => {
    const path = normalize(decodeURIComponent(new URL(url).pathname));
    return net.fetch(pathToFileURL(join(pages, path)).href);
  });
  const window = new BrowserWindow({
    show: false,
    width: 1280,
    height: 820,
    webPreferences: { offscreen: true, sandbox: true, contextIsolation: true },
  });
  await window.loadURL('about:blank');
}

void open();
