import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import type { MarkedText } from '../../../contract/library-commands.ts';
import { maxSpeakers } from '../../../contract/limits.ts';
import type {
  ReplaceGroup,
  ReplaceMatch,
  ReplacePreview,
  ReplaceSpeaker,
} from '../../../contract/replace.ts';
import type { Query } from '../../../contract/query.ts';
import { openReader } from '../../../sqlite/open-database.ts';
import { speakersOf } from '../../store/library/edit-log.ts';
import { findMatches, patternOf, type Match } from '../../transcript/find.ts';
import { snippetOf } from '../../transcript/search/search-marks.ts';
import type { TaskContext } from '../task/run-task.ts';

/** More matches than a user can review; what is not shown is not replaced. */
const maxMatches = 10_000;

export interface FindInAllRequest {
  /** Path of the library's database. */
  readonly library: string;
  readonly query: Query;
  /** The transcripts to search; `null` for all. */
  readonly ids: readonly TranscriptId[] | null;
  /** The transcripts to search after all others. */
  readonly last: readonly TranscriptId[];
}

interface Row {
  readonly id: number;
  readonly name: string;
  readonly durationSeconds: number | null;
  /** JSON; `null` for a transcript that was never edited. */
  readonly speakers: string | null;
}

/** The text of a segment with its start, or that of a transcript without times. */
interface SearchedText extends Pick<ReplaceMatch, 'segment' | 'start'> {
  readonly text: string;
}

/**
 * Finds a text in all transcripts outside the trash, exactly as the editor's find does, and in the names of speakers.
 *
 * Runs in a worker thread.
 *
 * @throws CancelledError.
 */
export function findInAll(request: FindInAllRequest, context: TaskContext): ReplacePreview {
  const pattern = patternOf(request.query);
  if (pattern === null) return { groups: [], isCapped: false };
  const database = openReader(request.library);
  try {
    return database.transaction(() => search(database, pattern, request, context))();
  } finally {
    database.close();
  }
}

function search(
  database: Database.Database,
  pattern: RegExp,
  { ids, last }: FindInAllRequest,
  context: TaskContext,
): ReplacePreview {
  const searched = ids === null ? null : JSON.stringify(ids);
  // Without texts, which may be too large to hold all of them at once.
  const transcripts = database
    .prepare<[string | null, string | null, string], Row>(
      `SELECT id, name, duration_seconds AS durationSeconds,
         (SELECT speakers FROM edit_states WHERE transcript_id = id) AS speakers
       FROM transcripts
       WHERE trashed_at IS NULL AND (? IS NULL OR id IN (SELECT value FROM json_each(?)))
       ORDER BY id IN (SELECT value FROM json_each(?)), created_at DESC, id DESC`,
    )
    .all(searched, searched, JSON.stringify(last));
  const untimedTextOf = database
    .prepare<[number], string>('SELECT text FROM timeless_texts WHERE transcript_id = ?')
    .pluck();
  const textsOf = database.prepare<[number], SearchedText>(
    'SELECT number AS segment, start_seconds AS start, text FROM segments WHERE transcript_id = ? ORDER BY place',
  );
  const groups: ReplaceGroup[] = [];
  let count = 0;
  for (const [index, { id, name, durationSeconds, ...row }] of transcripts.entries()) {
    context.throwIfCancelled();
    context.reportProgress({ done: index, total: transcripts.length });
    const remaining = maxMatches - count;
    const untimedText = untimedTextOf.get(id) ?? null;
    const texts =
      untimedText === null ? textsOf.iterate(id) : [{ segment: null, start: null, text: untimedText }];
    const matches = matchesIn(texts, pattern, remaining + 1);
    const names = untimedText === null && row.speakers !== null ? speakersOf(row.speakers) : [];
    const speakers = matchingSpeakers(names, pattern);
    if (matches.length === 0 && speakers.length === 0) continue;
    if (remaining === 0) return { groups, isCapped: true };
    groups.push({
      id,
      name,
      durationSeconds,
      matches: matches.slice(0, remaining),
      speakers,
      names: speakers.length === 0 ? [] : names,
    });
    count += matches.length + speakers.length;
    if (count > maxMatches) return { groups, isCapped: true };
  }
  return { groups, isCapped: false };
}

/** Returns at most `limit` matches, in order. */
function matchesIn(texts: Iterable<SearchedText>, pattern: RegExp, limit: number): readonly ReplaceMatch[] {
  const matches: ReplaceMatch[] = [];
  for (const { segment, start, text } of texts) {
    for (const match of findMatches(text, pattern)) {
      if (matches.length === limit) return matches;
      matches.push({ segment, start, offset: match.start, ...excerptOf(text, match) });
    }
  }
  return matches;
}

/** UTF-16 units on each side of a match from which its snippet is made; more than a snippet shows. */
const excerptContext = 200;

/** Returns the snippet of one match, from the text around it: reading all of a long text for each match takes too long. */
function excerptOf(text: string, { start, end }: Match): MarkedText {
  const cut = Math.max(0, start - excerptContext);
  // Begins with a whole word, if there is one before the match.
  const from = cut === 0 ? 0 : cut + Math.max(0, text.slice(cut, start).search(/\s/u));
  return snippetOf(text.slice(from, end + excerptContext), [{ start: start - from, end: end - from }]);
}

/** Returns the speakers whose names match. */
function matchingSpeakers(names: readonly string[], pattern: RegExp): readonly ReplaceSpeaker[] {
  // A restored transcript may have more speakers than a command accepts.
  return names.slice(0, maxSpeakers).flatMap((name, speaker) => {
    const marks = findMatches(name, pattern);
    return marks.length === 0 ? [] : [{ speaker, ...snippetOf(name, marks) }];
  });
}
