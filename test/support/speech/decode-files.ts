import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { decoderChannel } from '../../../electron/contract/decoder-protocol.ts';
import type { DecodedFile } from './decoder-host.ts';

const root = new URL('../../../', import.meta.url);

/** Builds the decoder page into a folder. */
export async function buildDecoderPage(folder: string): Promise<void> {
  await build({
    configFile: false,
    root: new URL('renderer', root).pathname,
    base: './',
    logLevel: 'error',
    build: {
      outDir: join(folder, 'page'),
      rolldownOptions: { input: new URL('renderer/decoder/index.html', root).pathname },
    },
  });
  await writeFile(
    join(folder, 'preload.cjs'),
    `const { ipcRenderer } = require('electron');
     ipcRenderer.on('${decoderChannel}', (event) => window.postMessage('${decoderChannel}', '*', event.ports));`,
  );
}

/**
 * Decodes files with the real page in a real Electron, without a display where the system allows that, and with ffmpeg
 * where a path is given.
 *
 * @param folder where the page was built
 * @returns the result for each file, by name
 */
export async function decodeFiles(
  folder: string,
  paths: readonly string[],
  ffmpeg = 'there-is-no-such-ffmpeg',
): Promise<ReadonlyMap<string, DecodedFile>> {
  const { ELECTRON_RUN_AS_NODE: _, ...environment } = process.env;
  const switches =
    process.platform === 'linux' ? ['--ozone-platform=headless', '--no-sandbox', '--disable-gpu'] : [];
  const program = new URL('test/support/speech/decoder-host.ts', root).pathname;
  const page = join(folder, 'page/decoder/index.html');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...switches, program, page, join(folder, 'preload.cjs'), ffmpeg, ...paths],
    { env: environment },
  );
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  const results = lines.map((line): DecodedFile => JSON.parse(line));
  return new Map(results.map((result) => [basename(result.file), result]));
}
