import { isDeepStrictEqual } from 'node:util';
import type { TranscriptId } from '../../../contract/identifiers.ts';
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

/** An edit of a transcript that the user may never have opened. */
interface LoggedReplacement {
  readonly id: TranscriptId;
  /** The transcript's revision after it. */
  readonly revision: number;
}

/** Finds and replaces a text in all transcripts and the names of their speakers: one edit per transcript, to be undone individually or all at once. */
export class ReplaceInAll {
  readonly #options: ReplaceInAllOptions;
  readonly #closed = new AbortController();
  #lastRun: readonly LoggedReplacement[] = [];

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
    const made: LoggedReplacement[] = [];
    let renamed = 0;
    let unchanged = 0;
    this.#lastRun = made;
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
      made.push({ id, revision });
      if (!isDeepStrictEqual(edits.headOf(id)?.speakers, before.speakers)) renamed += 1;
      return id;
    });
    return { changed: made.length, renamed, unchanged, cancelled };
  }

  /** Undoes the last {@link run}; transcripts edited since then keep their edits. */
  async undo(options: TaskOptions): Promise<ReplaceUndoReport> {
    const { edits } = this.#options.store;
    const left = this.#lastRun;
    this.#lastRun = [];
    let undone = 0;
    let kept = 0;
    const cancelled = await this.#each(left, options, ({ id, revision }) => {
      if (edits.revisionOf(id) !== revision) {
        kept += 1;
        return null;
      }
      edits.undo(id, revision);
      undone += 1;
      return id;
    });
    return { undone, kept, cancelled };
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
