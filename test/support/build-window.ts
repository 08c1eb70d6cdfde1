import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

/**
 * Builds the window's page, as it ships, into a folder of its own.
 *
 * @returns the folder that holds `index.html`.
 */
export async function buildWindow(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'longhand-window-'));
  // The test runner's own mode would build the page for development.
  const mode = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await build({
      configFile: false,
      root: resolve(import.meta.dirname, '../../renderer'),
      logLevel: 'error',
      plugins: [react()],
      build: { outDir, emptyOutDir: true, target: 'esnext' },
    });
  } finally {
    if (mode === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = mode;
  }
  return outDir;
}
