import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { workerSources } from '../electron/workers/registry.ts';

const root = resolve(import.meta.dirname, '..');
const at = (path: string): string => resolve(root, path);

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** Returns a module and everything that it imports. */
function loadedWith(entry: string, modules: Modules): ReadonlySet<string> {
  const found = new Set([entry]);
  for (const id of found) modules.getModuleInfo(id)?.importedIds.forEach((other) => found.add(other));
  return found;
}

let first: ReadonlySet<string> | null = null;
let ofDecoder: ReadonlySet<string> | null = null;

/**
 * The window consists of few files, because each one is requested separately: the first frame's code, what several lazy
 * parts share, and each lazy part.
 */
const windowParts = [
  {
    // The decoder's page must not run the code of the window.
    name: (id: string, modules: Modules): string | null => {
      first ??= loadedWith(at('renderer/main.tsx'), modules);
      ofDecoder ??= loadedWith(at('renderer/decoder/decoder-entry.ts'), modules);
      return first.has(id) && ofDecoder.has(id) ? 'both-pages' : null;
    },
    priority: 3,
  },
  {
    name: (id: string, modules: Modules): string | null =>
      (first ??= loadedWith(at('renderer/main.tsx'), modules)).has(id) ? 'first' : null,
    priority: 2,
  },
  { name: 'shared', test: /renderer|base-ui|floating-ui/, minShareCount: 2, priority: 1 },
];

const workerEntries = Object.fromEntries(
  Object.entries(workerSources).map(([name, source]) => [`${name}-worker`, at(`electron/${source}`)]),
);

/** Builds the three programs of Longhand into `out/`: the main process with its helpers, the preload, the pages. */
export default defineConfig({
  main: {
    root,
    build: {
      outDir: at('out/main'),
      // Packages that are bundled although they run in the main process (commander, electron-store, fast-xml-parser,
      // mediabunny, undici, zod): resolving a package of many files on the disk makes the start slower.
      rolldownOptions: {
        input: {
          main: at('electron/main.ts'),
          'on-device': at('electron/on-device/service-process.ts'),
          speakers: at('electron/on-device/speakers/speaker-process.ts'),
          ...workerEntries,
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  preload: {
    root,
    build: {
      outDir: at('out/preload'),
      // A sandboxed preload script cannot load a chunk of its own.
      isolatedEntries: true,
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: at('electron/preload.ts'), 'decoder-preload': at('electron/decoder-preload.ts') },
        // A sandboxed preload script cannot be an ES module.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('renderer'),
    plugins: [react()],
    // The icons of the window and the tray are next to the pages.
    publicDir: at('resources/icons'),
    build: {
      outDir: at('out/renderer'),
      emptyOutDir: true,
      minify: true,
      rolldownOptions: {
        input: { window: at('renderer/index.html'), decoder: at('renderer/decoder/index.html') },
        output: { codeSplitting: { groups: windowParts } },
      },
    },
  },
});
