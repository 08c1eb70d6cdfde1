import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';

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
      root: resolve(import.meta.dirname, '../../../renderer'),
      logLevel: 'error',
      plugins: [react(), pseudoLocale],
      build: { outDir, emptyOutDir: true, target: 'esnext' },
    });
  } finally {
    if (mode === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = mode;
  }
  return outDir;
}

/** The page can be told to speak a language that runs from right to left; see `pseudo-locale.ts`. */
const pseudoLocale: Plugin = {
  name: 'pseudo-locale',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source.endsWith('/load-locale.ts') && importer?.endsWith('/pseudo-locale.ts') === false
      ? resolve(import.meta.dirname, 'pseudo-locale.ts')
      : null,
};
