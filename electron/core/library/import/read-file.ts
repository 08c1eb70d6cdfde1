import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import { ProblemError, type Problem } from '../../../contract/problem.ts';
import { TooLongError } from '../../formats/read/bounded-list.ts';
import { decodeText, readTranscript } from '../../formats/read/read-transcript.ts';
import { oneLine } from '../../transcript/plain-text.ts';
import { BrokenFileError, BrokenValueError, NewerFileError } from '../../formats/read/read-content.ts';
import { openRegularFile, pathProblem } from '../../media/open-file.ts';
import type { NewTranscript } from '../../store/library/transcript-store.ts';
import { countWords } from '../../transcript/word-count.ts';
import { passagesOf, wordsDigestsOf } from './words-digest.ts';

/** The content of a transcript file. */
export type FileContent = Pick<
  NewTranscript,
  'name' | 'durationSeconds' | 'transcript' | 'notes' | 'wordCount'
> & {
  /** Unix milliseconds; `null` if the file does not say. */
  readonly createdAt: number | null;
};

export type FileReading =
  | {
      readonly kind: 'read';
      /** SHA-256 of the file's bytes, which identifies the same content. */
      readonly digest: string;
      /** The digests of its words, with and without labels for the speakers. */
      readonly wordsDigests: readonly string[];
      readonly content: FileContent;
      /** Whether the encoding of the file was guessed. */
      readonly isGuessed: boolean;
    }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** Far beyond the 2 MB of subtitles for a day of speech. */
const maxFileBytes = 64 * 1024 * 1024;

/** Bytes that are read at once. */
const readBytes = 1024 * 1024;

/** Reads a file by its extension. Returns problems instead of throwing. */
export async function readTranscriptFile(path: string): Promise<FileReading> {
  try {
    const bytes = await readIfSmall(path);
    const { text, isGuessed } = decodeText(bytes);
    const content = await readContent(path, text);
    if (content === null) {
      return { kind: 'failed', problem: { code: 'not_a_transcript', params: { path } } };
    }
    const digest = createHash('sha256').update(bytes).digest('hex');
    const { text: words, segments } = content.transcript;
    return {
      kind: 'read',
      digest,
      wordsDigests: wordsDigestsOf(passagesOf(words, segments)),
      content,
      isGuessed,
    };
  } catch (error) {
    const problem = error instanceof ProblemError ? error.problem : pathProblem(path, error);
    return { kind: 'failed', problem };
  }
}

/** @throws ProblemError `transcript_too_large`, NotAFileError, or the error of reading */
async function readIfSmall(path: string): Promise<Uint8Array> {
  const file = await openRegularFile(path);
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    // Counts what is read, whatever the file's size says: a file may grow, and some special files have a size of 0 and
    // no end.
    for await (const chunk of file.createReadStream({ highWaterMark: readBytes, autoClose: false })) {
      size += (chunk as Buffer).length;
      if (size > maxFileBytes) throw new ProblemError({ code: 'transcript_too_large', params: { path } });
      chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks);
  } finally {
    await file.close();
  }
}

/**
 * Returns the content of a file; `null` if nothing in it could be a transcript.
 *
 * @throws ProblemError `transcript_broken` with the line that cannot be read, `transcript_value_broken` with the value,
 * `transcript_newer` or `transcript_too_large`
 */
async function readContent(path: string, text: string): Promise<FileContent | null> {
  const read = await readTranscript(extname(path).slice(1).toLowerCase(), text).catch((error: unknown) => {
    if (error instanceof TooLongError)
      throw new ProblemError({ code: 'transcript_too_large', params: { path } }, { cause: error });
    if (error instanceof NewerFileError)
      throw new ProblemError({ code: 'transcript_newer', params: { path } }, { cause: error });
    if (error instanceof BrokenValueError) {
      const { field, element } = error;
      const params = {
        path,
        field,
        ...(element !== null && { context: element.list, number: element.number }),
      };
      throw new ProblemError({ code: 'transcript_value_broken', params }, { cause: error });
    }
    if (!(error instanceof BrokenFileError)) throw error;
    throw new ProblemError(
      { code: 'transcript_broken', params: { path, line: error.line } },
      { cause: error },
    );
  });
  if (read === null) return null;
  const { language, durationSeconds, createdAt, segments, notes } = read;
  return {
    name: oneLine(read.name ?? '') || basename(path, extname(path)),
    durationSeconds,
    createdAt,
    transcript: { text: read.text, segments, language },
    wordCount: countWords(read.text),
    notes,
  };
}
