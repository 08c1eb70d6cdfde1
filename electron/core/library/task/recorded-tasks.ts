import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { InterruptedTask, ResumableTask } from '../../../contract/interrupted-task.ts';
import { errorCode } from '../../../contract/errors.ts';
import { ProblemError } from '../../../contract/problem.ts';
import type { Logger } from '../../ports.ts';
import type { Store } from '../../store/store.ts';
import { exists } from '../export/publish-file.ts';
import { importService } from '../../store/library/transcript-tables.ts';

/** An export has a journal of its files; see `export-journals.ts`. */
type RecordedTaskKind = Exclude<ResumableTask['kind'], 'export'>;

const taskSchema = z.object({
  kind: z.enum(['import', 'restore'] satisfies readonly RecordedTaskKind[]),
  /** The imported files and folders, or the restored backups. */
  paths: z.array(z.string()).min(1),
  /** The result of counting all files or transcripts; `null` before that. */
  found: z
    .object({
      total: z.int().nonnegative(),
      /** How many of them earlier runs of the program have done. */
      done: z.int().nonnegative(),
      /** The highest transcript ID when it started; `null` while it does not run. */
      latest: z.int().nonnegative().nullable(),
    })
    .nullable(),
});

type TaskRecord = z.infer<typeof taskSchema>;

/**
 * The maximum length of the file, in bytes. 200,000 paths fit, even if all have the greatest common length; a task
 * beyond it is not recorded, so that a page cannot fill what each start reads.
 */
const maxFileBytes = 32_000_000;

/** Called with the number of files or transcripts once all are counted. */
export type OnFound = (total: number) => void;

export interface RecordedTasksOptions {
  readonly folder: string;
  readonly store: Store;
  readonly logger: Logger;
  /** Aborted when the program closes. */
  readonly closed: AbortSignal;
}

/** Stores running imports and restores, so that those interrupted by the end of the program can be resumed. */
export class RecordedTasks {
  readonly #path: string;
  readonly #store: Store;
  readonly #logger: Logger;
  readonly #closed: AbortSignal;
  readonly #running = new Set<TaskRecord>();
  /** Tasks that earlier runs of the program did not end, merged into one for each kind. */
  readonly #interrupted = new Map<RecordedTaskKind, TaskRecord>();

  constructor({ folder, store, logger, closed }: RecordedTasksOptions) {
    this.#path = join(folder, 'unfinished-tasks.json');
    this.#store = store;
    this.#logger = logger;
    this.#closed = closed;
    const tasks = this.#read();
    for (const kind of taskSchema.shape.kind.options) {
      const [first, ...others] = tasks
        .filter((task) => task.kind === kind)
        .map((task) => this.#withProgress(task));
      if (first !== undefined) this.#interrupted.set(kind, mergeTasks([first, ...others]));
    }
    // Stores the counts now, so that transcripts that are saved later are not counted as done.
    if (this.#interrupted.size > 0) this.#write();
  }

  /** Returns what was interrupted and is neither resumed nor dismissed. */
  get interrupted(): readonly InterruptedTask[] {
    return [...this.#interrupted.values()].map(({ kind, paths, found }) => ({
      task: { kind },
      name: basename(paths[0] ?? ''),
      count: found && { done: Math.min(found.done, found.total), total: found.total },
    }));
  }

  /**
   * Records a task while it runs. If the program closes before its end, the task counts as interrupted at the next
   * start. A task that includes all paths of the interrupted one replaces it: the user has started it again. A task with so
   * many paths that the file would be too long runs without being recorded.
   */
  async run<T>(
    kind: RecordedTaskKind,
    paths: readonly string[],
    work: (onFound: OnFound) => Promise<T>,
  ): Promise<T> {
    const earlier = this.#interrupted.get(kind);
    const newPaths = new Set(paths);
    const isRestart = earlier?.paths.every((path) => newPaths.has(path)) === true;
    if (isRestart) this.#interrupted.delete(kind);
    const task: TaskRecord = { kind, paths: [...paths], found: isRestart ? earlier.found : null };
    if (!this.#start(task)) {
      if (isRestart) this.#interrupted.set(kind, earlier);
      return work(() => undefined);
    }
    let remaining: readonly string[] = isRestart ? paths : [];
    try {
      const outcome = await work((total) => this.#setFound(task, total));
      remaining = [];
      return outcome;
    } finally {
      this.#end(task, remaining);
    }
  }

  /**
   * Runs the interrupted task of a kind again; returns `null` if there is none. Paths that cannot be found now stay an
   * interrupted task; after an error, all of them do.
   *
   * @throws ProblemError `interrupted_missing` if nothing of it can be found, for example when its drive is not
   *   connected; and whatever `work` throws.
   */
  async resume<T>(
    kind: RecordedTaskKind,
    work: (paths: readonly string[], onFound: OnFound) => Promise<T>,
  ): Promise<T | null> {
    const task = this.#interrupted.get(kind);
    if (task === undefined) return null;
    this.#interrupted.delete(kind);
    const earlierTotal = task.found?.total ?? 0;
    this.#start(task);
    let remaining: readonly string[] = task.paths;
    try {
      const { existing, missing } = await splitByExistence(task.paths);
      if (existing.length === 0) throw missingError(task);
      const outcome = await work(existing, (total) => {
        // The empty folder at which a drive is mounted exists without the drive.
        if (total === 0 && earlierTotal > 0) throw missingError(task);
        this.#setFound(task, total);
      });
      remaining = missing;
      return outcome;
    } finally {
      this.#end(task, remaining);
    }
  }

  /** Forgets what was interrupted. */
  dismiss(kind: RecordedTaskKind): void {
    this.#interrupted.delete(kind);
    this.#write();
  }

  /** Returns a task that no longer runs, with the number of transcripts that it has saved. */
  #withProgress(task: TaskRecord): TaskRecord {
    const { kind, paths, found } = task;
    if (found === null || found.latest === null) return task;
    const { library } = this.#store;
    const done =
      kind === 'import'
        ? library.countAfter(found.latest, importService)
        : library.countAfterExceptQueue(found.latest);
    return { kind, paths, found: { total: found.total, done: found.done + done, latest: null } };
  }

  /** Returns whether the task is recorded from now on; one with too many paths is not. */
  #start(task: TaskRecord): boolean {
    this.#running.add(task);
    const fits = this.#write();
    if (!fits) this.#running.delete(task);
    return fits;
  }

  #setFound(task: TaskRecord, total: number): void {
    const { kind, paths, found } = task;
    // With several backups, the total is unknown until the last one is open.
    if (kind === 'restore' && found === null && paths.length > 1) return;
    task.found = {
      // A resumed restore finds only what is still missing.
      total: kind === 'restore' && found !== null ? found.total : total,
      done: found?.done ?? 0,
      latest: found?.latest ?? this.#store.library.latestId(),
    };
    this.#write();
  }

  /** Forgets a task except for its remaining paths, unless the program is closing. */
  #end(task: TaskRecord, remaining: readonly string[]): void {
    if (this.#closed.aborted) return;
    this.#running.delete(task);
    if (remaining.length === task.paths.length) this.#addInterrupted(task);
    else if (remaining.length > 0)
      this.#addInterrupted({ kind: task.kind, paths: [...remaining], found: null });
    this.#write();
  }

  #addInterrupted(record: TaskRecord): void {
    const task = this.#withProgress(record);
    const earlier = this.#interrupted.get(task.kind);
    this.#interrupted.set(task.kind, earlier === undefined ? task : mergeTasks([earlier, task]));
  }

  /** Returns what earlier runs of the program have left. A file that cannot be used is set aside. */
  #read(): readonly TaskRecord[] {
    try {
      if (statSync(this.#path).size > maxFileBytes) throw new Error('too long');
      return z.array(taskSchema).parse(JSON.parse(readFileSync(this.#path, 'utf8')));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      this.#logger.warn('the recorded tasks cannot be read', { error: String(error) });
      try {
        renameSync(this.#path, `${this.#path}-broken`);
      } catch (cause) {
        this.#logger.warn('they could not be set aside', { error: String(cause) });
      }
      return [];
    }
  }

  /** Returns false, and changes nothing, if the file would be too long. */
  #write(): boolean {
    const all = [...this.#interrupted.values(), ...this.#running];
    try {
      if (all.length === 0) rmSync(this.#path, { force: true });
      else {
        const content = Buffer.from(JSON.stringify(all));
        if (content.length > maxFileBytes) return false;
        writeFileSync(`${this.#path}.new`, content, { mode: 0o600 });
        renameSync(`${this.#path}.new`, this.#path);
      }
    } catch (error) {
      // The tasks themselves do not depend on it.
      this.#logger.warn('the recorded tasks could not be stored', { error: String(error) });
    }
    return true;
  }
}

/** Returns tasks of a kind as one. */
function mergeTasks(tasks: readonly [TaskRecord, ...TaskRecord[]]): TaskRecord {
  const [{ kind }] = tasks;
  const paths = [...new Set(tasks.flatMap((task) => task.paths))];
  const counts = tasks.flatMap(({ found }) => (found === null ? [] : [found]));
  const sum = (field: 'total' | 'done'): number => counts.reduce((total, found) => total + found[field], 0);
  const found =
    counts.length < tasks.length ? null : { total: sum('total'), done: sum('done'), latest: null };
  return { kind, paths, found };
}

/** Splits paths into those that exist and those that do not. */
async function splitByExistence(
  paths: readonly string[],
): Promise<{ readonly existing: readonly string[]; readonly missing: readonly string[] }> {
  const existing: string[] = [];
  const missing: string[] = [];
  for (const path of paths) ((await exists(path)) ? existing : missing).push(path);
  return { existing, missing };
}

const missingError = ({ paths }: TaskRecord): ProblemError =>
  new ProblemError({ code: 'interrupted_missing', params: { name: basename(paths[0] ?? '') } });
