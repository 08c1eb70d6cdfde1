import type { SimilarQuery, TranscriptRow } from '../../contract/library-commands.ts';
import { clockTime, durationTime, twoDigits } from '../../core/transcript/clock-time.ts';
import { LibrarySearcher } from '../../core/library/search/library-searcher.ts';
import { LibraryStore } from '../../core/store/library/library-store.ts';
import type { Translator } from '../../core/translator.ts';
import type { ListCommand } from '../cli-command.ts';
import type { CommandLineSystem } from '../command-line-system.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { openLibraryReader, prepareLibrary } from '../open-library.ts';
import { writeJson } from '../reporting/json-reporter.ts';
import type { LibraryReporter } from '../reporting/library-reporters.ts';
import { printable } from '../reporting/wording.ts';

/** Transcripts that are read in one go. */
const pageSize = 500;

/**
 * `longhand list` and `longhand search`: print the transcripts of the library, even while another program works on it.
 * A search prints the best matches of each, too.
 */
export async function list(
  { kind, limit, json, ...query }: ListCommand,
  system: CommandLineSystem,
  reporter: LibraryReporter,
): Promise<ExitCode> {
  const { interrupted, stdout, stderr, translator } = system;
  const isSearch = kind === 'search';
  await prepareLibrary(system, reporter, { completeSearchIndex: isSearch });
  const database = openLibraryReader(system);
  try {
    const library = new LibraryStore(database);
    const searcher = new LibrarySearcher(database);
    const max = limit ?? Infinity;
    let similar: readonly SimilarQuery[] = [];
    let [count, total] = [0, 0];
    const throwIfInterrupted = (): void => interrupted.throwIfAborted();
    for (let offset = 0; offset < max && !interrupted.aborted; offset += pageSize) {
      const page = { offset, limit: Math.min(pageSize, max - offset), all: true };
      const { rows, ...view } = isSearch
        ? searcher.list({ ...query, trash: false }, page, throwIfInterrupted)
        : library.list({ ...query, trash: false }, page.offset, page.limit);
      count += rows.length;
      ({ similar, total } = view);
      for (const row of rows) {
        if (json) writeJson(stdout, toJson(row));
        else stdout.write(toText(row, isSearch, translator));
      }
      if (rows.length < page.limit) break;
    }
    if (isSearch && total > count && !interrupted.aborted)
      stderr.write(`${translator.translate('cli.library.moreTranscripts', { count: total - count })}\n`);
    if (isSearch && (count === 0 || similar.length > 0) && max > 0 && !interrupted.aborted)
      stderr.write(`${similarText(count, similar, translator)}\n`);
    return interrupted.aborted ? exitCode.interrupted : exitCode.done;
  } finally {
    database.close();
  }
}

/** Says on standard error what else to search for: without it, a search that finds nothing looks like a failure. */
function similarText(count: number, similar: readonly SimilarQuery[], translator: Translator): string {
  const queries = similar
    .map(({ query, count: others }) => `“${printable(query.trim())}” (${others})`)
    .join(', ');
  if (count > 0) return translator.translate('cli.library.moreSimilar', { queries });
  return similar.length === 0
    ? translator.translate('cli.library.nothingFound')
    : translator.translate('cli.library.nothingFoundSimilar', { queries });
}

/** Columns of equal width come first, so that the names are aligned. */
function toText(row: TranscriptRow, isSearch: boolean, translator: Translator): string {
  const duration = row.durationSeconds === null ? '' : durationTime(row.durationSeconds);
  const tags = row.tags.map((tag) => ` [${printable(tag)}]`).join('');
  const head = `${dayOf(row.createdAt)}  ${duration.padStart(8)}  ${printable(row.name)}${tags}\n`;
  if (!isSearch) return head;
  const passages = row.passages.map(({ start, text }) => {
    const time = start === null ? '' : clockTime(start);
    return `            ${time.padStart(8)}  ${printable(text)}\n`;
  });
  const count = row.passageCount - row.passages.length;
  const more =
    count <= 0 ? '' : `${' '.repeat(22)}${translator.translate('library.morePassages', { count })}\n`;
  return head + passages.join('') + more;
}

function toJson(row: TranscriptRow): object {
  const { id, name, createdAt, durationSeconds, wordCount, language, tags, passages, passageCount } = row;
  const jsonPassages = passages.map(({ start, text }) => ({ start, text }));
  return {
    type: 'transcript',
    transcript: id,
    name,
    createdAt,
    durationSeconds,
    words: wordCount,
    language,
    tags,
    ...(jsonPassages.length > 0 ? { passages: jsonPassages, passageCount } : {}),
  };
}

/** Returns the local date, such as `2026-03-01`. */
function dayOf(time: number): string {
  const date = new Date(time);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}
