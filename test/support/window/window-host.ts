import { join, normalize } from 'node:path';
import { app, BrowserWindow, protocol } from 'electron';
import { pagePreferences } from '../../../electron/shell/pages/pages.ts';

// The program that the window tests start: an empty window and the pages under `app://`, served as in the real program,
// without a main process behind them. The window is rendered off screen, so that no display is needed.

const pages = process.argv.at(-1) ?? '';

protocol.registerSchemesAsPrivileged([
  { scheme: 'app', privileges: { standard: true, secure: true } },
  { scheme: 'media', privileges: { standard: true, secure: true, stream: true } },
]);

/** Creates a silent recording of 81 minutes. */
function silentRecording(): Buffer {
  const rate = 3000;
  const length = 4867 * rate;
  const file = Buffer.alloc(44 + length, 128);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + length, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write('data', 36);
  file.writeUInt32LE(length, 40);
  return file;
}

async function open(): Promise<void> {
  // Not awaited at the top: Electron is ready only once this module has run.
  await app.whenReady();
  // As the program does: with `protocol.handle` and `net.fetch`, requests sometimes failed with ERR_UNEXPECTED.
  protocol.registerFileProtocol('app', ({ url }, respond) =>
    respond({ path: join(pages, normalize(decodeURIComponent(new URL(url).pathname))) }),
  );
  protocol.handle('media', ({ headers }) => {
    const file = silentRecording();
    const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(headers.get('range') ?? '') ?? [];
    const start = Number(from);
    const end = to === '' ? file.length : Math.min(file.length, Number(to) + 1);
    return new Response(new Uint8Array(file.subarray(start, end)), {
      status: 206,
      headers: {
        'content-type': 'audio/wav',
        'accept-ranges': 'bytes',
        'content-length': String(end - start),
        'content-range': `bytes ${start}-${end - 1}/${file.length}`,
      },
    });
  });
  const window = new BrowserWindow({
    show: false,
    width: 1280,
    height: 820,
    webPreferences: { ...pagePreferences, offscreen: true },
  });
  // Opening a page and clicking wait for frames; Chromium's default here is 60 in a second.
  window.webContents.setFrameRate(240);
  await window.loadURL('about:blank');
}

void open();
