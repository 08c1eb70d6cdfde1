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

/** Transcripts between two tellings of what has changed. */
const toldAtOnce = 50;

export interface ReplaceInAllOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Of `library-task-worker.ts`. */
  readonly worker: URL;
  /** Told of transcripts whose text is another now. */
  readonly onChange: (ids: readonly TranscriptId[]) => void;
}

/** An edit that was made for the user in a transcript they may never have opened. */
interface Made {
  readonly id: TranscriptId;
  /** The transcript's revision after it. */
  readonly revision: number;
}

/** Finds a text in all transcripts and replaces it, as one edit of each, which can be taken back there or all at once. */
export class ReplaceInAll {
  readonly #options: ReplaceInAllOptions;
  readonly #closed = new AbortController();
  #made: readonly Made[] = [];

  constructor(options: ReplaceInAllOptions) {
    this.#options = options;
  }

  /** @throws CancelledError. */
  find(query: Query, options: TaskOptions): Promise<ReplacePreview> {
    const { store, worker } = this.#options;
    return runTask(worker, 'find', { library: store.path, query }, this.#ending(options));
  }

  /** Replaces what was chosen. Called off, what is done stays done. @throws what stands in the way of storing. */
  async run({ query, replacement, targets }: ReplaceRequest, options: TaskOptions): Promise<ReplaceReport> {
    const { edits } = this.#options.store;
    const made: Made[] = [];
    let unchanged = 0;
    this.#made = made;
    const cancelled = await this.#each(targets, options, ({ id, segments }) => {
      const before = edits.revisionOf(id);
      if (before === null) {
        unchanged += 1;
        return null;
      }
      const operation = { kind: 'replace' as const, query, replacement, segments: segments ?? undefined };
      const { revision } = edits.edit(id, before, operation);
      if (revision === before) {
        unchanged += 1;
        return null;
      }
      made.push({ id, revision });
      return id;
    });
    return { changed: made.length, unchanged, cancelled };
  }

  /** Takes the last {@link run} back; what has been edited since stays as it is. */
  async undo(options: TaskOptions): Promise<ReplaceUndoReport> {
    const { edits } = this.#options.store;
    const left = this.#made;
    this.#made = [];
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

  /** Ends what is being done after the transcript that it is at. */
  close(): void {
    this.#closed.abort();
  }

  /** Does something with one transcript after the other; tells whether it was called off. */
  async #each<T>(
    all: readonly T[],
    options: TaskOptions,
    work: (one: T) => TranscriptId | null,
  ): Promise<boolean> {
    const { clock, onChange } = this.#options;
    let changed: TranscriptId[] = [];
    try {
      return await forEachYielding(all, clock, this.#ending(options), (one) => {
        const id = work(one);
        if (id !== null) changed.push(id);
        if (changed.length < toldAtOnce) return;
        onChange(changed);
        changed = [];
      });
    } finally {
      if (changed.length > 0) onChange(changed);
    }
  }

  #ending({ signal, onProgress }: TaskOptions): TaskOptions {
    return { signal: AbortSignal.any([signal, this.#closed.signal]), onProgress };
  }
}
