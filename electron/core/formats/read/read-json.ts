import { z } from 'zod';
import { parseBoundedJson, TooManyValuesError } from '../../../contract/bounded-json.ts';
import { maxNotes, maxSegments, maxTimeSeconds } from '../../../contract/limits.ts';
import { segmentSchema } from '../../../contract/segment-schema.ts';
import { alignWords } from '../../transcript/align-words.ts';
import { textOfSegments } from '../../transcript/plain-text.ts';
import { withWords } from '../../transcript/segment.ts';
import { maxWords } from '../../transcript/word-times.ts';
import { formatVersion } from '../write/json.ts';
import { TooLongError } from './bounded-list.ts';
import { BrokenFileError, BrokenValueError, NewerFileError, type ReadContent } from './read-content.ts';

const seconds = z.number().nonnegative().max(maxTimeSeconds);
/** The last time that a `Date` can hold, in Unix milliseconds. */
const maxDateMs = 8.64e15;

const word = z.object({
  text: z.string(),
  start: seconds,
  end: seconds,
  probability: z.number().min(0).max(1).nullable().catch(null).default(null),
});

const header = z.object({ format: z.literal('longhand-transcript'), version: z.int().positive() });

const content = header.extend({
  name: z.string(),
  language: z.string().nullable().catch(null),
  durationSeconds: seconds.nullable(),
  createdAt: z.number().nonnegative().max(maxDateMs).transform(Math.round),
  text: z.string(),
  segments: z
    .array(
      segmentSchema.extend({
        start: seconds,
        end: seconds,
        speaker: z.string().optional(),
        // Words that cannot be read are dropped; the segment stays.
        words: z.array(word).max(maxWords).optional().catch(undefined),
      }),
    )
    .max(maxSegments),
  notes: z
    .array(z.object({ at: seconds, text: z.string() }))
    .max(maxNotes)
    .default([]),
});

/**
 * Reads Longhand's own JSON. The length of an array is checked before its elements: each of millions could be an error.
 *
 * @returns `null` for any other JSON
 * @throws BrokenFileError if it is not JSON
 * @throws NewerFileError if its version is newer
 * @throws BrokenValueError at the first value that a transcript cannot have
 * @throws TooLongError if it has more values, or an array more elements, than a transcript can have
 */
export function readJson(text: string): ReadContent | null {
  const json = parseJson(text.replace(/^\uFEFF/u, ''));
  const { data: found } = header.safeParse(json);
  if (found === undefined) return null;
  if (found.version > formatVersion) throw new NewerFileError();
  const { data: read, error } = content.safeParse(json);
  if (error?.issues.some((issue) => issue.code === 'too_big' && issue.origin === 'array') === true)
    throw new TooLongError();
  if (read === undefined) throw brokenValueAt(error.issues[0]?.path ?? []);
  return {
    ...read,
    text: textOfSegments(read.text, read.segments),
    segments: read.segments.map(({ words: spoken = [], ...segment }) => {
      const words = alignWords(segment, spoken);
      return words === null ? segment : withWords(segment, words);
    }),
    notes: read.notes.map(({ at, text: noteText }) => ({ atSeconds: at, text: noteText })),
  };
}

function brokenValueAt(path: readonly PropertyKey[]): BrokenValueError {
  const [list, index, ...fields] = path;
  return (list === 'segments' || list === 'notes') && typeof index === 'number' && fields.length > 0
    ? new BrokenValueError({ list, number: index + 1 }, fields.join('.'))
    : new BrokenValueError(null, path.join('.'));
}

/** @throws BrokenFileError, TooLongError */
function parseJson(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch (error) {
    if (error instanceof TooManyValuesError) throw new TooLongError();
    // The message contains the position, unless the text ended unexpectedly.
    const position = /position (\d+)/u.exec(error instanceof Error ? error.message : '')?.[1];
    const before = text.slice(0, position === undefined ? undefined : Number(position));
    throw new BrokenFileError(before.trimEnd().split('\n').length);
  }
}
