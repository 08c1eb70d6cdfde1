import type { Migration } from '../../../sqlite/open-database.ts';

/** Keys of a stored state that have new names, with the value where that changes too. */
const replacements = [
  ['"ticket":', '"request":'],
  ['"doubt":"adopt"', '"recheck":"resume"'],
  ['"doubt":"renew"', '"recheck":"replace"'],
  ['"doubt":', '"recheck":'],
] as const;

/**
 * The column `state` of schema 31, selected from an older one. Keys are replaced as text: within a JSON string
 * quotation marks are escaped, so only keys match.
 */
const state = replacements.reduce((sql, [old, name]) => `replace(${sql}, '${old}', '${name}')`, 'state');

/** Columns of the table `items` in schema 31, with what they are selected from in an older one. */
export const renamedColumns = { request_count: 'tickets', folder_label: 'place', state } as const;

/**
 * Renames `tickets` to `request_count`, `place` to `folder_label`, and in the stored state `ticket` to `request` and
 * `doubt` to `recheck`.
 */
export const requestNames: Migration = {
  version: 31,
  sql: `
    ALTER TABLE items RENAME COLUMN tickets TO request_count;
    ALTER TABLE items RENAME COLUMN place TO folder_label;
    UPDATE items SET state = ${state} WHERE instr(state, '"ticket":');
  `,
};
