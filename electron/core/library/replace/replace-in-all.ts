import { isDeepStrictEqual } from 'node:util';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import type {
  PatternProblem,
  ReplacePreview,
  ReplaceQuery,
  ReplaceReport,
  ReplaceUndoReport,
  ReplaceRequest,
  StoredReplacement,
} from '../../../contract/replace.ts';
import type { Draft, MatchPosition, StoredOperation } from '../../../contract/transcript.ts';
import type { Clock } from '../../ports.ts';
import type { LaterRun } from '../../store/library/replace-runs.ts';
import type { Store } from '../../store/store.ts';
import { storageProblem } from '../../storage-problem.ts';
import { mergedSpeakers, namesAfter, replacedNames } from '../../transcript/edit/annotation-operations.ts';
import { replaceAll, replaceExpanded } from '../../transcript/edit/text-operations.ts';
import { forEachYielding } from '../task/yielding.ts';
import { cancelledWith, runTask, type TaskOptions } from '../task/run-task.ts';

/** The maximum number of transcript names in the report of an undo. */
const maxNamed = 3;

/** Changed transcripts between two notifications. */
const notifyEvery = 50;

export interface LibraryReplacerOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The URL of `library-task-worker.ts`. */
  readonly worker: URL;
  /** Called with transcripts whose text has changed. */
  readonly onChange: (ids: readonly TranscriptId[]) => void;
}

/**
 * Finds and replaces a text in all transcripts and the names of their speakers: one edit per transcript, to be undone
 * individually or all at once.
 */
export class LibraryReplacer {
  readonly #options: LibraryReplacerOptions;
  readonly #closed = new AbortController();
  /** The runs in progress. */
  readonly #running = new Set<number>();
  /** The transcripts that replacing the matches of the latest query would have made too long: they are searched last. */
  #tooLong: { readonly query: ReplaceQuery; readonly ids: ReadonlySet<TranscriptId> } | null = null;

  constructor(options: LibraryReplacerOptions) {
    this.#options = options;
  }

  /**
   * @param ids the transcripts to search; `null` for all
   * @throws CancelledError.
   */
  find(
    query: ReplaceQuery,
    ids: readonly TranscriptId[] | null,
    options: TaskOptions,
  ): Promise<ReplacePreview | PatternProblem> {
    const { store, worker } = this.#options;
    const last = [...this.#tooLongFor(query)];
    return runTask(
      worker,
      'find',
      { library: store.path, query, ids, last },
      cancelledWith(options, this.#closed.signal),
    );
  }

  #tooLongFor(query: ReplaceQuery): ReadonlySet<TranscriptId> {
    return this.#tooLong !== null && isDeepStrictEqual(this.#tooLong.query, query)
      ? this.#tooLong.ids
      : new Set();
  }

  /**
   * Replaces the chosen matches. After a cancellation or an error, completed replacements stay, as they do when the
   * program ends, and can be undone.
   *
   * @throws the database's error if nothing was replaced before
   */
  async run(request: ReplaceRequest, options: TaskOptions): Promise<ReplaceReport> {
    const { query, replacement, mergesSpeakers } = request;
    const { edits, library, replaceRuns } = this.#options.store;
    const texts = { text: query.text, replacement };
    const targets = targetEdits(request);
    const ids = targets.map(({ id }) => id);
    const run = replaceRuns.begin(texts, ids, this.#options.clock.now());
    this.#running.add(run);
    let [changed, renamed, merged, unchanged] = [0, 0, 0, 0];
    const tooLong = new Set<TranscriptId>();
    const replaceIn = ({
      id,
      operation,
      renamed: renamedNames,
      ...target
    }: TargetEdit): TranscriptId | null => {
      const before = library.isListed(id) ? edits.headOf(id) : null;
      const after = replaceRuns.makeEdit(run, id, () => {
        if (before === null) return null;
        const { revision } = edits.edit(id, before.revision, operation);
        return revision === before.revision ? null : edits.headOf(id);
      });
      if (after === null) {
        const draft = before === null ? null : edits.open(id);
        if (draft !== null && target.isTooLong(draft)) tooLong.add(id);
        else unchanged += 1;
        return null;
      }
      if (operation.matches.length > 0) changed += 1;
      const names = before?.speakers ?? [];
      if (!isDeepStrictEqual(after.speakers, names)) renamed += 1;
      if (mergesSpeakers && mergedSpeakers(names, renamedNames(names)).length > 0) merged += 1;
      return id;
    };
    let outcome: ReplaceReport['outcome'] = 'finished';
    try {
      if (await this.#forEach(targets, options, replaceIn)) outcome = 'cancelled';
      // The next start reports a run that was not finished, because the program was closed.
      if (!this.#closed.signal.aborted) replaceRuns.finish(run);
    } catch (error) {
      // The run is not finished: on a full disk, that could not be stored either.
      if (changed === 0 && renamed === 0) throw error;
      outcome = storageProblem(error);
    } finally {
      if (!this.#closed.signal.aborted) this.#running.delete(run);
      const found = { ...query, mode: request.mode };
      this.#tooLong = { query: found, ids: new Set([...this.#tooLongFor(found), ...tooLong]) };
    }
    const isNothing = changed === 0 && renamed === 0;
    return {
      run: isNothing ? null : run,
      changed,
      renamed,
      merged,
      unchanged,
      tooLong: tooLong.size,
      outcome,
    };
  }

  /** Returns the runs that can be undone, the earliest first. */
  stored(): readonly StoredReplacement[] {
    return this.#options.store.replaceRuns.stored().filter(({ run }) => !this.#running.has(run));
  }

  /** Stops reporting a run that was interrupted. */
  dismissInterruption(run: number): void {
    this.#options.store.replaceRuns.dismissInterruption(run);
  }

  /**
   * Undoes a {@link run}, including in the trash, from which a transcript may be restored. Transcripts edited since
   * then keep their edits; once those edits are undone, calling it again undoes the replacement there too.
   */
  async undo(run: number, options: TaskOptions): Promise<ReplaceUndoReport> {
    const { edits, replaceRuns } = this.#options.store;
    replaceRuns.beginUndo(run);
    let [undone, kept] = [0, 0];
    const later: LaterRun[] = [];
    const edited: TranscriptId[] = [];
    const cancelled = await this.#forEach(replaceRuns.editsOf(run), options, ({ id, edit }) => {
      const head = edits.headOf(id);
      // It was deleted, or the edit is undone already.
      if (head === null || head.lastEdit === null || head.lastEdit < edit) return null;
      if (head.lastEdit > edit) {
        kept += 1;
        const laterRun = replaceRuns.laterRun(run, { id, edit: head.lastEdit });
        if (laterRun === null) edited.push(id);
        else later.push(laterRun);
        return null;
      }
      replaceRuns.undo(run, id, () => edits.undo(id, head.revision));
      undone += 1;
      return id;
    });
    // The next start reports an undo that was not finished, because the program was closed.
    if (!this.#closed.signal.aborted) replaceRuns.dismissInterruption(run);
    const [latest] = later.toSorted((a, b) => b.run - a.run);
    return {
      undone,
      kept,
      edited: this.#options.store.library.names(edited.slice(0, maxNamed)),
      later: latest === undefined ? null : { ...latest, count: later.length },
      cancelled,
    };
  }

  /** Cancels the work in progress after the current transcript. */
  close(): void {
    this.#closed.abort();
  }

  /** Runs work for each transcript; returns whether it was cancelled. */
  async #forEach<T>(
    all: readonly T[],
    options: TaskOptions,
    work: (one: T) => TranscriptId | null,
  ): Promise<boolean> {
    const { clock, onChange } = this.#options;
    let changed: TranscriptId[] = [];
    try {
      return await forEachYielding(all, clock, cancelledWith(options, this.#closed.signal), (one) => {
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
}

/** The edit of one transcript. */
interface TargetEdit {
  readonly id: TranscriptId;
  readonly operation: ReplaceEdit & { readonly matches: readonly MatchPosition[] };
  /** Returns the names of speakers after it. */
  readonly renamed: (names: readonly string[]) => readonly string[];
  /** Whether the transcript would become longer than it may be. */
  readonly isTooLong: (draft: Draft) => boolean;
}

type ReplaceEdit = Extract<StoredOperation, { kind: 'replace' | 'replace-expanded' }>;

function targetEdits(request: ReplaceRequest): readonly TargetEdit[] {
  const { query, replacement, mergesSpeakers } = request;
  if (request.mode === 'pattern')
    return request.targets.map(({ id, matches, speakers }) => ({
      id,
      operation: { kind: 'replace-expanded', matches, speakers, mergesSpeakers },
      renamed: (names) => namesAfter(names, speakers),
      isTooLong: (draft) => replaceExpanded(draft, matches) === null,
    }));
  return request.targets.map(({ id, ...target }) => {
    const edit = { query, replacement, ...target };
    return {
      id,
      operation: { kind: 'replace', ...edit, mergesSpeakers },
      renamed: (names) => replacedNames(names, edit),
      isTooLong: (draft) => replaceAll(draft, edit) === null,
    };
  });
}
