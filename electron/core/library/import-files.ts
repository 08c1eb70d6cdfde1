import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { ImportReport } from '../../contract/model/library.ts';
import type { LeftOut } from '../../contract/model/left-out.ts';
import { ProblemError } from '../../contract/problem.ts';
import { decodeText } from '../formats/read/decode-text.ts';
import { oneLine } from '../formats/plain-text.ts';
import { BrokenFileError } from '../formats/read/read-content.ts';
import { readTranscript } from '../formats/read/read-transcript.ts';
import { pathProblem } from '../media/file-problem.ts';
import { NotAFileError } from '../media/open-file.ts';
import type { Store } from '../store/store.ts';
import type { NewTranscript } from '../store/library/transcript-store.ts';

/** What imported transcripts have in the place of a service. */
const importService = 'import';
/** A day of speech has some 2 MB of subtitles. */
const mostBytes = 64 * 1024 * 1024;

type Content = Pick<NewTranscript, 'name' | 'durationSeconds' | 'transcript' | 'createdAt' | 'notes'>;

/**
 * Brings files into the library, each by what its ending says. The same content comes in once, whatever its name; what
 * cannot be read is left out with its reason, and the rest goes on.
 */
export async function importFiles(
  store: Store,
  paths: readonly string[],
  now: number,
): Promise<ImportReport> {
  const added: { id: number; name: string }[] = [];
  const leftOut: LeftOut[] = [];
  let known = 0;
  for (const path of paths) {
    const name = basename(path);
    try {
      const bytes = await readSmall(path);
      const content = await contentOf(path, decodeText(bytes), now);
      if (content === null) {
        leftOut.push({ name, problem: { code: 'not_a_transcript', params: { path } } });
        continue;
      }
      const jobId = createHash('sha256').update(bytes).digest('hex');
      if (store.transcripts.idOf(importService, jobId) !== null) known += 1;
      else {
        const { id } = store.transcripts.save({
          ...content,
          itemId: null,
          service: importService,
          jobId,
          recording: null,
        });
        added.push({ id, name: content.name });
      }
    } catch (error) {
      leftOut.push({
        name,
        problem: error instanceof ProblemError ? error.problem : pathProblem(path, error),
      });
    }
  }
  return { added, known, leftOut };
}

/** @throws ProblemError `transcript_too_large`, NotAFileError, or why it cannot be read. */
async function readSmall(path: string): Promise<Uint8Array> {
  const stats = await stat(path);
  if (!stats.isFile()) throw new NotAFileError(path);
  if (stats.size > mostBytes) throw new ProblemError({ code: 'transcript_too_large', params: { path } });
  return readFile(path);
}

/**
 * `null` when there is nothing in it that could be a transcript.
 *
 * @throws ProblemError `transcript_broken` with the line at which it cannot be read.
 */
async function contentOf(path: string, text: string, now: number): Promise<Content | null> {
  const read = await readTranscript(extname(path).slice(1).toLowerCase(), text).catch((error: unknown) => {
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
    createdAt: Math.min(now, createdAt ?? now),
    transcript: { text: read.text, segments, language },
    notes,
  };
}
