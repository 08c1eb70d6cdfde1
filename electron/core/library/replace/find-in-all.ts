import type Database from 'better-sqlite3';
import type { ReplaceGroup, ReplacePassage, ReplacePreview } from '../../../contract/replace.ts';
import type { Query } from '../../../contract/transcript.ts';
import { openReader } from '../../../sqlite/open-database.ts';
import { findMatches, patternOf } from '../../transcript/find.ts';
import { snippetOf } from '../search/search-marks.ts';
import type { TaskContext } from '../task/run-task.ts';

/** More passages than a user can review; passages that are not shown are not replaced. */
const maxPassages = 10_000;

export interface FindInAllRequest {
  /** Path of the library's database. */
  readonly library: string;
  readonly query: Query;
}

interface Row {
  readonly id: number;
  readonly name: string;
  readonly duration_seconds: number | null;
  readonly whole: string | null;
}

interface SegmentRow {
  readonly number: number;
  readonly start_seconds: number;
  readonly text: string;
}

/**
 * Finds a text in all transcripts outside the trash, exactly as the editor's find does.
 *
 * Runs in a worker thread.
 *
 * @throws CancelledError.
 */
export function findInAll({ library, query }: FindInAllRequest, watch: TaskContext): ReplacePreview {
  const pattern = patternOf(query);
  if (pattern === null) return { groups: [], isCapped: false };
  const database = openReader(library);
  try {
    return database.transaction(() => search(database, pattern, watch))();
  } finally {
    database.close();
  }
}

function search(database: Database.Database, pattern: RegExp, watch: TaskContext): ReplacePreview {
  const transcripts = database
    .prepare<[], Row>(
      `SELECT id, name, duration_seconds, (SELECT text FROM timeless_texts WHERE transcript_id = id) AS whole
       FROM transcripts WHERE trashed_at IS NULL ORDER BY created_at DESC, id DESC`,
    )
    .all();
  const segmentsOf = database.prepare<[number], SegmentRow>(
    'SELECT number, start_seconds, text FROM segments WHERE transcript_id = ? ORDER BY place',
  );
  const groups: ReplaceGroup[] = [];
  let count = 0;
  for (const [index, { id, name, duration_seconds: durationSeconds, whole }] of transcripts.entries()) {
    watch.throwIfCancelled();
    watch.reportProgress({ done: index, total: transcripts.length });
    const passages: ReplacePassage[] = [];
    const look = (segment: number | null, start: number | null, text: string): void => {
      const marks = findMatches(text, pattern);
      if (marks.length > 0)
        passages.push({ segment, start, matchCount: marks.length, ...snippetOf(text, marks) });
    };
    if (whole !== null) look(null, null, whole);
    else for (const row of segmentsOf.iterate(id)) look(row.number, row.start_seconds, row.text);
    if (passages.length === 0) continue;
    const room = maxPassages - count;
    groups.push({ id, name, durationSeconds, passages: passages.slice(0, room) });
    count += passages.length;
    if (count > maxPassages)
      return { groups: groups.filter((group) => group.passages.length > 0), isCapped: true };
  }
  return { groups, isCapped: false };
}
