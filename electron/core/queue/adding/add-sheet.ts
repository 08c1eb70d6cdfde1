import { basename } from 'node:path';
import type {
  Duplicate,
  AddSheetRowId,
  AddSheetSummary,
  AddSheetTarget,
  AddSheetView,
} from '../../../contract/add-sheet.ts';
import { importableTranscripts } from '../../../contract/rejection.ts';
import type { ServiceAddress } from '../../../contract/service.ts';
import type { JobOptions } from '../../../contract/options.ts';
import type {
  Inspect,
  Inspected,
  InspectedFile,
  InspectedLink,
  RejectedSource,
} from '../../media/inspect-files.ts';
import { storableLink, shownLink } from '../../media/links.ts';
import type { ProbeDuration } from '../../media/duration-prober.ts';
import type { Clock } from '../../ports.ts';
import type { Candidate, NewEntry } from './sheet-entry.ts';
import { SheetDurations } from './sheet-durations.ts';
import { SheetEntries, type SheetPart } from './sheet-entries.ts';
import type { ChosenRecording } from './intake-queue.ts';
import { findOnSheet, locationOf, type SheetContents } from './duplicates.ts';
import type { SavedSheet, SheetChoice, SheetId, SheetIds, SheetStore } from '../../store/sheet-store.ts';
import { ListWatch } from '../view/list-watch.ts';
import { storageProblem } from '../../storage-problem.ts';

export interface AddSheetOptions {
  readonly clock: Clock;
  /** Where recordings go to; read anew each time that it is told. */
  readonly service: () => ServiceAddress;
  readonly options: JobOptions;
  /** Where the content of a recording is already, in the queue or in the library. */
  readonly findDuplicate: (
    recording: InspectedFile | InspectedLink,
    signal: AbortSignal,
  ) => Promise<Duplicate | null>;
  readonly inspect: Inspect;
  readonly lengthOf: ProbeDuration;
  readonly tell: (view: AddSheetView) => void;
  /** Remembers what is on the sheet. */
  readonly sheets: SheetStore;
  /** What was on the sheet when the program ended; `null` for a new one. */
  readonly kept: SavedSheet | null;
}

/** What whoever opens a sheet says of it; the queue adds the rest. */
export type SheetOptions = Pick<AddSheetOptions, 'service' | 'options' | 'tell'>;

/**
 * What somebody wants to add, before anything of it is: the recordings that were found with their lengths, those that
 * are there already, and what cannot be transcribed. Nothing is sent before it is taken from here. What was given, and
 * what was decided about it, outlives the program.
 */
export class AddSheet {
  readonly #options: AddSheetOptions;
  readonly #stop = new AbortController();
  readonly #watch: ListWatch<SheetPart, AddSheetView>;
  readonly #list = new SheetEntries();
  readonly #contents: SheetContents = new Map();
  readonly #lengths: SheetDurations;
  /** What was decided when the program ended, by location. */
  readonly #decided: ReadonlyMap<string, SheetChoice>;
  #defaultOptions: JobOptions;
  #looking = 0;
  #passedOver = 0;
  /** Folders without recordings that hold transcripts. */
  readonly #ofTranscripts: RejectedSource[] = [];
  #revision = 0;
  #work: Promise<void> = Promise.resolve();

  /** Where it is remembered. */
  readonly sheetIds: SheetIds;

  constructor(options: AddSheetOptions) {
    this.#options = options;
    const { kept, sheets } = options;
    this.#defaultOptions = kept?.options ?? options.options;
    this.#decided = new Map(kept?.choices.map((choice) => [choice.location, choice]));
    this.sheetIds = kept?.ids ?? [sheets.open(options.options)];
    this.#lengths = new SheetDurations({
      lengthOf: options.lengthOf,
      signal: this.#stop.signal,
      onLength: (id, durationSeconds) =>
        this.#change(id, (now) => ({ ...now, durationSeconds, measuring: false })),
      onIdle: () => this.touch(),
    });
    this.#watch = new ListWatch<SheetPart, AddSheetView>({
      clock: options.clock,
      part: { group: 'ready', offset: 0, limit: 0 },
      view: (part) => this.view(part),
      send: options.tell,
      onEnd: () => undefined,
    });
    for (const { paths, links } of kept?.additions ?? []) {
      this.#look(paths, links).catch((error: unknown) =>
        this.#rejectLost([...paths, ...links.map(shownLink)], error),
      );
    }
  }

  /** What was kept cannot be looked at: the sheet itself says so, for nobody else asked. */
  #rejectLost(locations: readonly string[], error: unknown): void {
    for (const location of locations) {
      const problem = storageProblem(error);
      this.#put({ kind: 'refused', name: basename(location), place: '', problem });
    }
  }

  /**
   * Looks at more paths and links, after those that it looks at already. Resolves when all were found; lengths are
   * looked for meanwhile and after that. Rejects with an error of the file system that nobody expects.
   */
  add(paths: readonly string[], links: readonly string[]): Promise<void> {
    this.#options.sheets.add(this.#sheetId, { paths, links: links.map(storableLink) });
    return this.#look(paths, links);
  }

  #look(paths: readonly string[], links: readonly string[]): Promise<void> {
    this.#looking += 1;
    this.touch();
    const found = this.#work.then(() => this.#find(paths, links));
    this.#work = found.catch(() => undefined);
    return found;
  }

  async #find(paths: readonly string[], links: readonly string[]): Promise<void> {
    const { signal } = this.#stop;
    const { inspect } = this.#options;
    try {
      for await (const together of inspect(paths, links, signal)) {
        for (const examined of together) await this.#addExamined(examined);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#looking -= 1;
      this.touch();
    }
  }

  async #addExamined(examined: Inspected): Promise<void> {
    if (examined.kind === 'skipped') {
      this.#passedOver += examined.count;
      this.touch();
      return;
    }
    if (examined.kind === 'rejected') {
      // The same file twice in one drop is a slip that needs no words.
      if (examined.problem.code === 'already_queued') return;
      const { name, place, problem } = examined;
      if (problem.code === 'folder_of_transcripts') this.#ofTranscripts.push(examined);
      this.#put({ kind: 'refused', name, place, problem });
      return;
    }
    const { signal } = this.#stop;
    const again = await findOnSheet(this.#contents, examined, signal);
    if (again === 'same file') return;
    const double = again ?? (await this.#options.findDuplicate(examined, signal));
    signal.throwIfAborted();
    const decided = this.#decided.get(locationOf(examined));
    const id = this.#put({
      kind: 'candidate',
      recording: examined,
      double,
      own: decided?.options ?? {},
      durationSeconds: null,
      measuring: examined.kind === 'file',
      included: decided?.included ?? double === null,
    });
    if (examined.kind === 'file') this.#lengths.add(id, examined.path);
  }

  #put(entry: NewEntry): AddSheetRowId {
    const id = this.#list.put(entry);
    this.touch();
    return id;
  }

  #change(id: AddSheetRowId, change: (candidate: Candidate) => Candidate): void {
    if (this.#list.change(id, change) !== null) this.touch();
  }

  /** Sets options of all recordings that have none of their own. */
  setUsualOptions(options: Partial<JobOptions>): void {
    this.#defaultOptions = { ...this.#defaultOptions, ...options };
    this.#options.sheets.setOptions(this.#sheetId, this.#defaultOptions);
    this.touch();
    this.#watch.flush();
  }

  /** Sets options of the given recordings alone. */
  setOptions(target: AddSheetTarget, options: Partial<JobOptions>): void {
    this.#decide(target, (one) => ({ ...one, own: { ...one.own, ...options } }));
  }

  /** Takes their own options from recordings. */
  clearOptions(target: AddSheetTarget): void {
    this.#decide(target, (one) => ({ ...one, own: {} }));
  }

  /** Chooses recordings, or leaves them out. */
  include(target: AddSheetTarget, included: boolean): void {
    this.#decide(target, (one) => ({ ...one, included }));
  }

  #decide(target: AddSheetTarget, change: (candidate: Candidate) => Candidate): void {
    const ids = this.#list.idsOf(target);
    for (const id of ids) this.#change(id, change);
    this.#options.sheets.choose(
      this.#sheetId,
      ids.flatMap((id) => {
        const candidate = this.#list.candidate(id);
        return candidate === null ? [] : [choiceOf(candidate)];
      }),
    );
    this.#watch.flush();
  }

  /** The sheet that remembers what is still to come. */
  get #sheetId(): SheetId {
    const [first, ...others] = this.sheetIds;
    return others.at(-1) ?? first;
  }

  /** Looks at another part, and is told of it from then on. */
  look(part: SheetPart): AddSheetView {
    return this.#watch.look(part);
  }

  ids(part: SheetPart): readonly AddSheetRowId[] {
    return this.#list.ids(part);
  }

  view(part: SheetPart): AddSheetView {
    const summary = this.#summary();
    const { group, offset } = part;
    return {
      revision: this.#revision,
      group,
      total: summary.counts[group],
      offset,
      rows: this.#list.rows(part, this.#defaultOptions),
      summary,
    };
  }

  #summary(): AddSheetSummary {
    return {
      isRestored: this.#options.kept !== null,
      phase: this.#looking > 0 ? 'looking' : this.#lengths.busy ? 'measuring' : 'ready',
      counts: this.#list.counts,
      skippedFiles: this.#passedOver,
      transcripts: importableTranscripts(this.#ofTranscripts),
      measured: this.#lengths.asked,
      toMeasure: this.#lengths.total,
      chosen: this.#list.chosenSums,
      service: this.#options.service(),
      options: this.#defaultOptions,
      withOwnOptions: this.#list.withOwnOptions,
    };
  }

  /** What is chosen, in the order in which it was found. */
  chosen(): readonly ChosenRecording[] {
    return this.#list.chosen(this.#defaultOptions);
  }

  /** Something that the sheet shows has changed, here or elsewhere, such as the service in use. */
  touch(): void {
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
