import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { workerSources } from '../electron/workers/registry.ts';

const root = resolve(import.meta.dirname, '..');
const inCheckout = (path: string): string => resolve(root, path);

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** Returns a module and everything that it imports. */
function findModules(entry: string, modules: Modules): ReadonlySet<string> {
  const ids = new Set([entry]);
  for (const id of ids) modules.getModuleInfo(id)?.importedIds.forEach((other) => ids.add(other));
  return ids;
}

/** The modules that each page loads at once; found when they are first asked for. */
let windowModules: ReadonlySet<string> | null = null;
let decoderModules: ReadonlySet<string> | null = null;

/**
 * The window consists of few files, because each one is requested separately: the first frame's code, what several lazy
 * parts share, and each lazy part.
 */
const windowParts = [
  {
    // The decoder's page must not run the code of the window.
    name: (id: string, modules: Modules): string | null => {
      windowModules ??= findModules(inCheckout('renderer/main.tsx'), modules);
      decoderModules ??= findModules(inCheckout('renderer/decoder/decoder-entry.ts'), modules);
      return windowModules.has(id) && decoderModules.has(id) ? 'both-pages' : null;
    },
    priority: 3,
  },
  {
    name: (id: string, modules: Modules): string | null =>
      (windowModules ??= findModules(inCheckout('renderer/main.tsx'), modules)).has(id) ? 'first' : null,
    priority: 2,
  },
  { name: 'shared', test: /renderer|base-ui|floating-ui/, minShareCount: 2, priority: 1 },
];

const workerEntries = Object.fromEntries(
  Object.entries(workerSources).map(([name, source]) => [`${name}-worker`, inCheckout(`electron/${source}`)]),
);

/** Builds the three programs of Longhand into `out/`: the main process with its helpers, the preload, the pages. */
export default defineConfig({
  main: {
    root,
    build: {
      outDir: inCheckout('out/main'),
      // Packages that are bundled although they run in the main process (commander, electron-store, fast-xml-parser,
      // mediabunny, undici, zod): resolving a package of many files on the disk makes the start slower.
      rolldownOptions: {
        input: {
          main: inCheckout('electron/main.ts'),
          'on-device': inCheckout('electron/on-device/service-process.ts'),
          speakers: inCheckout('electron/on-device/speakers/speaker-process.ts'),
          ...workerEntries,
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  preload: {
    root,
    build: {
      outDir: inCheckout('out/preload'),
      // A sandboxed preload script cannot load a chunk of its own.
      isolatedEntries: true,
      externalizeDeps: false,
      rolldownOptions: {
        input: {
          preload: inCheckout('electron/preload.ts'),
          'decoder-preload': inCheckout('electron/decoder-preload.ts'),
        },
        // A sandboxed preload script cannot be an ES module.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: inCheckout('renderer'),
    plugins: [react()],
    // The icons of the window and the tray are next to the pages.
    publicDir: inCheckout('resources/icons'),
    build: {
      outDir: inCheckout('out/renderer'),
      emptyOutDir: true,
      minify: true,
      rolldownOptions: {
        input: {
          window: inCheckout('renderer/index.html'),
          decoder: inCheckout('renderer/decoder/index.html'),
        },
        output: { codeSplitting: { groups: windowParts } },
      },
    },
  },
});
