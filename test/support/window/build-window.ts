import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';
import { digestOf } from '../../../scripts/setup/build-program.mjs';

const project = resolve(import.meta.dirname, '../../..');
const cache = join(project, '.cache/window-pages');
const sources = [
  'electron/contract',
  'electron/core',
  'renderer',
  'resources/locales',
  'test/support/window',
  'package-lock.json',
];

/**
 * Builds the window's pages as they ship, plus a pseudo-locale, with the script in one file: each test opens the window
 * again, and 60 files take a third of that time. Test files share a build as long as its sources stay
 * unchanged.
 *
 * @returns The folder that contains `index.html`.
 */
export async function buildWindow(): Promise<string> {
  const name = digestOf(sources).slice(0, 16);
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const outDir = await mkdtemp(join(cache, 'building-'));
  // The test runner's own mode would build React for development.
  const mode = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await build({
      configFile: false,
      root: join(project, 'renderer'),
      logLevel: 'error',
      plugins: [react(), pseudoLocale],
      build: {
        outDir,
        emptyOutDir: true,
        target: 'esnext',
        rolldownOptions: { output: { codeSplitting: false } },
      },
    });
  } finally {
    if (mode === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = mode;
  }
  try {
    await rename(outDir, folder);
  } catch (error) {
    // Another test file was faster.
    if (!existsSync(folder)) throw error;
    await rm(outDir, { recursive: true });
  }
  for (const other of await readdir(cache)) {
    if (other !== name && !other.startsWith('building-'))
      await rm(join(cache, other), { recursive: true, force: true });
  }
  return folder;
}

/** Adds a right-to-left language to the page; see `pseudo-locale.ts`. */
const pseudoLocale: Plugin = {
  name: 'pseudo-locale',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source.endsWith('/load-locale.ts') && importer?.endsWith('/pseudo-locale.ts') === false
      ? resolve(import.meta.dirname, 'pseudo-locale.ts')
      : null,
};
