import type Database from 'better-sqlite3';
import type { SegmentId, TranscriptId } from '../../../contract/identifiers.ts';
import type { TextRange } from '../../../contract/library.ts';
import type { LibrarySort } from '../../../contract/choices.ts';

/** What was found of a transcript. */
export interface FoundPassage {
  /** `null` in a text without times, as are their times. */
  readonly segment: SegmentId | null;
  /** Seconds from the start of the recording. */
  readonly start: number | null;
  /** In a text without times: where it stands. */
  readonly range?: TextRange;
  readonly text: string;
  readonly marks: readonly TextRange[];
  readonly score: number;
}

/** A transcript that answers a search, with what answers it. */
export interface FoundTranscript {
  readonly id: TranscriptId;
  readonly nameMarks: readonly TextRange[];
  readonly nameScore: number;
  readonly passages: FoundPassage[];
}

/** A transcript of which is not read yet what answers. */
export const notReadYet = (id: TranscriptId): FoundTranscript => ({
  id,
  nameMarks: [],
  nameScore: 0,
  passages: [],
});

interface Key {
  readonly id: number;
  readonly name: string;
  readonly created_at: number;
  readonly duration_seconds: number | null;
}

/** A name is short and was chosen: found there, words weigh more. */
const nameWeight = 3;

/** Found transcripts in the order that is asked for; those that are alike, the newest first. */
export function sortFound(
  database: Database.Database,
  found: readonly FoundTranscript[],
  sort: LibrarySort,
): readonly FoundTranscript[] {
  const keys = new Map(
    database
      .prepare<[string], Key>(
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

/** The best passage decides; more of them count a little. */
function weightOf({ nameScore, passages }: FoundTranscript): number {
  const best = passages.reduce((most, { score }) => Math.max(most, score), 0);
  return nameWeight * nameScore + best * (1 + 0.15 * Math.log1p(passages.length));
}
