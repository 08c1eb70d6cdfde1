import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * Sixty-four b-trees of one size were merged in one go within whatever commit made the last of them. That is over at
 * once for those of a few rows, but of larger ones, which gather while a library is taken into the search, it held
 * everything up for nearly half a second. `store/library/index-merging.ts` is given enough time now to keep each size
 * well below that, and has four times the room if it does not.
 *
 * https://www.sqlite.org/fts5.html#the_crisismerge_configuration_option
 */
export const noCrises: Migration = {
  version: 29,
  sql: `INSERT INTO search (search, rank) VALUES ('crisismerge', 256);`,
};
