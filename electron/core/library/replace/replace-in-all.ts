import { isDeepStrictEqual } from 'node:util';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { undoableRuns } from '../../../contract/limits.ts';
import type {
  ReplacePreview,
  ReplaceReport,
  ReplaceUndoReport,
  ReplaceRequest,
} from '../../../contract/replace.ts';
import type { Query } from '../../../contract/transcript.ts';
import type { Clock } from '../../ports.ts';
import type { Store } from '../../store/store.ts';
import { forEachYielding } from '../task/yielding.ts';
import { runTask, type TaskOptions } from '../task/run-task.ts';

/** Changed transcripts between two notifications. */
const notifyEvery = 50;

export interface ReplaceInAllOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Of `library-task-worker.ts`. */
  readonly worker: URL;
  /** Called with transcripts whose text has changed. */
  readonly onChange: (ids: readonly TranscriptId[]) => void;
}

/** The edits of a run: for each transcript, the number of the edit in its history. */
type RunEdits = Map<TranscriptId, number>;

/** Finds and replaces a text in all transcripts and the names of their speakers: one edit per transcript, to be undone individually or all at once. */
export class ReplaceInAll {
  readonly #options: ReplaceInAllOptions;
  readonly #closed = new AbortController();
  /** The runs that can be undone, by number, without what has been undone. */
  readonly #runs = new Map<number, RunEdits>();
  #lastRun = 0;

  constructor(options: ReplaceInAllOptions) {
    this.#options = options;
  }

  /** @throws CancelledError. */
  find(query: Query, options: TaskOptions): Promise<ReplacePreview> {
    const { store, worker } = this.#options;
    return runTask(worker, 'find', { library: store.path, query }, this.#cancelOnClose(options));
  }

  /** Replaces the chosen matches. After a cancellation, completed replacements stay. @throws the database's error */
  async run({ query, replacement, targets }: ReplaceRequest, options: TaskOptions): Promise<ReplaceReport> {
    const { edits } = this.#options.store;
    const made: RunEdits = new Map();
    let renamed = 0;
    let unchanged = 0;
    const cancelled = await this.#each(targets, options, ({ id, ...places }) => {
      const before = edits.headOf(id);
      if (before === null) {
        unchanged += 1;
        return null;
      }
      const operation = { kind: 'replace' as const, query, replacement, ...places };
      const { revision } = edits.edit(id, before.revision, operation);
      if (revision === before.revision) {
        unchanged += 1;
        return null;
      }
      const after = edits.headOf(id);
      if (after !== null && after.head !== null) made.set(id, after.head);
      if (!isDeepStrictEqual(after?.speakers, before.speakers)) renamed += 1;
      return id;
    });
    return { run: this.#keep(made), changed: made.size, renamed, unchanged, cancelled };
  }

  /** Makes the edits of a run undoable in place of those of an early one. Returns its number; `null` without edits. */
  #keep(made: RunEdits): number | null {
    if (made.size === 0) return null;
    this.#lastRun += 1;
    this.#runs.set(this.#lastRun, made);
    this.#runs.delete(this.#lastRun - undoableRuns);
    return this.#lastRun;
  }

  /**
   * Undoes a {@link run}. Transcripts edited since then keep their edits; where such an edit is undone itself, this can
   * undo the rest.
   */
  async undo(run: number, options: TaskOptions): Promise<ReplaceUndoReport> {
    const { edits } = this.#options.store;
    const made: RunEdits = this.#runs.get(run) ?? new Map();
    let [undone, kept, later] = [0, 0, 0];
    const cancelled = await this.#each([...made], options, ([id, edit]) => {
      const now = edits.headOf(id);
      if (now === null || now.head !== edit) {
        kept += 1;
        if (this.#isOfLaterRun(run, id, now?.head ?? null)) later += 1;
        return null;
      }
      edits.undo(id, now.revision);
      made.delete(id);
      undone += 1;
      return id;
    });
    return { undone, kept, later, cancelled };
  }

  #isOfLaterRun(run: number, id: TranscriptId, edit: number | null): boolean {
    return [...this.#runs].some(([other, made]) => other > run && edit !== null && made.get(id) === edit);
  }

  /** Cancels the work in progress after the current transcript. */
  close(): void {
    this.#closed.abort();
  }

  /** Runs work for each transcript; returns whether it was cancelled. */
  async #each<T>(
    all: readonly T[],
    options: TaskOptions,
    work: (one: T) => TranscriptId | null,
  ): Promise<boolean> {
    const { clock, onChange } = this.#options;
    let changed: TranscriptId[] = [];
    try {
      return await forEachYielding(all, clock, this.#cancelOnClose(options), (one) => {
        const id = work(one);
        if (id !== null) changed.push(id);
        if (changed.length < notifyEvery) return;
        onChange(changed);
        changed = [];
      });
    } finally {
      if (changed.length > 0) onChange(changed);
    }
  }

  #cancelOnClose({ signal, onProgress }: TaskOptions): TaskOptions {
    return { signal: AbortSignal.any([signal, this.#closed.signal]), onProgress };
  }
}
