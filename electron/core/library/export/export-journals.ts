import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { exportFormats } from '../../../contract/choices.ts';
import { exportRequest, subtitleRulesSchema, type ExportReport } from '../../../contract/export.ts';
import type { InterruptedTask } from '../../../contract/interrupted-task.ts';
import { ProblemError } from '../../../contract/problem.ts';
import { writeOptionsFor } from '../../formats/write/write-options.ts';
import type { Logger } from '../../ports.ts';
import { makeFolder } from '../../make-folder.ts';
import { parseJsonLines } from './json-lines.ts';
import { exists, isFile, sizeAt } from './publish-file.ts';
import type { ExportTask, FinishedFiles } from './export-task.ts';

/** An export as the user chose it, with the settings of that time. */
const chosenExportSchema = z.strictObject({
  ...exportRequest.shape,
  folder: z.string().nullable(),
  rules: subtitleRulesSchema,
});
export type ChosenExport = z.infer<typeof chosenExportSchema>;

const fileSchema = z.object({ id: z.int(), format: z.enum(exportFormats), name: z.string() });
const fileAtSchema = fileSchema.extend({ path: z.string() });
const writtenSchema = fileAtSchema.extend({ sizeBytes: z.int().nonnegative().optional() });
const publishedSchema = fileAtSchema.extend({ identity: z.string() });
export type PublishedExportFile = z.infer<typeof publishedSchema>;

/** The schemas of the lines of a journal, by their property. A union would compare each line with all of them. */
const lineSchemas = {
  chosen: z.object({ chosen: chosenExportSchema }),
  /** How many files the export has, finished ones included. */
  total: z.object({ total: z.int().nonnegative() }),
  /** A file that is about to appear: if the program was killed then, its identity says whether it did. */
  publishing: z.object({ publishing: publishedSchema }),
  written: z.object({ written: writtenSchema }),
  skipped: z.object({ skipped: fileSchema }),
};
const lineKind = z.object(lineSchemas).keyof();
/** A line of a journal. */
export type JournalLine = z.infer<(typeof lineSchemas)[keyof typeof lineSchemas]>;

const parseLine = (line: unknown): JournalLine =>
  lineSchemas[lineKind.parse(Object.keys(Object(line))[0])].parse(line);

/** Appends to the journal at a path. The export itself does not depend on it. */
export function appendToJournal(journal: string | undefined, line: JournalLine): void {
  if (journal === undefined) return;
  try {
    appendFileSync(journal, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  } catch {
    // A full drive must not prevent an export to another one.
  }
}

/** The maximum number of journals. An export beyond it runs without one, so that a page cannot fill what a start reads. */
const maxJournals = 20;

/** The maximum length of all journals with which another one begins, in bytes: about 2 million transcripts. */
const maxBytesToBegin = 16_000_000;

/** The maximum length of the journals that a start reads, in bytes: about 300,000 files. */
const maxBytesToRead = 128_000_000;

/** What is known of an export that did not end. */
interface JournaledExport {
  /** The path of its journal. */
  readonly journal: string;
  /** The number of the journal. */
  readonly number: number;
  readonly chosen: ChosenExport;
  /** `null`: not counted yet. */
  readonly total: number | null;
  readonly finished: FinishedFiles;
  /** Files that may have appeared just before the program was killed. */
  readonly publishing: readonly PublishedExportFile[];
}

/** The part of an export's outcome that says whether it was cancelled before its end, and what could not be written. */
type ExportEnding = Pick<ExportReport, 'cancelled' | 'failed'>;

export interface ExportJournalsOptions {
  readonly dataFolder: string;
  readonly logger: Logger;
}

/** Keeps a journal of each running export, so that those interrupted by the end of the program can be resumed. */
export class ExportJournals {
  readonly #folder: string;
  readonly #logger: Logger;
  /** The exports that earlier runs of the program left, the oldest first. */
  #interrupted: readonly JournaledExport[];
  #lastNumber: number;
  #isClosed = false;

  constructor({ dataFolder, logger }: ExportJournalsOptions) {
    this.#folder = join(dataFolder, 'unfinished-exports');
    this.#logger = logger;
    const numbers = journalNumbersIn(this.#folder);
    this.#interrupted = this.#readInterrupted(numbers);
    this.#lastNumber = numbers.at(-1) ?? 0;
  }

  /** Reads the journals, the latest first, and removes those that cannot be resumed or are too long to be read. */
  #readInterrupted(numbers: readonly number[]): readonly JournaledExport[] {
    let bytes = 0;
    const interrupted: JournaledExport[] = [];
    for (const number of numbers.toReversed()) {
      const path = this.#pathOf(number);
      try {
        bytes += statSync(path).size;
        const found = bytes > maxBytesToRead ? null : parseJournal(readFileSync(path, 'utf8'), path, number);
        if (found !== null) {
          interrupted.unshift(found);
          continue;
        }
        this.#logger.warn('an interrupted export cannot be resumed', { journal: number });
        rmSync(path);
      } catch (error) {
        // A fault of the drive may be gone at the next start.
        this.#logger.warn('the journal of an export cannot be read', { error: String(error) });
      }
    }
    return interrupted;
  }

  /** Returns what was interrupted and is neither resumed nor dismissed, the oldest first. */
  get interrupted(): readonly InterruptedTask[] {
    return this.#interrupted.map(({ number, chosen, total, finished }) => ({
      task: { kind: 'export', journalNumber: number },
      name: nameOf(chosen),
      count: total === null ? null : { done: countOf(finished), total },
    }));
  }

  /**
   * Runs an export with a journal that is kept until its end. If the program closes before that, it is interrupted. If it
   * saves everything, it dismisses the interrupted exports that have no other files.
   */
  async run<T extends ExportEnding>(
    chosen: ChosenExport,
    earlier: FinishedFiles | undefined,
    work: (task: ExportTask) => Promise<T>,
  ): Promise<T> {
    const journal = this.#begin(chosen, earlier);
    let outcome: T | null = null;
    try {
      outcome = await work(exportTaskOf(chosen, { earlier, journal }));
      this.#dismissRepeated(chosen, outcome);
      return outcome;
    } finally {
      if (journal !== undefined) this.#end(journal, outcome);
    }
  }

  /**
   * Runs an interrupted export like {@link run}, without what it has written; `null` if it was resumed or dismissed
   * already. After an error, it stays interrupted, unless the user declined to replace files: that dismisses it.
   *
   * @throws ProblemError `interrupted_missing` if its folder cannot be found, for example when its drive is not
   *   connected; and whatever `work` throws.
   */
  async resume<T extends ExportEnding>(
    number: number,
    work: (task: ExportTask, chosen: ChosenExport) => Promise<T | null>,
  ): Promise<T | null> {
    const interrupted = this.#take(number);
    if (interrupted === null) return null;
    const { journal, chosen, total } = interrupted;
    try {
      const { finished, isMissing } = await finishedOf(interrupted);
      // A folder that the export had not created yet is not a reason to stop.
      if (total !== null && isMissing)
        throw new ProblemError({ code: 'interrupted_missing', params: { name: nameOf(chosen) } });
      const outcome = await work(exportTaskOf(chosen, { earlier: finished, journal }), chosen);
      this.#end(journal, outcome);
      if (outcome !== null) this.#dismissRepeated(chosen, outcome);
      return outcome;
    } catch (error) {
      if (error instanceof ProblemError && error.problem.code === 'not_allowed') this.#end(journal, null);
      const latest = readJournal(journal, number);
      if (latest !== null)
        this.#interrupted = [...this.#interrupted, latest].toSorted((a, b) => a.number - b.number);
      throw error;
    }
  }

  /** Forgets an interrupted export. */
  dismiss(number: number): void {
    const interrupted = this.#take(number);
    if (interrupted !== null) rmSync(interrupted.journal, { force: true });
  }

  /** Dismisses the interrupted exports whose files a later one has saved, unless that is incomplete. */
  #dismissRepeated(later: ChosenExport, { cancelled, failed }: ExportEnding): void {
    if (cancelled || failed.length > 0 || this.#interrupted.length === 0) return;
    const isRepeated = repeatedBy(later);
    for (const { number, chosen } of this.#interrupted) if (isRepeated(chosen)) this.dismiss(number);
  }

  /** Removes an export from the interrupted ones and returns it; `null` if it is not one of them. */
  #take(number: number): JournaledExport | null {
    const found = this.#interrupted.find((one) => one.number === number) ?? null;
    this.#interrupted = this.#interrupted.filter((one) => one !== found);
    return found;
  }

  /** Deletes the journal of an export, unless the end of the program has stopped it. `outcome`: `null` after an error. */
  #end(journal: string, outcome: ExportEnding | null): void {
    if (!this.#isClosed || outcome?.cancelled === false) rmSync(journal, { force: true });
  }

  /** Must be called when the program closes: exports that are cancelled or fail from then on count as interrupted. */
  close(): void {
    this.#isClosed = true;
  }

  #begin(chosen: ChosenExport, earlier: FinishedFiles | undefined): string | undefined {
    this.#lastNumber += 1;
    const path = this.#pathOf(this.#lastNumber);
    const lines: readonly JournalLine[] = [
      { chosen },
      ...(earlier?.written ?? []).map((written) => ({ written })),
      ...(earlier?.skipped ?? []).map((skipped) => ({ skipped })),
    ];
    try {
      makeFolder(this.#folder, { mode: 0o700 });
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      if (!this.#hasRoomFor(Buffer.byteLength(text))) throw new Error('There are too many journals.');
      writeFileSync(path, text, { mode: 0o600 });
      return path;
    } catch (error) {
      this.#logger.warn('an export could not be recorded', { error: String(error) });
      return undefined;
    }
  }

  /** Whether another journal of a length in bytes may begin. */
  #hasRoomFor(bytes: number): boolean {
    const sizes = journalNumbersIn(this.#folder).map((number) => statSync(this.#pathOf(number)).size);
    return sizes.length < maxJournals && sizes.reduce((sum, size) => sum + size, bytes) <= maxBytesToBegin;
  }

  #pathOf(number: number): string {
    return join(this.#folder, `${number}.jsonl`);
  }
}

const nameOf = ({ folder, where }: ChosenExport): string =>
  where === 'folder' && folder !== null ? basename(folder) : '';

/**
 * Returns a function that says whether a later, complete export has saved the files of an earlier one. Their contents may
 * differ: what was chosen last applies.
 */
function repeatedBy(later: ChosenExport): (earlier: ChosenExport) => boolean {
  const ids = new Set(later.ids);
  const formats = new Set(later.formats);
  return (earlier) =>
    earlier.where === later.where &&
    (later.where === 'beside' || earlier.folder === later.folder) &&
    earlier.template === later.template &&
    isDeepStrictEqual(earlier.scope, later.scope) &&
    // The later one has kept the files that the earlier one was to replace.
    !(earlier.existing === 'replace' && later.existing === 'skip') &&
    earlier.formats.every((format) => formats.has(format)) &&
    earlier.ids.every((id) => ids.has(id));
}

export const countOf = ({ written, skipped }: FinishedFiles): number => written.length + skipped.length;

/** Returns the task of an export that the user chose. */
export function exportTaskOf(
  chosen: ChosenExport,
  run: { readonly earlier?: FinishedFiles | undefined; readonly journal?: string | undefined } = {},
): ExportTask {
  const { ids, formats, template, where, existing, folder, scope, rules, ...content } = chosen;
  const writing = writeOptionsFor(content, rules, scope);
  return { ids, formats, template, where, existing, folder, writing, ...run };
}

/** Returns the numbers of the journals in a folder, in order; none if it cannot be read. */
function journalNumbersIn(folder: string): readonly number[] {
  try {
    return readdirSync(folder)
      .flatMap((name) => /^([1-9]\d*)\.jsonl$/u.exec(name)?.[1] ?? [])
      .map(Number)
      .toSorted((a, b) => a - b);
  } catch {
    return [];
  }
}

/** Reads a journal; `null` if it cannot be read or resumed. */
function readJournal(journal: string, number: number): JournaledExport | null {
  try {
    return parseJournal(readFileSync(journal, 'utf8'), journal, number);
  } catch {
    return null;
  }
}

/** Parses the text of a journal, whose last line may be incomplete; `null` if nothing can be resumed. */
function parseJournal(text: string, journal: string, number: number): JournaledExport | null {
  let chosen: ChosenExport | null = null;
  let total: number | null = null;
  const written: FinishedFiles['written'][number][] = [];
  const skipped: FinishedFiles['skipped'][number][] = [];
  const publishing = new Map<string, PublishedExportFile>();
  for (const line of parseJsonLines(text, parseLine)) {
    if ('chosen' in line) chosen = line.chosen;
    else if ('total' in line) total = line.total;
    else if ('publishing' in line) publishing.set(fileKeyOf(line.publishing), line.publishing);
    else {
      const isWritten = 'written' in line;
      publishing.delete(fileKeyOf(isWritten ? line.written : line.skipped));
      if (isWritten) written.push(line.written);
      else skipped.push(line.skipped);
    }
  }
  return (
    chosen && {
      journal,
      number,
      chosen,
      total,
      finished: { written, skipped },
      publishing: [...publishing.values()],
    }
  );
}

/**
 * Returns the files that need not be written again: those of the journal, except those that are gone or that a power
 * failure emptied, and those that appeared just before the program was killed. `isMissing`: the folder or drive is not
 * there; a removed drive may leave an empty folder at its mount point.
 */
async function finishedOf({ chosen, finished, publishing }: JournaledExport): Promise<{
  readonly finished: FinishedFiles;
  readonly isMissing: boolean;
}> {
  const written: FinishedFiles['written'][number][] = [];
  let isAnyThere = false;
  for (const file of finished.written) {
    const size = await sizeAt(file.path);
    if (size === null) continue;
    isAnyThere = true;
    // The user may have changed it since; a transcript without words gives an empty text file.
    if (size > 0 || file.sizeBytes === 0) written.push(file);
  }
  for (const { identity, ...file } of publishing) if (await isFile(file.path, identity)) written.push(file);
  const { where, folder } = chosen;
  const isMissing =
    (where === 'folder' && folder !== null && !(await exists(folder))) ||
    (finished.written.length > 0 && !isAnyThere && written.length === 0);
  return { finished: { ...finished, written }, isMissing };
}

/** Returns the files that appeared, or were about to appear, according to a journal; see `isFile`. */
export function publishedFilesIn(journal: string): readonly PublishedExportFile[] {
  try {
    const lines = parseJsonLines(readFileSync(journal, 'utf8'), parseLine);
    return lines.flatMap((line) => ('publishing' in line ? [line.publishing] : []));
  } catch {
    return [];
  }
}

/** Identifies a file of an export: a transcript is exported once in each format. */
export const fileKeyOf = ({ id, format }: Pick<z.infer<typeof fileSchema>, 'id' | 'format'>): string =>
  `${id} ${format}`;
