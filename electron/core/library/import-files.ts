import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { ImportReport } from '../../contract/model/library.ts';
import type { LeftOut } from '../../contract/model/queue.ts';
import { decodeText } from '../formats/decode-text.ts';
import { joinTexts, oneLine } from '../formats/plain-text.ts';
import { readJson } from '../formats/read-json.ts';
import { readSubtitles } from '../formats/read-subtitles.ts';
import { readText } from '../formats/read-text.ts';
import { pathProblem } from '../media/file-problem.ts';
import type { Store } from '../store/store.ts';
import type { NewTranscript } from '../store/transcript-store.ts';

/** What imported transcripts have in the place of a service. */
const importService = 'import';
/** A day of speech has some 2 MB of subtitles. */
const mostBytes = 64 * 1024 * 1024;

type Content = Pick<NewTranscript, 'name' | 'durationSeconds' | 'transcript' | 'createdAt'>;

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
      const content = bytes === null ? null : contentOf(path, decodeText(bytes), now);
      if (bytes === null || content === null) {
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
      leftOut.push({ name, problem: pathProblem(path, error) });
    }
  }
  return { added, known, leftOut, cancelled: false };
}

async function readSmall(path: string): Promise<Uint8Array | null> {
  const { size } = await stat(path);
  return size > mostBytes ? null : readFile(path);
}

/** `null` when there is nothing in it that could be a transcript. */
function contentOf(path: string, text: string, now: number): Content | null {
  const extension = extname(path).toLowerCase();
  const name = basename(path, extname(path));
  if (extension === '.json') {
    const read = readJson(text);
    if (read === null) return null;
    const { language, durationSeconds, createdAt, segments } = read;
    return {
      name: oneLine(read.name) || name,
      durationSeconds,
      createdAt: Math.min(now, createdAt),
      transcript: { text: read.text, segments, language },
    };
  }
  const isSubtitles = extension === '.srt' || extension === '.vtt';
  const segments = isSubtitles ? readSubtitles(text) : readText(text).segments;
  const whole =
    segments.length > 0
      ? joinTexts(segments.map((segment) => oneLine(segment.text)))
      : isSubtitles
        ? ''
        : readText(text).text;
  if (whole === '' || whole.includes('\0')) return null;
  const durationSeconds =
    segments.length === 0 ? null : segments.reduce((last, { end }) => Math.max(last, end), 0);
  return { name, durationSeconds, createdAt: now, transcript: { text: whole, segments, language: null } };
}
