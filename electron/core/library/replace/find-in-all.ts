import { createContext, Script } from 'node:vm';
import type Database from 'better-sqlite3';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import type { MarkedText } from '../../../contract/library-commands.ts';
import { maxSegmentTextLength, maxSpeakers } from '../../../contract/limits.ts';
import type {
  PatternProblem,
  ReplaceGroup,
  ReplaceMatch,
  ReplacePreview,
  ReplaceQuery,
  ReplaceSpeaker,
} from '../../../contract/replace.ts';
import type { Captures, PatternError } from '../../../contract/query.ts';
import { openReader } from '../../../sqlite/open-database.ts';
import { speakersOf } from '../../store/library/edit-log.ts';
import { textHash } from '../../transcript/edit/text-operations.ts';
import { findMatches, patternOf, type Match } from '../../transcript/find.ts';
import { snippetOf } from '../../transcript/search/search-marks.ts';
import { capturesOf, compilePattern, matchesIn, maxMatchingMs } from '../../transcript/user-pattern.ts';
import type { TaskContext } from '../task/run-task.ts';

/** More matches than a user can review; what is not shown is not replaced. */
const maxMatches = 10_000;

/** UTF-16 units that a pattern may capture in all matches: the window expands each replacement from them. */
const maxCaptured = 5_000_000;

export interface FindInAllRequest {
  /** Path of the library's database. */
  readonly library: string;
  readonly query: ReplaceQuery;
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

/** A match, with what it captured if a pattern found it. */
interface FoundMatch extends Match {
  readonly captures?: Captures;
}

/** Finds the matches in one text. */
type FindInText = (text: string) => Iterable<FoundMatch>;

/** The pattern cannot be searched for in a transcript. */
class PatternFailedError extends Error {
  override readonly name = 'PatternFailedError';
  readonly problem: PatternProblem;

  constructor(problem: PatternProblem) {
    super(problem.failure);
    this.problem = problem;
  }
}

/**
 * Finds a text in all transcripts outside the trash, exactly as the editor's find does, and in the names of speakers. An
 * empty match of a pattern is skipped.
 *
 * Runs in a worker thread.
 *
 * @throws CancelledError.
 */
export function findInAll(request: FindInAllRequest, context: TaskContext): ReplacePreview | PatternProblem {
  if (request.query.text === '') return { groups: [], isCapped: false };
  const find = finderOf(request.query);
  if (typeof find === 'string') return { failure: find, transcript: null };
  // Only a pattern can take long in one transcript.
  const run: Finder['run'] = request.query.mode === 'pattern' ? timeLimitedRun() : (work) => work();
  const database = openReader(request.library);
  try {
    return database.transaction(() => search(database, { find, run }, request, context))();
  } catch (error) {
    if (error instanceof PatternFailedError) return error.problem;
    throw error;
  } finally {
    database.close();
  }
}

function finderOf(query: ReplaceQuery): FindInText | PatternError {
  if (query.mode === 'pattern') {
    const pattern = compilePattern(query);
    return typeof pattern === 'string' ? pattern : (text) => findByPattern(text, pattern);
  }
  const pattern = patternOf(query);
  return (text) => (pattern === null ? [] : findMatches(text, pattern));
}

/** Runs searches for at most {@link maxMatchingMs} each: V8 ends one wherever it is, even within a match. */
function timeLimitedRun(): Finder['run'] {
  const sandbox: { work?: () => unknown } = createContext({});
  const script = new Script('work()');
  return <T>(work: () => T, transcript: string): T => {
    sandbox.work = work;
    try {
      return script.runInContext(sandbox, { timeout: maxMatchingMs }) as T;
    } catch (error) {
      // V8 compiles a pattern when it is first used, and gives up on one that needs too much memory.
      const failure = error instanceof MatchTooLongError ? 'long' : 'slow';
      throw new PatternFailedError({ failure, transcript });
    }
  };
}

/** A match is longer than a segment may be, or its groups are: its replacement could use up the memory. */
class MatchTooLongError extends Error {
  override readonly name = 'MatchTooLongError';
}

const capturedLength = ({ groups }: Captures): number =>
  groups.reduce((sum, group) => sum + (group?.length ?? 0), 0);

function* findByPattern(text: string, pattern: RegExp): Generator<FoundMatch> {
  for (const match of matchesIn(text, pattern)) {
    if (match[0] === '') continue;
    const captures = capturesOf(match);
    if (capturedLength(captures) > maxSegmentTextLength) throw new MatchTooLongError();
    yield { start: match.index, end: match.index + match[0].length, captures };
  }
}

/** How each transcript is searched. */
interface Finder {
  readonly find: FindInText;
  /** Runs the search of one transcript. @throws PatternFailedError. */
  readonly run: <T>(work: () => T, transcript: string) => T;
}

function search(
  database: Database.Database,
  { find, run }: Finder,
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
  let remaining: Room = { matches: maxMatches, captured: maxCaptured };
  for (const [index, { id, name, durationSeconds, ...row }] of transcripts.entries()) {
    context.throwIfCancelled();
    context.reportProgress({ done: index, total: transcripts.length });
    const untimedText = untimedTextOf.get(id) ?? null;
    // Read before the search, which may be ended anywhere.
    const texts =
      untimedText === null ? textsOf.all(id) : [{ segment: null, start: null, text: untimedText }];
    const names = untimedText === null && row.speakers !== null ? speakersOf(row.speakers) : [];
    const { matches, speakers, isCut } = run(() => findIn({ texts, names }, find, remaining), name);
    if (matches.length > 0 || (speakers.length > 0 && remaining.matches > 0))
      groups.push({
        id,
        name,
        durationSeconds,
        matches,
        speakers,
        names: speakers.length === 0 ? [] : names,
      });
    remaining = {
      matches: remaining.matches - matches.length - speakers.length,
      captured: matches.reduce(
        (left, { captures }) => left - (captures === undefined ? 0 : capturedLength(captures)),
        remaining.captured,
      ),
    };
    if (isCut || remaining.matches < 0 || remaining.captured < 0) return { groups, isCapped: true };
  }
  return { groups, isCapped: false };
}

/** How much more can be shown. */
interface Room {
  readonly matches: number;
  /** In UTF-16 units. */
  readonly captured: number;
}

/** The texts and the names of speakers of a transcript. */
interface Searched {
  readonly texts: readonly SearchedText[];
  readonly names: readonly string[];
}

/** Finds the matches in one transcript, in order. `isCut`: those for which there is no room are missing. */
function findIn(
  { texts, names }: Searched,
  find: FindInText,
  room: Room,
): Pick<ReplaceGroup, 'matches' | 'speakers'> & { readonly isCut: boolean } {
  const matches: ReplaceMatch[] = [];
  const speakers = matchingSpeakers(names, find);
  let captured = 0;
  for (const { segment, start, text } of texts) {
    let searchedHash: number | null = null;
    for (const match of find(text)) {
      if (matches.length === room.matches || captured > room.captured)
        return { matches, speakers, isCut: true };
      const position = { segment, start, offset: match.start, ...excerptOf(text, match) };
      if (match.captures === undefined) matches.push(position);
      else {
        captured += capturedLength(match.captures);
        searchedHash ??= textHash(text);
        matches.push({ ...position, captures: { ...match.captures, searchedHash } });
      }
    }
  }
  return { matches, speakers, isCut: false };
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
function matchingSpeakers(names: readonly string[], find: FindInText): readonly ReplaceSpeaker[] {
  // A restored transcript may have more speakers than a command accepts.
  return names.slice(0, maxSpeakers).flatMap((name, speaker) => {
    const matches = [...find(name)];
    if (matches.length === 0) return [];
    const captures = matches.flatMap(({ start, end, captures: found }) =>
      found === undefined ? [] : [{ start, end, ...found }],
    );
    const marks = matches.map(({ start, end }) => ({ start, end }));
    return [{ speaker, ...snippetOf(name, marks), ...(captures.length > 0 && { captures }) }];
  });
}
