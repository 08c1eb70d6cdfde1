import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type {
  BatchOptions,
  Duplicate,
  AddSheetRowId,
  AddSheetSelection,
  AddSheetSummary,
  AddSheetTarget,
  AddSheetView,
} from '../../../contract/add-sheet-commands.ts';
import { hasNothingNew, hasOnlyTranscripts } from '../../../contract/sheet-transcripts.ts';
import { importableTranscripts } from '../../../contract/rejection.ts';
import type { ExportFormat } from '../../../contract/choices.ts';
import type { ImportReport } from '../../../contract/library-commands.ts';
import type { ServiceAddress } from '../../../contract/service.ts';
import type { JobOptions } from '../../../contract/options.ts';
import {
  isSource,
  type Inspect,
  type Found,
  type InspectedFile,
  type InspectedLink,
} from '../../media/inspect-files.ts';
import { ContentHashes } from '../../media/fingerprint.ts';
import { storableLink, redactLink } from '../../media/links.ts';
import type { ProbeDuration } from '../../media/duration-prober.ts';
import type { Clock } from '../../ports.ts';
import { Yielder } from '../../yielder.ts';
import {
  asCopyOf,
  sheetChoiceOf,
  isIncludedByDefault,
  type EntryChange,
  type NewEntry,
} from './sheet-entry.ts';
import { SheetDurations } from './sheet-durations.ts';
import { SheetEntries, type SheetViewport } from './sheet-entries.ts';
import type { ChosenRecording } from './item-adder.ts';
import { locationOf, ContentIndex, type QueuedDuplicate, type RecordingLocation } from './duplicates.ts';
import type { SavedSheet, SheetChoice, SheetId, SheetIds, SheetStore } from '../../store/sheet-store.ts';
import { ListSubscription } from '../view/list-subscription.ts';
import { storageProblem, storeIfPossible } from '../../storage-problem.ts';

/** Choices that are stored in one commit: each may have known terms of its own. */
const choicesPerCommit = 100;

/** Returns the sum of counts. */
const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

export interface AddSheetOptions {
  readonly clock: Clock;
  /**
   * Returns the service that recordings will be sent to; called again for each view. `chosen`: the one that was chosen
   * on the sheet; `null`: none.
   */
  readonly service: (chosen: ServiceAddress | null) => ServiceAddress;
  readonly options: JobOptions;
  /** Finds the same content in the queue or in the library. */
  readonly findDuplicate: (
    recording: InspectedFile | InspectedLink,
    hashes: ContentHashes,
  ) => Promise<Duplicate | null>;
  /** Returns what a recording is a duplicate of now; see {@link currentDuplicate}. */
  readonly currentDuplicate: (duplicate: QueuedDuplicate) => Duplicate | null;
  /** Whether one of two recordings of the same content should be transcribed rather than the other. */
  readonly isPreferredCopy: (
    recording: InspectedFile | InspectedLink,
    other: InspectedFile | InspectedLink,
  ) => boolean;
  readonly inspect: Inspect;
  readonly probeDuration: ProbeDuration;
  /** The options of the last batch, which the user can apply again; absent if there was none. */
  readonly lastOptions?: BatchOptions;
  readonly send: (view: AddSheetView) => void;
  /** Stores the sheet. */
  readonly sheets: SheetStore;
  /** The stored sheet to reopen; `null` for a new one. */
  readonly saved: SavedSheet | null;
}

/** The options that the caller sets; the queue adds the rest. */
export type SheetOptions = Pick<AddSheetOptions, 'service' | 'options' | 'lastOptions' | 'send'>;

/**
 * Shows what was found before it is added to the queue: new recordings with their durations, duplicates, and files that
 * cannot be transcribed. Nothing is sent before it is added from here. The paths and links, and the user's choices, are
 * stored and survive a restart.
 */
export class AddSheet {
  readonly #options: AddSheetOptions;
  readonly #abortController = new AbortController();
  readonly #subscription: ListSubscription<SheetViewport, AddSheetView>;
  readonly #contents = new ContentIndex();
  readonly #entries = new SheetEntries(this.#contents);
  readonly #durations: SheetDurations;
  /** The choices made before the recordings are found, for example before a restart; by location. */
  readonly #choices: Map<string, SheetChoice>;
  #defaultOptions: JobOptions;
  #formats: readonly ExportFormat[] | null;
  #chosenService: ServiceAddress | null;
  /** Rows whose choice is not stored yet. */
  #unstored: AddSheetRowId[] = [];
  /** The number of inspections that are running or waiting. */
  #inspecting = 0;
  /** See {@link SkippedFiles}. */
  readonly #skippedFiles = new Map<string, number>();
  /** How many transcripts can be imported, by the path of their file or folder. */
  readonly #transcripts = new Map<string, number>();
  /** How many transcripts were imported from this sheet. */
  #imported = 0;
  #revision = 0;
  #lastInspection: Promise<void> = Promise.resolve();

  /** The IDs of the stored sheets that were merged into this one; the last one stores further additions. */
  readonly sheetIds: SheetIds;

  constructor(options: AddSheetOptions) {
    this.#options = options;
    const { saved, sheets } = options;
    this.#defaultOptions = saved?.options ?? options.options;
    this.#formats = saved?.formats ?? null;
    this.#chosenService = saved?.service ?? null;
    this.#choices = new Map(saved?.choices.map((choice) => [choice.location, choice]));
    this.sheetIds = saved?.ids ?? [sheets.open(options.options)];
    this.#durations = new SheetDurations({
      probeDuration: options.probeDuration,
      signal: this.#abortController.signal,
      onDuration: (id, { seconds, ...rest }) =>
        this.#changeRecording(id, (entry) => ({
          ...entry,
          durationSeconds: seconds,
          ...rest,
          measuring: false,
        })),
      onBusyChange: () => this.notifyChanged(),
    });
    this.#subscription = new ListSubscription<SheetViewport, AddSheetView>({
      clock: options.clock,
      viewport: { group: 'ready', offset: 0, limit: 0 },
      view: (viewport) => this.view(viewport),
      send: options.send,
      onClose: () => undefined,
    });
    for (const { paths, links } of saved?.additions ?? []) {
      this.#inspect(paths, links).catch((error: unknown) =>
        this.#rejectAll([...paths, ...links.map(redactLink)], error),
      );
    }
  }

  /** Adds a rejection for each stored path and link that could not be inspected: no caller waits for the error. */
  #rejectAll(locations: readonly string[], error: unknown): void {
    for (const location of locations) {
      const name = basename(location);
      if (this.#entries.isFull) return this.#rejectRest(name);
      this.#addEntry({ kind: 'rejected', location, name, folderLabel: '', problem: storageProblem(error) });
    }
  }

  /**
   * Inspects more paths and links, after those that are being inspected. Resolves when all were inspected; some durations
   * may still be unknown then. Rejects with an unexpected error of the file system.
   *
   * @throws ProblemError `sheet_full` when nothing more can be stored.
   */
  add(paths: readonly string[], links: readonly string[]): Promise<void> {
    this.#options.sheets.setHidden(this.sheetIds, false);
    this.#options.sheets.add(this.#sheetId, { paths, links: links.map(storableLink) });
    return this.#inspect(paths, links);
  }

  /**
   * Adds a recording as {@link add} does, and includes it even if it is a duplicate, or already on the sheet.
   *
   * @param options its earlier options: they become the default options of an empty sheet, otherwise the options of this
   *   recording only
   */
  async addAgain(recording: RecordingLocation, options: JobOptions | null): Promise<void> {
    const isEmpty = this.#entries.counts.ready + this.#entries.counts.duplicates === 0;
    if (options !== null && isEmpty && this.#inspecting === 0) this.setDefaultOptions(options);
    const choice: SheetChoice = {
      location: locationOf(recording),
      included: 'despite-duplicate',
      options: options === null || isDeepStrictEqual(options, this.#defaultOptions) ? {} : options,
    };
    this.#choices.set(choice.location, choice);
    const added = recording.kind === 'file' ? this.add([recording.path], []) : this.add([], [recording.url]);
    this.#options.sheets.choose(this.#sheetId, [choice]);
    await added;
    const ids = this.#entries.idsAt(choice.location);
    const own = { optionOverrides: choice.options };
    const include: EntryChange = (one) => ({ ...one, ...own, choice: this.#entries.inclusion(one) });
    await this.#applyChoice({ ids }, include);
  }

  #inspect(paths: readonly string[], links: readonly string[]): Promise<void> {
    this.#inspecting += 1;
    this.notifyChanged();
    const inspection = this.#lastInspection.then(() => this.#inspectNow(paths, links));
    this.#lastInspection = inspection.catch(() => undefined);
    return inspection;
  }

  async #inspectNow(paths: readonly string[], links: readonly string[]): Promise<void> {
    const { signal } = this.#abortController;
    const hashes = new ContentHashes(signal);
    try {
      for await (const batch of this.#options.inspect(paths, links, signal)) {
        for (const inspected of batch) {
          if (this.#entries.isFull && isSource(inspected)) return this.#rejectRest(inspected.name);
          await this.#addInspected(inspected, hashes);
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#inspecting -= 1;
      if (this.#inspecting === 0 && !signal.aborted && hasNothingNew(this.#summary()))
        storeIfPossible(() => this.setHidden(true));
      this.notifyChanged();
    }
  }

  /** Says that the sheet is full. @param name the name of the latest recording that does not fit */
  #rejectRest(name: string): void {
    const problem = { code: 'sheet_full' } as const;
    // Only this message has an empty location, so the sheet shows it once.
    this.#addEntry({ kind: 'rejected', location: '', name, folderLabel: '', problem });
  }

  async #addInspected(inspected: Found, hashes: ContentHashes): Promise<void> {
    if (inspected.kind === 'skipped') {
      for (const [location, count] of inspected.counts) this.#skippedFiles.set(location, count);
      this.notifyChanged();
      return;
    }
    if (inspected.kind === 'transcripts') {
      for (const path of inspected.paths) this.#transcripts.set(path, 1);
      this.notifyChanged();
      return;
    }
    if (inspected.kind === 'rejected') {
      // From an inspection, this code means that a path was given twice: no message needed.
      if (inspected.problem.code === 'already_queued') return;
      const { folders, count } = importableTranscripts([inspected]);
      if (folders.length > 0) {
        for (const folder of folders) this.#transcripts.set(folder, count);
        this.notifyChanged();
        return;
      }
      this.#addEntry(inspected);
      return;
    }
    const { signal } = this.#abortController;
    if (!this.#contents.addLocation(inspected)) return;
    const onSheet = await this.#contents.find(inspected, hashes);
    const isPreferred = onSheet !== null && this.#options.isPreferredCopy(inspected, onSheet.recording);
    const duplicate: Duplicate | null =
      onSheet !== null && !isPreferred
        ? { kind: 'copy', name: onSheet.recording.name }
        : await this.#options.findDuplicate(inspected, hashes);
    signal.throwIfAborted();
    const choice = this.#choices.get(locationOf(inspected));
    const id = this.#addEntry({
      kind: 'recording',
      recording: inspected,
      duplicate,
      optionOverrides: choice?.options ?? {},
      durationSeconds: null,
      measuring: inspected.kind === 'file',
      unmeasured: null,
      choice: this.#entries.validChoice(choice?.included ?? null, inspected, duplicate),
    });
    if (onSheet === null || isPreferred) this.#contents.add({ id, recording: inspected }, onSheet);
    if (onSheet !== null && isPreferred)
      this.#changeRecording(onSheet.id, (entry) => asCopyOf(entry, inspected.name));
    if (inspected.kind === 'file') this.#durations.add(id, inspected.path);
  }

  #addEntry(entry: NewEntry): AddSheetRowId {
    const id = this.#entries.add(entry);
    this.notifyChanged();
    return id;
  }

  #changeRecording(id: AddSheetRowId, change: EntryChange): void {
    if (this.#entries.change(id, change) !== null) this.notifyChanged();
  }

  /** Sets options of all recordings that have none of their own. */
  setDefaultOptions(options: Partial<JobOptions>): void {
    this.#defaultOptions = { ...this.#defaultOptions, ...options };
    this.#options.sheets.setOptions(this.#sheetId, this.#defaultOptions);
    this.notifyChanged();
    this.#subscription.flush();
  }

  /** Sets the options and formats of the last batch. */
  useLastOptions(): void {
    const { lastOptions } = this.#options;
    if (lastOptions === undefined) return;
    if (lastOptions.formats !== null) this.setFormats(lastOptions.formats);
    this.setDefaultOptions(lastOptions.options);
  }

  get #canUseLastOptions(): boolean {
    const { lastOptions } = this.#options;
    if (lastOptions === undefined) return false;
    const { options, formats } = lastOptions;
    return !isDeepStrictEqual(
      { options, formats: formats ?? this.#formats },
      { options: this.#defaultOptions, formats: this.#formats },
    );
  }

  /** Sets options of the given recordings only. */
  setOptions(target: AddSheetTarget, options: Partial<JobOptions>): Promise<void> {
    return this.#applyChoice(target, (entry) => ({
      ...entry,
      optionOverrides: { ...entry.optionOverrides, ...options },
    }));
  }

  /** Removes the recordings' own options. */
  clearOptions(target: AddSheetTarget): Promise<void> {
    return this.#applyChoice(target, (entry) => ({ ...entry, optionOverrides: {} }));
  }

  /** Sets the formats that the transcripts are saved in, instead of those of the settings. */
  setFormats(formats: readonly ExportFormat[]): void {
    this.#formats = formats;
    this.#options.sheets.setFormats(this.#sheetId, formats);
    this.notifyChanged();
    this.#subscription.flush();
  }

  /** Whether everything stored about a sheet of an earlier run was restored. */
  get isComplete(): boolean {
    return this.#options.saved?.isComplete ?? true;
  }

  /** The options of recordings that have none of their own, and the formats that are saved. */
  get batchOptions(): BatchOptions {
    return { options: this.#defaultOptions, formats: this.#formats };
  }

  /** Sends the recordings to this service, instead of that of the settings. */
  useService(service: ServiceAddress): void {
    this.#options.sheets.setService(this.sheetIds, service);
    this.#chosenService = service;
    this.notifyChanged();
  }

  /** The service that recordings will be sent to. */
  get service(): ServiceAddress {
    return this.#options.service(this.#chosenService);
  }

  /** Returns the totals of recordings, whether or not they are included. */
  sum(target: AddSheetTarget): AddSheetSelection {
    return this.#entries.sum(target);
  }

  /** Includes recordings or excludes them. */
  include(target: AddSheetTarget, included: boolean): Promise<void> {
    return this.#applyChoice(target, (entry) => ({
      ...entry,
      choice: included === isIncludedByDefault(entry) ? null : included && this.#entries.inclusion(entry),
    }));
  }

  /** Shows a choice at once, and resolves when it is stored, which may take long for a great many recordings. */
  async #applyChoice(target: AddSheetTarget, change: EntryChange): Promise<void> {
    // It may have been discarded while the caller waited.
    if (this.#abortController.signal.aborted) return;
    for (const id of this.#entries.idsOf(target)) {
      this.#changeRecording(id, change);
      this.#unstored.push(id);
    }
    this.#subscription.flush();
    this.setHidden(false);
    const yielder = new Yielder(this.#options.clock);
    while (this.#storeSome()) await yielder.yieldIfDue();
  }

  /** Stores the choices of some recordings. Returns whether there are more. */
  #storeSome(): boolean {
    const ids = this.#unstored.slice(0, choicesPerCommit);
    const entries = ids.map((id) => this.#entries.recording(id)).filter((one) => one !== null);
    if (entries.length > 0) this.#options.sheets.choose(this.#sheetId, entries.map(sheetChoiceOf));
    this.#unstored.splice(0, ids.length);
    return this.#unstored.length > 0;
  }

  /** The stored sheet that receives further additions. */
  get #sheetId(): SheetId {
    const [first, ...others] = this.sheetIds;
    return others.at(-1) ?? first;
  }

  /** Changes the visible part of the sheet and returns its current view. */
  setViewport(viewport: SheetViewport): AddSheetView {
    return this.#subscription.setViewport(viewport);
  }

  ids(viewport: SheetViewport): readonly AddSheetRowId[] {
    return this.#entries.ids(viewport);
  }

  view(viewport: SheetViewport): AddSheetView {
    const changed = this.#entries.updateDuplicates(viewport, this.#options.currentDuplicate);
    // Stored before other choices, of which there may be too many for one slice.
    this.#unstored.unshift(...changed);
    storeIfPossible(() => {
      for (let count = 0; count < changed.length; count += choicesPerCommit) this.#storeSome();
    });
    const summary = this.#summary();
    return {
      revision: this.#revision,
      group: viewport.group,
      total: summary.counts[viewport.group],
      offset: viewport.offset,
      limit: viewport.limit,
      rows: this.#entries.rows(viewport, this.#defaultOptions),
      summary,
    };
  }

  #summary(): AddSheetSummary {
    return {
      isRestored: this.#options.saved !== null,
      phase: this.#inspecting > 0 ? 'scanning' : this.#durations.isBusy ? 'measuring' : 'ready',
      counts: this.#entries.counts,
      leftOut: this.#entries.leftOut,
      skippedFiles: sumOf(this.#skippedFiles),
      transcripts: {
        toImport: sumOf(this.#transcripts),
        imported: this.#imported,
      },
      measured: this.#durations.started,
      toMeasure: this.#durations.total,
      chosen: this.#entries.chosenTotals,
      secondsByAccuracy: this.#entries.secondsByAccuracy(this.#defaultOptions.accuracy),
      service: this.service,
      options: this.#defaultOptions,
      canUseLastOptions: this.#canUseLastOptions,
      withOwnOptions: this.#entries.withOwnOptions,
      formats: this.#formats,
    };
  }

  /**
   * Calls `work` with the paths of transcripts to import, or of their folders. Once all were read, they are not offered
   * again.
   *
   * @returns the report of `work`, and whether the sheet has nothing else to offer.
   */
  async importTranscripts(
    work: (paths: readonly string[]) => Promise<ImportReport>,
  ): Promise<{ readonly report: ImportReport; readonly isFinished: boolean }> {
    const paths = [...this.#transcripts.keys()];
    const report = await work(paths);
    if (report.unread !== null) return { report, isFinished: false };
    const isFinished = hasOnlyTranscripts(this.#summary());
    for (const path of paths) this.#transcripts.delete(path);
    this.#imported += report.added.length;
    this.notifyChanged();
    return { report, isFinished: isFinished && this.#transcripts.size === 0 };
  }

  /** Returns the chosen recordings, in the order in which they were found. */
  chosen(): readonly ChosenRecording[] {
    return this.#entries.chosen(this.#defaultOptions);
  }

  /** Reports that something shown on the sheet has changed, such as the default service. */
  notifyChanged(): void {
    if (this.#abortController.signal.aborted) return;
    this.#revision += 1;
    this.#subscription.notifyChanged();
  }

  /** Reports that the queue has changed, which concerns a sheet with duplicates. */
  notifyQueueChanged(): void {
    if (this.#entries.counts.duplicates > 0) this.notifyChanged();
  }

  /** Stores whether the next start offers the sheet: not if the user has hidden it, nor while it has nothing new. */
  setHidden(isHidden: boolean): void {
    const hasNothing = this.#inspecting === 0 && hasNothingNew(this.#summary());
    this.#options.sheets.setHidden(this.sheetIds, isHidden || hasNothing);
  }

  /** Deletes a hidden sheet; on a full disk, the next start does that. */
  discard(): void {
    this.#unstored = [];
    this.close();
    storeIfPossible(() => this.#options.sheets.forget(this.sheetIds));
  }

  /** Stops inspecting and sending views. The stored sheet is kept. */
  close(): void {
    // Otherwise, choices that are not stored yet would be missing when the sheet is restored.
    storeIfPossible(() => {
      while (this.#storeSome());
    });
    this.#unstored = [];
    this.#abortController.abort(new Error('the sheet is closed'));
    this.#subscription.close();
  }
}
