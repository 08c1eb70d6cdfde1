import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

const schema = JSON.parse(readFileSync('docs/command-line.schema.json', 'utf8')) as object;
// Stricter than for readers of the lines, who must ignore unknown fields: each field is in the document.
const isValid = new Ajv2020({ allErrors: false, allowUnionTypes: true }).compile({
  ...schema,
  unevaluatedProperties: false,
});

/**
 * Parses what a command prints with `--json`.
 *
 * @throws Error when a line is not as `docs/command-line.schema.json` says.
 */
export function jsonLines(output: string): readonly Readonly<Record<string, unknown>>[] {
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const value = JSON.parse(line) as Record<string, unknown>;
      if (!isValid(value)) throw new Error(`not in the schema: ${line}`);
      return value;
    });
}
