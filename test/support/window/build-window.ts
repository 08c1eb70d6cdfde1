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
 * How the pages are built. `split`: as they ship; `joined`: the script is one file. Each test opens the window again, and
 * to load 60 files takes a third of that time.
 */
export type Chunks = 'split' | 'joined';

/**
 * Builds the window's pages, plus a pseudo-locale. Test files share a build as long as its sources stay unchanged.
 *
 * @returns The folder that contains `index.html`.
 */
export async function buildWindow(chunks: Chunks): Promise<string> {
  const digest = digestOf(sources).slice(0, 16);
  const folder = join(cache, `${digest}-${chunks}`);
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
        rolldownOptions: { output: { codeSplitting: chunks === 'split' } },
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
    if (!other.startsWith(digest) && !other.startsWith('building-'))
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
