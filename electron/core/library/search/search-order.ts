import type Database from 'better-sqlite3';
import type { SegmentId, TranscriptId } from '../../../contract/identifiers.ts';
import type { TextRange } from '../../../contract/library-commands.ts';
import type { LibrarySort } from '../../../contract/choices.ts';

/** A matching passage. */
export interface FoundPassage {
  /** `null` in a text without times, like `start`. */
  readonly segment: SegmentId | null;
  /** Seconds from the start of the recording. */
  readonly start: number | null;
  /** Its position in a text without times. */
  readonly range?: TextRange;
  readonly text: string;
  readonly marks: readonly TextRange[];
  readonly score: number;
}

/** A transcript that matches a search, with its matches. */
export interface FoundTranscript {
  readonly id: TranscriptId;
  readonly nameMarks: readonly TextRange[];
  readonly nameScore: number;
  readonly passages: FoundPassage[];
}

/** Returns a matching transcript without its matches, which are not read yet. */
export const withoutMatches = (id: TranscriptId): FoundTranscript => ({
  id,
  nameMarks: [],
  nameScore: 0,
  passages: [],
});

interface SortKey {
  readonly id: number;
  readonly name: string;
  readonly created_at: number;
  readonly duration_seconds: number | null;
}

/** Matches in a name weigh more: it is short and was chosen. */
const nameWeight = 3;

/** Sorts found transcripts; equal ones by date, newest first. */
export function sortFound(
  database: Database.Database,
  found: readonly FoundTranscript[],
  sort: LibrarySort,
): readonly FoundTranscript[] {
  const keys = new Map(
    database
      .prepare<[string], SortKey>(
        `SELECT id, name, created_at, duration_seconds FROM transcripts
         WHERE id IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(found.map(({ id }) => id)))
      .map((key) => [key.id, key]),
  );
  const collator = new Intl.Collator(undefined, { numeric: true });
  return found
    .flatMap((one) => {
      const key = keys.get(one.id);
      return key === undefined ? [] : [{ one, key, weight: sort === 'relevance' ? weightOf(one) : 0 }];
    })
    .sort(({ key: a, weight: weightA }, { key: b, weight: weightB }) => {
      const newest = b.created_at - a.created_at || b.id - a.id;
      switch (sort) {
        case 'relevance':
          return weightB - weightA || newest;
        case 'newest':
          return newest;
        case 'oldest':
          return -newest;
        case 'name':
          return collator.compare(a.name, b.name) || newest;
        case 'longest':
          return (b.duration_seconds ?? 0) - (a.duration_seconds ?? 0) || newest;
      }
    })
    .map(({ one }) => one);
}

/** The best passage decides; further ones add a little. */
function weightOf({ nameScore, passages }: FoundTranscript): number {
  const best = passages.reduce((most, { score }) => Math.max(most, score), 0);
  return nameWeight * nameScore + best * (1 + 0.15 * Math.log1p(passages.length));
}
