import type {
  BatchDouble,
  BatchGroup,
  BatchRowId,
  BatchSummary,
  BatchView,
} from '../../contract/model/batch.ts';
import type { ServiceAddress } from '../../contract/model/service.ts';
import type { JobOptions } from '../../contract/options.ts';
import { examine, type Examined, type ExaminedFile, type ExaminedLink } from '../media/intake.ts';
import type { LengthOf } from '../media/probe-thread.ts';
import type { Clock } from '../ports.ts';
import { batchRowOf, ChosenSums, groupOf, optionsOf, type Candidate, type Entry } from './batch-entry.ts';
import type { ChosenRecording } from './adding.ts';
import { findInBatch, type BatchContents } from './doubles.ts';
import { ListWatch } from './queue-watch.ts';

/** So many files are asked for their length at once. */
const measuredAtOnce = 4;

/** The part of the sheet that somebody looks at. */
export interface BatchPart {
  readonly group: BatchGroup;
  readonly offset: number;
  readonly limit: number;
}

export interface BatchOptions {
  readonly clock: Clock;
  /** Where recordings go to; read anew each time that it is told. */
  readonly service: () => ServiceAddress;
  readonly options: JobOptions;
  /** Where the content of a recording is already, in the queue or in the library. */
  readonly known: (
    recording: ExaminedFile | ExaminedLink,
    signal: AbortSignal,
  ) => Promise<BatchDouble | null>;
  readonly lengthOf: LengthOf;
  readonly tell: (view: BatchView) => void;
}

/**
 * What somebody wants to add, before anything of it is: the recordings that were found with their lengths, those that
 * are there already, and what cannot be transcribed. Nothing is stored or sent before it is taken from here.
 */
export class Batch {
  readonly #options: BatchOptions;
  readonly #stop = new AbortController();
  readonly #watch: ListWatch<BatchPart, BatchView>;
  readonly #entries: Entry[] = [];
  readonly #groups: Record<BatchGroup, BatchRowId[]> = { ready: [], doubles: [], leftOut: [] };
  readonly #contents: BatchContents = new Map();
  readonly #sums = new ChosenSums();
  readonly #toMeasure: BatchRowId[] = [];
  #ofAll: JobOptions;
  #looking = 0;
  #measured = 0;
  #measurers = 0;
  #revision = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(options: BatchOptions) {
    this.#options = options;
    this.#ofAll = options.options;
    this.#watch = new ListWatch<BatchPart, BatchView>({
      clock: options.clock,
      part: { group: 'ready', offset: 0, limit: 0 },
      view: (part) => this.view(part),
      tell: options.tell,
      onEnd: () => undefined,
    });
  }

  /**
   * Looks at more paths and links, after those that it looks at already. Resolves when all were found; lengths are
   * looked for meanwhile and after that. Rejects with an error of the file system that nobody expects.
   */
  add(paths: readonly string[], links: readonly string[]): Promise<void> {
    this.#looking += 1;
    this.#touch();
    const found = this.#work.then(() => this.#find(paths, links));
    this.#work = found.catch(() => undefined);
    return found;
  }

  async #find(paths: readonly string[], links: readonly string[]): Promise<void> {
    const { signal } = this.#stop;
    try {
      for await (const examined of examine(paths, links, signal)) await this.#take(examined);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#looking -= 1;
      this.#touch();
    }
  }

  async #take(examined: Examined): Promise<void> {
    const id = this.#entries.length + 1;
    if (examined.kind === 'leftOut') {
      // The same file twice in one drop is a slip that needs no words.
      if (examined.problem.code === 'already_queued') return;
      const { name, problem } = examined;
      this.#put({ kind: 'refused', id, name, problem });
      return;
    }
    const { signal } = this.#stop;
    const again = await findInBatch(this.#contents, examined, signal);
    if (again === 'same file') return;
    const double = again ?? (await this.#options.known(examined, signal));
    signal.throwIfAborted();
    const measuring = examined.kind === 'file';
    this.#put({
      kind: 'candidate',
      id,
      recording: examined,
      double,
      own: {},
      durationSeconds: null,
      measuring,
      included: double === null,
    });
    if (!measuring) return;
    this.#toMeasure.push(id);
    if (this.#measurers < measuredAtOnce) void this.#measure();
  }

  #put(entry: Entry): void {
    this.#entries.push(entry);
    this.#groups[groupOf(entry)].push(entry.id);
    this.#sums.count(entry, 1);
    this.#touch();
  }

  async #measure(): Promise<void> {
    this.#measurers += 1;
    try {
      for (;;) {
        // In the order in which they were found, which is that of the list.
        const entry = this.#candidate(this.#toMeasure[this.#measured]);
        if (entry === null || this.#stop.signal.aborted) return;
        this.#measured += 1;
        const { recording } = entry;
        const seconds = recording.kind === 'file' ? await this.#options.lengthOf(recording.path) : null;
        this.#change(entry.id, (now) => ({ ...now, durationSeconds: seconds, measuring: false }));
      }
    } finally {
      this.#measurers -= 1;
      this.#touch();
    }
  }

  #candidate(id: BatchRowId | undefined): Candidate | null {
    const entry = id === undefined ? undefined : this.#entries[id - 1];
    return entry?.kind === 'candidate' ? entry : null;
  }

  #change(id: BatchRowId, change: (candidate: Candidate) => Candidate): void {
    const before = this.#candidate(id);
    if (before === null) return;
    const after = change(before);
    this.#sums.count(before, -1);
    this.#entries[id - 1] = after;
    this.#sums.count(after, 1);
    this.#touch();
  }

  /** Sets options: of the given recordings alone, or with `null` of all that have none of their own. */
  setOptions(ids: readonly BatchRowId[] | null, options: Partial<JobOptions>): void {
    if (ids === null) {
      this.#ofAll = { ...this.#ofAll, ...options };
      this.#touch();
    } else for (const id of ids) this.#change(id, (one) => ({ ...one, own: { ...one.own, ...options } }));
    this.#watch.flush();
  }

  /** Takes their own options from recordings. */
  clearOptions(ids: readonly BatchRowId[]): void {
    for (const id of ids) this.#change(id, (one) => ({ ...one, own: {} }));
    this.#watch.flush();
  }

  /** Chooses recordings of a group, or with `null` all of it, or leaves them out. */
  include(group: BatchGroup, ids: readonly BatchRowId[] | null, included: boolean): void {
    for (const id of ids ?? this.#groups[group]) this.#change(id, (one) => ({ ...one, included }));
    this.#watch.flush();
  }

  /** Looks at another part, and is told of it from then on. */
  look(part: BatchPart): BatchView {
    return this.#watch.look(part);
  }

  ids({ group, offset, limit }: BatchPart): readonly BatchRowId[] {
    return this.#groups[group].slice(offset, offset + limit);
  }

  view({ group, offset, limit }: BatchPart): BatchView {
    const rows = this.#groups[group].slice(offset, offset + limit).flatMap((id) => {
      const entry = this.#entries[id - 1];
      return entry === undefined ? [] : [batchRowOf(entry, this.#ofAll)];
    });
    return {
      revision: this.#revision,
      group,
      total: this.#groups[group].length,
      offset,
      rows,
      summary: this.#summary(),
    };
  }

  #summary(): BatchSummary {
    const { ready, doubles, leftOut } = this.#groups;
    const measuring = this.#measurers > 0 || this.#measured < this.#toMeasure.length;
    return {
      phase: this.#looking > 0 ? 'looking' : measuring ? 'measuring' : 'ready',
      counts: { ready: ready.length, doubles: doubles.length, leftOut: leftOut.length },
      measured: this.#measured,
      toMeasure: this.#toMeasure.length,
      chosen: this.#sums.chosen,
      service: this.#options.service(),
      options: this.#ofAll,
      withOwnOptions: this.#sums.withOwnOptions,
    };
  }

  /** What is chosen, in the order in which it was found. */
  chosen(): readonly ChosenRecording[] {
    return this.#entries.flatMap((entry) =>
      entry.kind === 'candidate' && entry.included
        ? [
            {
              recording: entry.recording,
              durationSeconds: entry.durationSeconds,
              options: optionsOf(entry, this.#ofAll),
            },
          ]
        : [],
    );
  }

  /** Something that the sheet shows has changed elsewhere, such as the service in use. */
  touch(): void {
    this.#touch();
  }

  #touch(): void {
    if (this.#stop.signal.aborted) return;
    this.#revision += 1;
    this.#watch.touch();
  }

  /** Looks no further, and tells nothing more. */
  close(): void {
    this.#stop.abort(new Error('the sheet is closed'));
    this.#watch.end();
  }
}
