import type { Duplicate } from '../../../contract/add-sheet-commands.ts';
import type { ExportFormat } from '../../../contract/choices.ts';
import type { ItemId } from '../../../contract/identifiers.ts';
import type { Problem } from '../../../contract/problem.ts';
import type { Rejection } from '../../../contract/rejection.ts';
import type { AddReport } from '../../../contract/queue-commands.ts';
import type { ServiceAddress } from '../../../contract/service.ts';
import type { JobOptions } from '../../../contract/options.ts';
import { assignToMissing } from '../../library/recordings.ts';
import { possibleAutoExports } from '../../library/export/auto-export-writer.ts';
import {
  isSource,
  type Inspect,
  type InspectedFile,
  type InspectedLink,
  type InspectedSource,
} from '../../media/inspect-files.ts';
import type { ProbeDuration, ProbedDuration } from '../../media/duration-prober.ts';
import { storableLink, type RecordingInputs } from '../../media/links.ts';
import { ContentHashes } from '../../media/fingerprint.ts';
import { delay } from '../../delay.ts';
import type { Clock, Random } from '../../ports.ts';
import type { SheetId } from '../../store/sheet-store.ts';
import type { Store } from '../../store/store.ts';
import type { AutoExport } from '../../store/auto-export-store.ts';
import { Yielder } from '../../yielder.ts';
import {
  AdditionContents,
  findDuplicate,
  isInQueueOrLibrary,
  preferredFirst,
  type KnownScope,
} from './duplicates.ts';
import { isProbablyUnusable } from './sheet-entry.ts';
import type { FileSource, NewItem, Source } from '../../item/item.ts';

/** Chosen items per commit. */
const commitSize = 64;

/** Recordings of a watched folder. */
export interface WatchedRecordings {
  /** No symbolic link below it is followed, neither now nor when an item is retried. */
  readonly folder: string;
  /** Their fingerprints by path: files that are not listed, or whose content differs, are rejected. */
  readonly fingerprints: ReadonlyMap<string, string>;
  /** Called with new items by path in the commit that stores them, so that both are recorded or neither. */
  readonly onStored: (ids: ReadonlyMap<string, ItemId>) => void;
  /** Called with the path of a rejected file. */
  readonly onRejected: (path: string, problem: Problem) => void;
}

/** What to add to the queue, and how. */
export interface Additions {
  readonly paths: readonly string[];
  readonly links: readonly string[];
  readonly service: ServiceAddress;
  readonly options: JobOptions;
  /** The auto exports of the new items, whatever the settings say; `null`: those of the settings when each item is done. */
  readonly autoExports: readonly AutoExport[] | null;
  readonly signal: AbortSignal;
  /** Given if the paths are those of a watched folder; implies the {@link knownScope} `all`. */
  readonly watched?: WatchedRecordings;
  /** Whether the next start offers these on a sheet if the program ends before all are in the queue. */
  readonly isPersisted?: boolean;
  /**
   * Which recordings count as known and are rejected as `already_transcribed` or `already_queued`, even if their item can
   * be retried. Absent: `unfinished`.
   */
  readonly knownScope?: KnownScope;
  /**
   * Whether to reject everything that the add sheet excludes by default: implies the {@link knownScope} `all`, and
   * rejects files that are probably unusable.
   */
  readonly followsSheetDefaults?: boolean;
}

/** A recording that the user has chosen on a sheet. */
export interface ChosenRecording {
  readonly recording: InspectedFile | InspectedLink;
  readonly durationSeconds: number | null;
  /** See {@link Item.statedSeconds}. */
  readonly statedSeconds: number | null;
  readonly options: JobOptions;
  /** Whether the sheet has shown it as a duplicate of a transcript or of a waiting item, and the user included it. */
  readonly isAcceptedDuplicate: boolean;
}

export interface AdditionResult extends AddReport {
  readonly ids: readonly ItemId[];
  /** What was rejected only because the sheet excludes it by default; see {@link Additions.followsSheetDefaults}. */
  readonly excludedRecordings: RecordingInputs;
}

export interface ItemAdderOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly inspect: Inspect;
  readonly probeDuration: ProbeDuration;
  /** Called when some items were stored. */
  readonly onStored: () => void;
}

/** Adds recordings to the queue, one call after the other: each must see what earlier calls have added. */
export class ItemAdder {
  readonly #options: ItemAdderOptions;
  readonly #abortController = new AbortController();
  #lastAddition: Promise<unknown> = Promise.resolve();
  #abandoned = false;

  constructor(options: ItemAdderOptions) {
    this.#options = options;
  }

  /**
   * @throws the signal's reason when it is aborted, or an error when the queue is closed; what was found is kept.
   * ProblemError `sheet_full` when too much is being added already.
   */
  add(additions: Additions): Promise<AdditionResult> {
    const signal = AbortSignal.any([additions.signal, this.#abortController.signal]);
    const { store } = this.#options;
    const { sheets } = store;
    const sheetIds =
      additions.isPersisted === true ? [store.transaction(() => this.#persist(additions))] : [];
    const added = this.#lastAddition.then(async () => {
      const result = await this.#add({ ...additions, signal });
      sheets.forget(sheetIds);
      return result;
    });
    this.#lastAddition = added.catch(() => undefined);
    return added;
  }

  #persist({ paths, links, options, service, autoExports }: Additions): SheetId {
    const { sheets } = this.#options.store;
    const id = sheets.open(options);
    sheets.setService([id], service);
    // A sheet stores formats, but no folder for them.
    if (autoExports !== null) sheets.setFormats(id, [...new Set(autoExports.map(({ format }) => format))]);
    sheets.add(id, { paths, links: links.map(storableLink) });
    return id;
  }

  /**
   * Adds the chosen recordings, including duplicates that the user has seen; not those that were added elsewhere while the
   * sheet was open, such as by the command line.
   */
  addChosen(
    chosen: readonly ChosenRecording[],
    service: ServiceAddress,
    sheets: readonly SheetId[],
    formats: readonly ExportFormat[] | null,
  ): Promise<AdditionResult> {
    const added = this.#lastAddition.then(() => this.#addChosen(chosen, service, sheets, formats));
    this.#lastAddition = added.catch(() => undefined);
    return added;
  }

  async #addChosen(
    chosen: readonly ChosenRecording[],
    service: ServiceAddress,
    sheets: readonly SheetId[],
    formats: readonly ExportFormat[] | null,
  ): Promise<AdditionResult> {
    const { store, clock, onStored } = this.#options;
    const ids: ItemId[] = [];
    const { wanted, rejected } = await this.#withoutAddedMeanwhile(chosen);
    if (sheets.length > 0) store.sheets.resetInclusions(sheets);
    for (let first = 0; first === 0 || first < wanted.length; first += commitSize) {
      if (this.#abandoned) break;
      const items = wanted
        .slice(first, first + commitSize)
        .map(({ recording, durationSeconds, statedSeconds, options }) => ({
          ...this.#itemOf(recording, durationSeconds, service, options),
          statedSeconds,
        }));
      const isLast = first + commitSize >= wanted.length;
      const stored = store.transaction(() => {
        if (isLast) store.sheets.forget(sheets);
        const added = store.items.add(items);
        if (formats !== null) store.autoExports.chooseFormats(added, formats);
        return added;
      });
      ids.push(...stored);
      onStored();
      // Other work runs between two commits.
      await delay(clock, 0);
    }
    const firstAdded = wanted[0]?.recording.name ?? null;
    return { added: ids.length, firstAdded, ids, rejected, excludedRecordings: { paths: [], links: [] } };
  }

  async #withoutAddedMeanwhile(
    chosen: readonly ChosenRecording[],
  ): Promise<{ readonly wanted: readonly ChosenRecording[]; readonly rejected: readonly Rejection[] }> {
    const { store, clock } = this.#options;
    const { signal } = this.#abortController;
    const hashes = new ContentHashes(signal);
    const yielder = new Yielder(clock);
    const wanted: ChosenRecording[] = [];
    const rejected: Rejection[] = [];
    for (const one of chosen) {
      await yielder.yieldIfDue();
      const { name } = one.recording;
      // While the queue closes, what was chosen is stored unchecked: a comparison of files may take long.
      const duplicate =
        one.isAcceptedDuplicate || signal.aborted
          ? null
          : await findDuplicate(store, one.recording, hashes).catch((error: unknown) => {
              if (signal.aborted) return null;
              throw error;
            });
      if (duplicate !== null && isInQueueOrLibrary(duplicate))
        rejected.push({ name, problem: this.#knownProblem(duplicate, { name }) });
      else wanted.push(one);
    }
    return { wanted, rejected };
  }

  #itemOf(
    recording: InspectedFile | InspectedLink,
    durationSeconds: number | null,
    service: ServiceAddress,
    options: JobOptions,
  ): NewItem {
    const { clock, random } = this.#options;
    const { name, folderLabel } = recording;
    const source = sourceOf(recording);
    const seed = random.uuid();
    return { service, source, name, folderLabel, durationSeconds, options, addedAt: clock.now(), seed };
  }

  /** Stops all additions; resolves when what was found so far is stored. */
  async close(): Promise<void> {
    this.#abortController.abort(new Error('the queue is closed'));
    await this.#lastAddition;
  }

  /** Stops all additions and stores nothing more. */
  abandon(): void {
    this.#abandoned = true;
    this.#abortController.abort(new Error('the queue is closed'));
  }

  async #add(additions: Additions): Promise<AdditionResult> {
    const { store, inspect, onStored } = this.#options;
    const ids: ItemId[] = [];
    let firstAdded: string | null = null;
    const rejected: Rejection[] = [];
    const excludedRecordings = { paths: new Array<string>(), links: new Array<string>() };
    const batch: NewItem[] = [];
    const contents = new AdditionContents(store, knownScopeOf(additions), additions.signal);
    const flush = (): void => {
      if (batch.length === 0 || this.#abandoned) return;
      store.transaction(() => {
        const added = store.items.add(batch);
        const { autoExports } = additions;
        if (autoExports !== null) {
          // Excludes the formats of the settings: only the requested ones are written.
          store.autoExports.chooseFormats(added, []);
          batch.forEach(({ source }, index) => {
            const id = added[index];
            if (id !== undefined) store.autoExports.request(id, possibleAutoExports(source, autoExports));
          });
        }
        additions.watched?.onStored(idsByPath(batch, added));
        ids.push(...added);
      });
      firstAdded ??= batch[0]?.name ?? null;
      batch.length = 0;
      onStored();
    };
    try {
      for await (const group of inspect(additions.paths, additions.links, additions.signal)) {
        for (const inspected of preferredFirst(store, group)) {
          if (!isSource(inspected)) continue;
          const item = await this.#itemOrRejection(inspected, additions, contents);
          if ('problem' in item) {
            rejected.push(item);
            if (additions.followsSheetDefaults === true && isAddable(item)) {
              if (inspected.kind === 'file') excludedRecordings.paths.push(inspected.path);
              else if (inspected.kind === 'link') excludedRecordings.links.push(inspected.url);
            }
            const path = filePathOf(inspected);
            if (path !== null) additions.watched?.onRejected(path, item.problem);
          } else batch.push(item);
        }
        flush();
      }
    } finally {
      // What was found before an abort is kept: the user asked for it.
      flush();
    }
    return { added: ids.length, firstAdded, ids, rejected, excludedRecordings };
  }

  /**
   * Returns the new item of a recording, or why there is none.
   *
   * @param contents the recordings that the same call has found so far; this one is added to it
   */
  async #itemOrRejection(
    inspected: InspectedSource,
    { service, options, watched, signal, followsSheetDefaults = false }: Additions,
    contents: AdditionContents,
  ): Promise<NewItem | Rejection> {
    if (inspected.kind === 'rejected') return { name: inspected.name, problem: inspected.problem };
    const source = sourceOf(inspected);
    const { name } = inspected;
    const named = { name, ...(inspected.kind === 'file' ? { path: inspected.path } : {}) };
    if (
      watched !== undefined &&
      (source.kind !== 'file' || watched.fingerprints.get(source.path) !== source.fingerprint)
    )
      return { name, problem: { code: 'file_changed', params: { name } } };
    const duplicate = await contents.find(inspected);
    if (duplicate !== null) {
      if (duplicate.kind !== 'copy') contents.add(inspected);
      // Not a file of a watched folder: it may be a temporary copy of an original whose drive is not connected.
      if ('transcriptId' in duplicate && watched === undefined && inspected.kind === 'file')
        await assignToMissing(this.#options.store.transcripts, inspected);
      return { name, problem: this.#knownProblem(duplicate, named) };
    }
    let duration: ProbedDuration | null = null;
    if (followsSheetDefaults && inspected.kind === 'file') {
      signal.throwIfAborted();
      duration = await this.#options.probeDuration(inspected.path);
      if (isProbablyUnusable(duration))
        return {
          name,
          problem: { code: 'probably_unusable', params: { ...named, ...unusableContext(duration) } },
        };
    }
    contents.add(inspected);
    // An unknown duration is probed once the item is stored.
    const item = {
      ...this.#itemOf(inspected, duration?.seconds ?? null, service, options),
      statedSeconds: duration?.statedSeconds ?? null,
    };
    return watched === undefined || source.kind !== 'file'
      ? item
      : { ...item, source: { ...source, watchedFolder: watched.folder } };
  }

  /** Returns why a known recording is rejected, with its item, if that is in the queue, and its transcript. */
  #knownProblem(duplicate: Duplicate, named: NonNullable<Problem['params']>): Problem {
    if (!('transcriptId' in duplicate)) {
      const item = 'itemId' in duplicate ? { item: duplicate.itemId } : {};
      return { code: 'already_queued', params: { ...named, ...item } };
    }
    const { store } = this.#options;
    const { transcriptId: transcript, isTrashed } = duplicate;
    const { itemId: item = null, name: known = '' } = store.transcripts.get(transcript) ?? {};
    const isQueued = item !== null && store.items.get(item) !== null;
    // The context by which i18next chooses the text.
    const context = isTrashed ? 'trash' : known === named['name'] ? null : 'renamed';
    const params = {
      ...named,
      transcript,
      known,
      ...(isQueued && { item }),
      ...(context !== null && { context }),
    };
    return { code: 'already_transcribed', params };
  }
}

/** Where the user is not asked, nothing may be paid for twice. */
const knownScopeOf = ({ watched, followsSheetDefaults = false, knownScope }: Additions): KnownScope =>
  followsSheetDefaults || watched !== undefined ? 'all' : (knownScope ?? 'unfinished');

/** Whether a rejected recording could be added: the add sheet only excludes it. */
const isAddable = ({ problem: { code } }: Rejection): boolean =>
  code === 'already_transcribed' || code === 'probably_unusable';

/** Returns the path of an inspected file, including a rejected one; `null` for a link. */
function filePathOf(inspected: InspectedSource): string | null {
  if (inspected.kind === 'file') return inspected.path;
  const path = inspected.kind === 'rejected' ? inspected.problem.params?.['path'] : undefined;
  return typeof path === 'string' ? path : null;
}

/** Returns the IDs of items by the path of their file. @param ids the IDs of `items`, in the same order */
function idsByPath(items: readonly NewItem[], ids: readonly ItemId[]): ReadonlyMap<string, ItemId> {
  const byPath = new Map<string, ItemId>();
  items.forEach(({ source }, index) => {
    const id = ids[index];
    if (source.kind === 'file' && id !== undefined) byPath.set(source.path, id);
  });
  return byPath;
}

const sourceOf = (inspected: InspectedFile | InspectedLink): Source =>
  inspected.kind === 'file' ? fileSourceOf(inspected) : { kind: 'link', url: inspected.url };

/** Returns what an item stores about its file. */
export const fileSourceOf = (file: InspectedFile): FileSource => ({
  kind: 'file',
  path: file.path,
  sizeBytes: file.sizeBytes,
  mtimeMs: file.mtimeMs,
  inode: file.inode,
  mimeType: file.mimeType,
  fingerprint: file.fingerprint,
});

/** Returns why a file is probably unusable, as parameters of its problem. */
const unusableContext = ({ unmeasured, presentPercent }: ProbedDuration): Record<string, string | number> =>
  presentPercent === undefined
    ? { context: unmeasured ?? '' }
    : { context: 'incomplete', percent: presentPercent };
