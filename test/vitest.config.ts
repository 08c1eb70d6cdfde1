import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = resolve(import.meta.dirname, '..');

/** How long a condition may take to come true, in milliseconds: it ends tests that hang, and is no measure of speed. */
const patience = 20_000;

/** The suites; each is a folder beside this file. Window tests drive a whole program each, one after the other. */
export default defineConfig({
  root,
  test: {
    pool: 'forks',
    setupFiles: ['test/property-seed.ts'],
    expect: { poll: { timeout: patience } },
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['test/{unit,contract,renderer,faults,simulation}/**/*.test.{ts,tsx}'],
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/{service,kill}/**/*.test.ts'],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
