import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = resolve(import.meta.dirname, '..');

/** How long a condition may take to become true, in milliseconds. It ends tests that hang and measures nothing. */
const patience = 20_000;

const all = 'test/**/*.test.{ts,tsx}';
const long = 'test/**/*.long.test.{ts,tsx}';
const longWindows = 'test/renderer/window/*.long.test.ts';

/** Tests that replace a module: in a shared process, others would find it replaced in what is loaded already. */
const replacing = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file.replaceAll('\\', '/')}`)
  .filter((file) => readFileSync(resolve(root, file), 'utf8').includes('vi.mock('));

/**
 * Tests that load ONNX Runtime, which no thread can load once all that did have ended, that start programs, or that replace a
 * module.
 */
const isolated = [
  ...replacing,
  'test/{bench,e2e,kill,service}/**/*.test.ts',
  'test/unit/on-device/**/*.test.ts',
  'test/unit/core/library/{remembered-voices,speaker-identification}.test.ts',
];

/**
 * `npm test` runs the projects that begin with `main`; `npm run test:all` adds those that begin with `long`. The files of
 * `main` and `long-windows` share the processes of vitest: to start one and load its modules costs more than most files
 * do.
 */
export default defineConfig({
  root,
  test: {
    pool: 'forks',
    // Two files at a time, even on two cores: window tests mostly wait for the window.
    maxWorkers: 2,
    globalSetup: 'test/installed-program.ts',
    setupFiles: ['test/property-seed.ts', 'test/worker-display.ts'],
    expect: { poll: { timeout: patience } },
    testTimeout: 240_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'main', isolate: false, include: [all], exclude: [long, ...isolated] } },
      { extends: true, test: { name: 'main-isolated', include: isolated, exclude: [long] } },
      { extends: true, test: { name: 'long-windows', isolate: false, include: [longWindows] } },
      { extends: true, test: { name: 'long', include: [long], exclude: [longWindows] } },
    ],
  },
});
