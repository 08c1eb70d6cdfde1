import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../contract/identifiers.ts';
import { foldCase } from '../../contract/unicode.ts';
import { titleOf } from '../media/media-type.ts';
import { LibraryStore } from '../store/library/library-store.ts';
import { allMatching } from './search/matching-transcripts.ts';
import { parseQuery } from './search/search-query.ts';

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
  /** Names that no transcript has. */
  readonly unknown: readonly string[];
}

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
  return {
    ids: [...new Set(names.flatMap((name) => [...(idsOf.get(keyOf(name)) ?? [])]))],
    unknown: names.filter((name) => !idsOf.has(keyOf(name))),
  };
}

/** Returns the same key for names that look the same; systems encode accents differently. */
const keyOf = (name: string): string => foldCase(name.trim());
