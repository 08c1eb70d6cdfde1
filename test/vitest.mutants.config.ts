import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** The tests of one group of mutants only; `scripts/mutants.mjs` names them. One with `!` excludes files. */
const patterns: readonly string[] = JSON.parse(process.env['LONGHAND_MUTANT_TESTS'] ?? '[]');
const include = patterns.filter((pattern) => !pattern.startsWith('!'));
const exclude = patterns.flatMap((pattern) => (pattern.startsWith('!') ? pattern.slice(1) : []));

export default defineConfig({
  ...config,
  test: { ...config.test, projects: [{ extends: true, test: { name: 'main', include, exclude } }] },
});
