import type { Migration } from '../../../sqlite/open-database.ts';

/**
 * The search index no longer merges its b-trees within the commit that fills them, hundreds of pages at once;
 * `store/library/search-index.ts` merges a few pages at a time. Merging sixteen b-trees of one size at once, instead of
 * four, rewrites each page less often. A large edit leaves a b-tree for each of its rows; these are still
 * merged within its commit, 64 at a time, because an index can have at most 2,000.
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
