import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { InterruptedTask, ResumableTask } from '../../../contract/interrupted-task.ts';
import { ProblemError } from '../../../contract/problem.ts';
import type { Logger } from '../../ports.ts';
import type { Store } from '../../store/store.ts';
import { exists } from '../export/publish-file.ts';
import { importService } from '../import/import-files.ts';

/** Exports record each file; see `unfinished-exports.ts`. */
type RecordedTask = Exclude<ResumableTask['kind'], 'export'>;

const taskSchema = z.object({
  kind: z.enum(['import', 'restore'] satisfies readonly RecordedTask[]),
  /** The imported files and folders, or the restored backups. */
  paths: z.array(z.string()).min(1),
  /** What was known once all files or transcripts were counted; `null` before that. */
  found: z
    .object({
      total: z.int().nonnegative(),
      /** How many of them earlier runs of the program have done. */
      done: z.int().nonnegative(),
      /** The latest transcript of the library before it; `null` while it does not run. */
      latest: z.int().nonnegative().nullable(),
    })
    .nullable(),
});

type UnfinishedTask = z.infer<typeof taskSchema>;

/** Called with the number of files or transcripts once all are counted. */
export type OnFound = (total: number) => void;

export interface UnfinishedTasksOptions {
  readonly folder: string;
  readonly store: Store;
  readonly logger: Logger;
  /** Aborted when the program closes. */
  readonly closed: AbortSignal;
}

/** Stores the imports and restores that run, so that those that the end of the program interrupted can be resumed. */
export class UnfinishedTasks {
  readonly #path: string;
  readonly #store: Store;
  readonly #logger: Logger;
  readonly #closed: AbortSignal;
  readonly #running = new Set<UnfinishedTask>();
  /** Those of earlier runs of the program, as one for each kind. */
  readonly #interrupted = new Map<RecordedTask, UnfinishedTask>();

  constructor({ folder, store, logger, closed }: UnfinishedTasksOptions) {
    this.#path = join(folder, 'unfinished-tasks.json');
    this.#store = store;
    this.#logger = logger;
    this.#closed = closed;
    for (const task of read(this.#path)) this.#addInterrupted(task);
    // Later transcripts of the library do not count.
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
   * Runs a task that is recorded until its end. If the program closes before that, the task is an interrupted one at the
   * next start. What was interrupted is replaced if the task has all its paths: the user has started it again.
   */
  async run<T>(
    kind: RecordedTask,
    paths: readonly string[],
    work: (onFound: OnFound) => Promise<T>,
  ): Promise<T> {
    const earlier = this.#interrupted.get(kind);
    const given = new Set(paths);
    const isAgain = earlier?.paths.every((path) => given.has(path)) === true;
    if (isAgain) this.#interrupted.delete(kind);
    const task: UnfinishedTask = { kind, paths: [...paths], found: isAgain ? earlier.found : null };
    this.#start(task);
    let left: readonly string[] = isAgain ? paths : [];
    try {
      const outcome = await work((total) => this.#setFound(task, total));
      left = [];
      return outcome;
    } finally {
      this.#end(task, left);
    }
  }

  /**
   * Runs what was interrupted again; `null` if there is nothing. What cannot be found now stays an interrupted task, and
   * after an error all of it does.
   *
   * @throws ProblemError `interrupted_missing` if nothing of it can be found, as when its drive is not connected; and
   *   whatever `work` throws.
   */
  async resume<T>(
    kind: RecordedTask,
    work: (paths: readonly string[], onFound: OnFound) => Promise<T>,
  ): Promise<T | null> {
    const task = this.#interrupted.get(kind);
    if (task === undefined) return null;
    this.#interrupted.delete(kind);
    const earlierTotal = task.found?.total ?? 0;
    this.#start(task);
    let left: readonly string[] = task.paths;
    try {
      const { there, missing } = await lookFor(task.paths);
      if (there.length === 0) throw missingProblem(task);
      const outcome = await work(there, (total) => {
        // The empty folder at which a drive is mounted is there without the drive.
        if (total === 0 && earlierTotal > 0) throw missingProblem(task);
        this.#setFound(task, total);
      });
      left = missing;
      return outcome;
    } finally {
      this.#end(task, left);
    }
  }

  /** Forgets what was interrupted. */
  dismiss(kind: RecordedTask): void {
    this.#interrupted.delete(kind);
    this.#write();
  }

  /** Returns a task that no longer runs, with what it has done. */
  #stopped(task: UnfinishedTask): UnfinishedTask {
    const { kind, paths, found } = task;
    if (found === null || found.latest === null) return task;
    const { library } = this.#store;
    const done =
      kind === 'import'
        ? library.countAfter(found.latest, importService)
        : library.countRestoredAfter(found.latest);
    return { kind, paths, found: { total: found.total, done: found.done + done, latest: null } };
  }

  #start(task: UnfinishedTask): void {
    this.#running.add(task);
    this.#write();
  }

  #setFound(task: UnfinishedTask, total: number): void {
    const { kind, paths, found } = task;
    // Several backups are counted one by one.
    if (kind === 'restore' && found === null && paths.length > 1) return;
    task.found = {
      // A resumed restore finds only what is still missing.
      total: kind === 'restore' && found !== null ? found.total : total,
      done: found?.done ?? 0,
      latest: found?.latest ?? this.#store.library.latestId(),
    };
    this.#write();
  }

  /** Forgets a task except for the paths that are left, unless the program is closing. */
  #end(task: UnfinishedTask, left: readonly string[]): void {
    if (this.#closed.aborted) return;
    this.#running.delete(task);
    if (left.length === task.paths.length) this.#addInterrupted(task);
    else if (left.length > 0) this.#addInterrupted({ kind: task.kind, paths: [...left], found: null });
    this.#write();
  }

  #addInterrupted(unfinished: UnfinishedTask): void {
    const task = this.#stopped(unfinished);
    const other = this.#interrupted.get(task.kind);
    this.#interrupted.set(task.kind, other === undefined ? task : joined(other, task));
  }

  #write(): void {
    const all = [...this.#interrupted.values(), ...this.#running];
    try {
      if (all.length === 0) rmSync(this.#path, { force: true });
      else {
        writeFileSync(`${this.#path}.new`, JSON.stringify(all), { mode: 0o600 });
        renameSync(`${this.#path}.new`, this.#path);
      }
    } catch (error) {
      // The tasks themselves do not depend on it.
      this.#logger.warn('the unfinished tasks could not be stored', { error: String(error) });
    }
  }
}

function read(path: string): readonly UnfinishedTask[] {
  try {
    return z.array(taskSchema).parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return [];
  }
}

/** Returns two tasks of a kind as one. */
function joined(first: UnfinishedTask, second: UnfinishedTask): UnfinishedTask {
  const { kind } = first;
  const paths = [...new Set([...first.paths, ...second.paths])];
  if (first.found === null || second.found === null) return { kind, paths, found: null };
  return {
    kind,
    paths,
    found: {
      total: first.found.total + second.found.total,
      done: first.found.done + second.found.done,
      latest: null,
    },
  };
}

/** Returns which paths exist, and which do not. */
async function lookFor(
  paths: readonly string[],
): Promise<{ readonly there: readonly string[]; readonly missing: readonly string[] }> {
  const there: string[] = [];
  const missing: string[] = [];
  for (const path of paths) ((await exists(path)) ? there : missing).push(path);
  return { there, missing };
}

const missingProblem = ({ paths }: UnfinishedTask): ProblemError =>
  new ProblemError({ code: 'interrupted_missing', params: { name: basename(paths[0] ?? '') } });
