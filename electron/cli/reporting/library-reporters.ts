import type { BackupContents, LibraryBackup, RestoreReport } from '../../contract/backup.ts';
import { problemToJson, writeJson } from './json-reporter.ts';
import type { EventReporter } from './run-events.ts';
import type { UnknownName } from '../../core/library/choose-transcripts.ts';
import { printable, problemLines } from './wording.ts';
import { StatusLine } from './status-line.ts';
import type { CommandLineSystem } from '../command-line-system.ts';
import type { ExportFormat } from '../../contract/choices.ts';
import type { TaskProgress } from '../../contract/library-task.ts';
import type { TranscriptId } from '../../contract/identifiers.ts';
import type { SpeakersReport } from '../../contract/speakers.ts';
import type { Problem } from '../../contract/problem.ts';

const bytesInMegabyte = 1_000_000;

/** Milliseconds between two progress lines of a task in JSON. */
const progressIntervalMs = 1_000;

/** Returns a reporter for people, or with `json` for programs (`docs/command-line.md`). */
export function libraryReporter(json: boolean, system: CommandLineSystem): LibraryReporter {
  return json ? new JsonLibraryReporter(system) : new TextLibraryReporter(system);
}

/** Prints written files on standard output, all else on standard error; on a terminal one line shows the progress. */
class TextLibraryReporter implements LibraryReporter {
  readonly #system: CommandLineSystem;
  readonly #line: StatusLine;

  constructor(system: CommandLineSystem) {
    this.#system = system;
    this.#line = new StatusLine(system.stderr, system.clock);
  }

  report(event: LibraryEvent): void {
    switch (event.type) {
      case 'progress': {
        const { task } = event;
        const unit = task === 'copy' ? bytesInMegabyte : 1;
        const done = Math.ceil(event.done / unit);
        const total = Math.ceil(event.total / unit);
        return this.#line.show(
          this.#translate(`cli.library.task.${task}`, { count: total, done: Math.min(done, total) }),
        );
      }
      case 'left-out':
      case 'file-failed':
        return problemLines(event.name, event.problem, this.#system.translator).forEach((line) =>
          this.#line.print(line),
        );
      case 'backup':
        this.#path(event.backup.path);
        return this.#line.print(this.#translate('cli.library.backedUp', { count: event.backup.count }));
      case 'contents': {
        const { total, missing, trashed, differing } = event.contents;
        const name = printable(event.contents.name);
        this.#line.print(this.#translate('cli.library.contents', { count: total, name, missing, differing }));
        if (trashed > 0) this.#line.print(this.#translate('backup.trashed', { count: trashed }));
        return;
      }
      case 'restored': {
        const { added, addedAsCopies, outcome } = event.report;
        if (added + addedAsCopies === 0 && outcome === 'finished')
          return this.#line.print(this.#translate('cli.library.nothingToAdd'));
        if (added > 0) this.#line.print(this.#translate('cli.library.added', { count: added }));
        if (addedAsCopies > 0)
          this.#line.print(this.#translate('cli.library.addedAsCopies', { count: addedAsCopies }));
        if (outcome === 'cancelled') this.#line.print(this.#translate('cli.library.stopped'));
        if (outcome === 'disk-full') this.#line.print(this.#translate('cli.library.diskFull'));
        return;
      }
      case 'speakers': {
        const { speakers: count, changed } = event;
        const { stdout, translator } = this.#system;
        const speakersText = translator.translate(`cli.library.${changed ? 'speakers' : 'sameSpeakers'}`, {
          count,
        });
        return this.#line.writeAround(() => stdout.write(`${printable(event.name)}: ${speakersText}\n`));
      }
      case 'imported': {
        const { name } = event;
        return this.#line.writeAround(() => this.#system.stdout.write(`${printable(name)}\n`));
      }
      case 'import-end':
        return this.#line.print(this.#importEnd(event));
      case 'file':
        return this.#path(event.path);
      case 'file-skipped':
        return;
      case 'end':
        return this.#line.print(this.#end(event));
    }
  }

  close(): void {
    this.#line.clear();
  }

  #importEnd({ added, known, trashed, failed, left }: ImportEnd): string {
    const parts = [this.#translate('cli.library.imported', { count: added })];
    if (known > 0) parts.push(this.#translate('cli.library.importKnown', { count: known }));
    if (trashed > 0) parts.push(this.#translate('cli.library.importTrashed', { count: trashed }));
    if (failed > 0) parts.push(this.#translate('cli.failed', { count: failed }));
    if (left > 0) parts.push(this.#translate('cli.left', { count: left }));
    return parts.join(' ');
  }

  #end({ done, skipped, failed, left, estimated, withoutHighlights }: ExportEnd): string {
    const parts = [this.#translate('cli.library.saved', { count: done })];
    if (skipped > 0) parts.push(this.#translate('cli.library.skipped', { count: skipped }));
    if (failed > 0) parts.push(this.#translate('cli.library.notSaved', { count: failed }));
    if (left > 0) parts.push(this.#translate('cli.left', { count: left }));
    if (withoutHighlights > 0)
      parts.push(this.#translate('cli.library.withoutHighlights', { count: withoutHighlights }));
    if (estimated > 0) parts.push(this.#translate('cli.library.estimated', { count: estimated }));
    return parts.join(' ');
  }

  #path(path: string): void {
    const { stdout } = this.#system;
    this.#line.writeAround(() => stdout.write(`${path}\n`));
  }

  #translate(key: string, values: Readonly<Record<string, string | number>> = {}): string {
    return this.#system.translator.translate(key, values);
  }
}

/** The outcomes in the terms of the other commands. */
const jsonOutcomes: Readonly<Record<RestoreReport['outcome'], string>> = {
  finished: 'finished',
  cancelled: 'interrupted',
  'disk-full': 'disk_full',
};

/** Reports JSON, one object per line of standard output. */
class JsonLibraryReporter implements LibraryReporter {
  readonly #system: CommandLineSystem;
  #reported: { readonly task: CliTask; readonly at: number } | null = null;

  constructor(system: CommandLineSystem) {
    this.#system = system;
  }

  report(event: LibraryEvent): void {
    if (event.type === 'progress' && !this.#isDue(event.task)) return;
    writeJson(this.#system.stdout, this.#toJson(event));
  }

  close(): void {
    this.#reported = null;
  }

  #isDue(task: CliTask): boolean {
    const at = this.#system.clock.now();
    if (this.#reported?.task === task && at - this.#reported.at < progressIntervalMs) return false;
    this.#reported = { task, at };
    return true;
  }

  #toJson(event: LibraryEvent): object {
    switch (event.type) {
      case 'left-out':
      case 'file-failed':
        return { ...event, problem: problemToJson(event.problem, this.#system.translator) };
      case 'backup': {
        const { path, count, sizeBytes } = event.backup;
        return { type: 'backup', path, transcripts: count, bytes: sizeBytes };
      }
      case 'contents': {
        const { name, createdAt, total, missing, known, trashed, differing } = event.contents;
        return { type: 'contents', name, createdAt, transcripts: total, missing, known, trashed, differing };
      }
      case 'restored': {
        const { added, addedAsCopies, outcome } = event.report;
        return { type: 'restored', outcome: jsonOutcomes[outcome], added, beside: addedAsCopies };
      }
      case 'import-end':
        return { ...event, type: 'end' };
      default:
        return event;
    }
  }
}

/** What a command does with the library; its texts are under `cli.library.task`. */
export type CliTask = 'index' | 'backup' | 'copy' | 'read' | 'restore' | 'export' | 'speakers' | 'import';

interface FileOfTranscript {
  readonly transcript: TranscriptId;
  /** The transcript's name. */
  readonly name: string;
  readonly format: ExportFormat;
}

/** Something that a command for the library reports. */
export type LibraryEvent =
  /** `total` is 0 while unknown; for `copy`, both are bytes, and for `speakers`, seconds. */
  | ({ readonly type: 'progress'; readonly task: CliTask } & Pick<TaskProgress, 'done' | 'total'>)
  /** Something named that cannot be used. */
  | { readonly type: 'left-out'; readonly name: string; readonly problem: Problem }
  | { readonly type: 'backup'; readonly backup: LibraryBackup }
  /** A backup was opened; nothing is restored yet. */
  | { readonly type: 'contents'; readonly contents: BackupContents }
  | { readonly type: 'restored'; readonly report: RestoreReport }
  | ({ readonly type: 'file'; readonly path: string } & FileOfTranscript)
  /** A file of this name exists, and was kept. */
  | ({ readonly type: 'file-skipped' } & FileOfTranscript)
  | ({ readonly type: 'file-failed'; readonly problem: Problem } & FileOfTranscript)
  | ({ readonly type: 'speakers'; readonly transcript: TranscriptId; readonly name: string } & SpeakersReport)
  | { readonly type: 'imported'; readonly transcript: TranscriptId; readonly name: string }
  /** The end of an import. */
  | ({ readonly type: 'import-end' } & ImportEnd)
  | ({ readonly type: 'end' } & ExportEnd);

/** Returns the report of a name that no transcript has. */
export const unknownName = ({ name, similar }: UnknownName): LibraryEvent => ({
  type: 'left-out',
  name,
  problem: {
    code: 'name_unknown',
    // i18next chooses the text by `context`.
    ...(similar.length > 0 && { params: { context: 'similar', name: similar.map(quoted).join(', ') } }),
  },
});

const quoted = (name: string): string => `“${printable(name)}”`;

/** The outcome of an import, in transcript files. */
interface ImportEnd {
  readonly outcome: 'finished' | 'interrupted';
  readonly added: number;
  /** How many were in the library already. */
  readonly known: number;
  /** How many were in the trash already. */
  readonly trashed: number;
  readonly failed: number;
  /** How many were not read because of a cancellation. */
  readonly left: number;
}

/** The outcome of an export, in files. */
export interface ExportEnd {
  readonly outcome: 'finished' | 'interrupted';
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
  /** How many were not written because of a cancellation. */
  readonly left: number;
  /** Transcripts without times that were written as subtitles, with estimated times. */
  readonly estimated: number;
  /** Transcripts that were left out because only highlights were to be written. */
  readonly withoutHighlights: number;
}

/** Reports work on the library. */
export type LibraryReporter = EventReporter<LibraryEvent>;
