import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../contract/identifiers.ts';
import type { LibraryView } from '../../contract/library-commands.ts';
import { foldCase } from '../../contract/unicode.ts';
import { titleOf } from '../media/media-type.ts';
import { LibraryStore } from '../store/library/library-store.ts';
import { LibrarySearcher } from './search/library-searcher.ts';
import { allMatching } from './search/matching-transcripts.ts';
import { parseQuery } from '../transcript/search/search-query.ts';

/** A choice of transcripts; those in the trash are never included. */
export type TranscriptChoice =
  | {
      readonly kind: 'found';
      /** As typed into the library's search; empty for all. */
      readonly query: string;
      /** Only those that have this tag; `null` for all. */
      readonly tag: string | null;
    }
  /** By name, ignoring case, with or without the extension of the recording. */
  | { readonly kind: 'named'; readonly names: readonly string[] };

export interface ChosenTranscripts {
  /** Newest first, or in the order in which they were named. */
  readonly ids: readonly TranscriptId[];
  readonly unknown: readonly UnknownName[];
}

/** A name that no transcript has. */
export interface UnknownName {
  readonly name: string;
  /** At most three names that have its words, or similar ones. */
  readonly similar: readonly string[];
}

const maxSimilarNames = 3;
/** Transcripts whose names are compared. */
const maxNamesCompared = 50;

/** Finds the chosen transcripts, on a read-only connection. */
export function chooseTranscripts(database: Database.Database, choice: TranscriptChoice): ChosenTranscripts {
  if (choice.kind === 'named') return findByName(database, choice.names);
  const query = parseQuery(choice.query);
  const { tag } = choice;
  const ids = new LibraryStore(database).ids({ query: '', tag, sort: 'newest', trash: false });
  if (query.required.length === 0) return { ids, unknown: [] };
  const matching = allMatching(database, { tag, trash: false }, query);
  return { ids: ids.filter((id) => matching.has(id)), unknown: [] };
}

function findByName(database: Database.Database, names: readonly string[]): ChosenTranscripts {
  const all = database
    .prepare<[], { id: TranscriptId; name: string }>(
      'SELECT id, name FROM transcripts WHERE trashed_at IS NULL ORDER BY created_at DESC, id DESC',
    )
    .all();
  const idsOf = new Map<string, Set<TranscriptId>>();
  for (const { id, name } of all) {
    for (const key of [keyOf(name), keyOf(titleOf(name))]) {
      idsOf.set(key, (idsOf.get(key) ?? new Set()).add(id));
    }
  }
  const unknown = names.filter((name) => !idsOf.has(keyOf(name)));
  return {
    ids: [...new Set(names.flatMap((name) => [...(idsOf.get(keyOf(name)) ?? [])]))],
    unknown: unknown.length === 0 ? [] : withSimilarNames(database, unknown),
  };
}

function withSimilarNames(database: Database.Database, names: readonly string[]): readonly UnknownName[] {
  const searcher = new LibrarySearcher(database);
  return names.map((name) => ({ name, similar: similarNames(searcher, name) }));
}

function similarNames(searcher: LibrarySearcher, name: string): readonly string[] {
  const search = (query: string): LibraryView =>
    searcher.list(
      { query, tag: null, sort: 'relevance', trash: false },
      { offset: 0, limit: maxNamesCompared, all: false },
      () => undefined,
    );
  const { rows, similar } = search(name);
  const found = rows.length > 0 || similar[0] === undefined ? rows : search(similar[0].query).rows;
  const names = found.filter(({ nameMarks }) => nameMarks.length > 0).map((row) => row.name);
  return [...new Set(names)].slice(0, maxSimilarNames);
}

/** Returns the same key for names that look the same; systems encode accents differently. */
const keyOf = (name: string): string => foldCase(name.trim());
