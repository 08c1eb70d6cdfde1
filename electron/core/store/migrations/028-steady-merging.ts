import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * The search index no longer merges its b-trees within whatever commit has filled them, hundreds of pages in one go:
 * `store/library/index-merging.ts` does, a few pages at a time. Sixteen of one size become one, which writes each page
 * a third as often as four would. What a large edit leaves, a b-tree for each of its rows, is still merged within it,
 * 64 at a time: an index can have 2,000 of them at most.
 *
 * https://www.sqlite.org/fts5.html#the_automerge_configuration_option
 */
export const steadyMerging: Migration = {
  version: 28,
  sql: `
    INSERT INTO search (search, rank) VALUES ('automerge', 0);
    INSERT INTO search (search, rank) VALUES ('usermerge', 16);
    INSERT INTO search (search, rank) VALUES ('crisismerge', 64);
  `,
};
