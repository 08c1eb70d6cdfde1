import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** The tests of one group of mutants only; `scripts/mutants.mjs` names them. */
const include: readonly string[] = JSON.parse(process.env['LONGHAND_MUTANT_TESTS'] ?? '[]');

export default defineConfig({
  ...config,
  test: { ...config.test, projects: [{ extends: true, test: { name: 'main', include: [...include] } }] },
});
