import { basename } from 'node:path';
import type {
  BatchDouble,
  BatchGroup,
  BatchRowId,
  BatchSummary,
  BatchTarget,
  BatchView,
} from '../../../contract/model/batch.ts';
import type { ServiceAddress } from '../../../contract/model/service.ts';
import type { JobOptions } from '../../../contract/options.ts';
import type { Examine, Examined, ExaminedFile, ExaminedLink } from '../../media/intake.ts';
import { keptLink, shownLink } from '../../media/links.ts';
import type { LengthOf } from '../../media/probe-thread.ts';
import type { Clock } from '../../ports.ts';
import { batchRowOf, ChosenSums, groupOf, optionsOf, type Candidate, type Entry } from './batch-entry.ts';
import type { ChosenRecording } from './adding.ts';
import { findInBatch, locationOf, type BatchContents } from './doubles.ts';
import type { KeptSheet, SheetChoice, SheetId, SheetIds, SheetStore } from '../../store/sheet-store.ts';
import { ListWatch } from '../view/list-watch.ts';
import { storageProblem } from '../../storage-problem.ts';

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
  readonly examine: Examine;
  readonly lengthOf: LengthOf;
  readonly tell: (view: BatchView) => void;
  /** Remembers what is on the sheet. */
  readonly sheets: SheetStore;
  /** What was on the sheet when the program ended; `null` for a new one. */
  readonly kept: KeptSheet | null;
}

/**
 * What somebody wants to add, before anything of it is: the recordings that were found with their lengths, those that
 * are there already, and what cannot be transcribed. Nothing is sent before it is taken from here. What was given, and
 * what was decided about it, outlives the program.
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
  /** What was decided when the program ended, by location. */
  readonly #decided: ReadonlyMap<string, SheetChoice>;
  #ofAll: JobOptions;
  #looking = 0;
  #passedOver = 0;
  #measured = 0;
  #measurers = 0;
  #revision = 0;
  #work: Promise<void> = Promise.resolve();

  /** Where it is remembered. */
  readonly sheetIds: SheetIds;

  constructor(options: BatchOptions) {
    this.#options = options;
    const { kept, sheets } = options;
    this.#ofAll = kept?.options ?? options.options;
    this.#decided = new Map(kept?.choices.map((choice) => [choice.location, choice]));
    this.sheetIds = kept?.ids ?? [sheets.open(options.options)];
    this.#watch = new ListWatch<BatchPart, BatchView>({
      clock: options.clock,
      part: { group: 'ready', offset: 0, limit: 0 },
      view: (part) => this.view(part),
      tell: options.tell,
      onEnd: () => undefined,
    });
    for (const { paths, links } of kept?.additions ?? []) {
      this.#look(paths, links).catch((error: unknown) =>
        this.#tellLost([...paths, ...links.map(shownLink)], error),
      );
    }
  }

  /** What was kept cannot be looked at: the sheet itself says so, for nobody else asked. */
  #tellLost(locations: readonly string[], error: unknown): void {
    for (const location of locations) {
      const id = this.#entries.length + 1;
      const problem = storageProblem(error);
      this.#put({ kind: 'refused', id, name: basename(location), place: '', problem });
    }
  }

  /**
   * Looks at more paths and links, after those that it looks at already. Resolves when all were found; lengths are
   * looked for meanwhile and after that. Rejects with an error of the file system that nobody expects.
   */
  add(paths: readonly string[], links: readonly string[]): Promise<void> {
    this.#options.sheets.add(this.#sheetId, { paths, links: links.map(keptLink) });
    return this.#look(paths, links);
  }

  #look(paths: readonly string[], links: readonly string[]): Promise<void> {
    this.#looking += 1;
    this.#touch();
    const found = this.#work.then(() => this.#find(paths, links));
    this.#work = found.catch(() => undefined);
    return found;
  }

  async #find(paths: readonly string[], links: readonly string[]): Promise<void> {
    const { signal } = this.#stop;
    const { examine } = this.#options;
    try {
      for await (const together of examine(paths, links, signal)) {
        for (const examined of together) await this.#take(examined);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#looking -= 1;
      this.#touch();
    }
  }

  async #take(examined: Examined): Promise<void> {
    if (examined.kind === 'passedOver') {
      this.#passedOver += examined.count;
      this.#touch();
      return;
    }
    const id = this.#entries.length + 1;
    if (examined.kind === 'leftOut') {
      // The same file twice in one drop is a slip that needs no words.
      if (examined.problem.code === 'already_queued') return;
      const { name, place, problem } = examined;
      this.#put({ kind: 'refused', id, name, place, problem });
      return;
    }
    const { signal } = this.#stop;
    const again = await findInBatch(this.#contents, examined, signal);
    if (again === 'same file') return;
    const double = again ?? (await this.#options.known(examined, signal));
    signal.throwIfAborted();
    const measuring = examined.kind === 'file';
    const decided = this.#decided.get(locationOf(examined));
    this.#put({
      kind: 'candidate',
      id,
      recording: examined,
      double,
      own: decided?.options ?? {},
      durationSeconds: null,
      measuring,
      included: decided?.included ?? double === null,
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

  /** Sets options of all recordings that have none of their own. */
  setUsualOptions(options: Partial<JobOptions>): void {
    this.#ofAll = { ...this.#ofAll, ...options };
    this.#options.sheets.setOptions(this.#sheetId, this.#ofAll);
    this.#touch();
    this.#watch.flush();
  }

  /** Sets options of the given recordings alone. */
  setOptions(target: BatchTarget, options: Partial<JobOptions>): void {
    this.#decide(target, (one) => ({ ...one, own: { ...one.own, ...options } }));
  }

  /** Takes their own options from recordings. */
  clearOptions(target: BatchTarget): void {
    this.#decide(target, (one) => ({ ...one, own: {} }));
  }

  /** Chooses recordings, or leaves them out. */
  include(target: BatchTarget, included: boolean): void {
    this.#decide(target, (one) => ({ ...one, included }));
  }

  #decide(target: BatchTarget, change: (candidate: Candidate) => Candidate): void {
    const ids = this.#idsOf(target);
    for (const id of ids) this.#change(id, change);
    this.#options.sheets.choose(
      this.#sheetId,
      ids.flatMap((id) => {
        const candidate = this.#candidate(id);
        return candidate === null ? [] : [choiceOf(candidate)];
      }),
    );
    this.#watch.flush();
  }

  #idsOf(target: BatchTarget): readonly BatchRowId[] {
    if ('ids' in target) return target.ids;
    const but = new Set(target.but);
    return but.size === 0 ? this.#groups[target.all] : this.#groups[target.all].filter((id) => !but.has(id));
  }

  /** The sheet that remembers what is still to come. */
  get #sheetId(): SheetId {
    const [first, ...others] = this.sheetIds;
    return others.at(-1) ?? first;
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
      isKept: this.#options.kept !== null,
      phase: this.#looking > 0 ? 'looking' : measuring ? 'measuring' : 'ready',
      counts: { ready: ready.length, doubles: doubles.length, leftOut: leftOut.length },
      passedOver: this.#passedOver,
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

  /** Nothing of it is wanted: it is not offered again. */
  close(): void {
    this.end();
    this.#options.sheets.forget(this.sheetIds);
  }

  /** Looks no further, and tells nothing more. It stays remembered. */
  end(): void {
    this.#stop.abort(new Error('the sheet is closed'));
    this.#watch.end();
  }
}

/** What is remembered of a recording; nobody has spoken where it is as it would be by itself. */
const choiceOf = ({ recording, double, own, included }: Candidate): SheetChoice => ({
  location: locationOf(recording),
  included: included === (double === null) ? null : included,
  options: own,
});
