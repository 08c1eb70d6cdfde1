import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = resolve(import.meta.dirname, '..');

/** How long a condition may take to become true, in milliseconds. It ends tests that hang and measures nothing. */
const patience = 20_000;

const all = 'test/**/*.test.{ts,tsx}';
const long = 'test/**/*.long.test.{ts,tsx}';

/** `main` is what `npm test` runs; `npm run test:all` adds `long`. */
export default defineConfig({
  root,
  test: {
    pool: 'forks',
    // Two files at a time, also on two cores: window tests mostly wait for the window.
    maxWorkers: 2,
    globalSetup: 'test/installed-program.ts',
    setupFiles: ['test/property-seed.ts', 'test/worker-display.ts'],
    expect: { poll: { timeout: patience } },
    testTimeout: 240_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'main', include: [all], exclude: [long] } },
      { extends: true, test: { name: 'long', include: [long] } },
    ],
  },
});
