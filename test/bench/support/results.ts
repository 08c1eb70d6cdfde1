import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '../../../.cache/bench');

/** Saves results as `.cache/bench/NAME.json`. */
export function saveResults(name: string, results: unknown): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(resolve(folder, `${name}.json`), `${JSON.stringify(results, null, 2)}\n`);
}
