import { isAbsolute } from 'node:path';
import type { BrowserWindow } from 'electron';
import { windowDialogs } from './window-dialogs.ts';
import type { AddSheetView, BatchOptions } from '../contract/add-sheet-commands.ts';
import type { CommandInput } from '../contract/commands.ts';
import type { ImportReport } from '../contract/library-commands.ts';
import { type Problem, ProblemError } from '../contract/problem.ts';
import type { AddReport } from '../contract/queue-commands.ts';
import type { ServiceAddress } from '../contract/service.ts';
import type { Longhand } from '../core/longhand.ts';
import type { RecordingInputs } from '../core/media/links.ts';
import { mediaExtensions } from '../core/media/media-type.ts';
import { addRequested, type CommandChoices, type CommandReply } from '../core/queue/adding/add-requested.ts';
import type { RecordingLocation } from '../core/queue/adding/duplicates.ts';
import type { Item } from '../core/item/item.ts';
import type { AdditionResult } from '../core/queue/adding/item-adder.ts';
import type { AddSheet, SheetOptions } from '../core/queue/adding/add-sheet.ts';
import type { SheetViewport } from '../core/queue/adding/sheet-entries.ts';
import { missingKeyProblem } from '../core/service-directory.ts';
import { storageProblem } from '../core/storage-problem.ts';
import type { Translator } from '../core/translator.ts';
import { systemClock } from '../core/system.ts';
import type { UserConsent } from './user-consent.ts';
import type { SettingsStore } from './settings-store.ts';

export interface RecordingAdderOptions {
  readonly window: BrowserWindow;
  readonly longhand: Longhand;
  readonly settings: SettingsStore;
  readonly translator: Translator;
  /** Is granted every added path, so that the window may import transcripts from there. */
  readonly consent: UserConsent;
  /** Called with the sheet; `null` when it is closed. */
  readonly onSheetChange: (view: AddSheetView | null) => void;
  /** Called when more is added to an open sheet, which another screen may hide. */
  readonly onSheetReused: () => void;
}

/** How long a closed sheet can be reopened, in milliseconds; longer than its message is shown. */
const reopenableMs = 60_000;

const nothingAdded: AddReport = { added: 0, firstAdded: null, rejected: [] };

/**
 * Adds recordings to the queue for a window: everything dropped, picked, pasted, named on the command line or opened with
 * Longhand is shown on the add sheet first, or added at once if the user has turned the sheet off.
 */
export class RecordingAdder {
  readonly #options: RecordingAdderOptions;
  #sheet: AddSheet | null = null;
  /** The options of the last batch. Known terms may be confidential, so they are not stored for the next start. */
  #lastOptions: BatchOptions | null = null;
  /** The recordings that the last addition without the sheet did not add, because the sheet excludes them by default. */
  #excluded: RecordingInputs | null = null;
  /** The last closed sheet, while it can be reopened. */
  #closed: { readonly sheet: AddSheet; readonly cancel: () => void } | null = null;

  constructor(options: RecordingAdderOptions) {
    this.#options = options;
    options.settings.onChange(() => this.#sheet?.notifyChanged());
    options.longhand.listen({ queueChanged: () => this.#sheet?.notifyQueueChanged() });
  }

  /** The open sheet. */
  get sheet(): AddSheet | null {
    return this.#sheet;
  }

  /** Adds recordings, or shows them on the sheet: then it resolves with `null` once all were found. */
  async add({ paths, links }: RecordingInputs): Promise<AddReport | null> {
    const { settings, consent } = this.#options;
    if (settings.get().addWithoutAsking && this.#sheet === null) return this.#addAtOnce({ paths, links });
    consent.grant(paths);
    await this.#openSheet().add(paths, links);
    return null;
  }

  /**
   * Shows the recording of an item or a transcript on the sheet, where it is included even though it has a transcript
   * already, with the options of the item.
   */
  async addAgain(target: CommandInput<'queue.addAgain'>): Promise<void> {
    const item = this.#itemOf(target);
    const recording = this.#recordingOf(target, item);
    if (recording === null) return;
    if (recording.kind === 'file') this.#options.consent.grant([recording.path]);
    await this.#openSheet().addAgain(recording, item?.options ?? null);
  }

  #itemOf(target: CommandInput<'queue.addAgain'>): Item | null {
    const id = 'id' in target ? target.id : target.item;
    return id === null ? null : this.#options.longhand.queue.get(id);
  }

  #recordingOf(target: CommandInput<'queue.addAgain'>, item: Item | null): RecordingLocation | null {
    const { transcripts } = this.#options.longhand;
    if (item?.source.kind === 'link') return item.source;
    const itemTranscript = item === null ? null : transcripts.ofItem(item);
    const transcript = 'id' in target ? (itemTranscript?.id ?? null) : target.transcript;
    const located = transcript === null ? null : (transcripts.recordingOf(transcript)?.path ?? null);
    // A transcript from another computer may have a path of another system.
    if (located !== null && isAbsolute(located)) return { kind: 'file', path: located };
    return item === null ? null : item.source;
  }

  /** Adds recordings without the sheet: those that it includes by default. {@link showExcluded} offers the others. */
  async #addAtOnce({ paths, links }: RecordingInputs): Promise<AddReport> {
    const { longhand, settings, consent } = this.#options;
    consent.grant(paths);
    const { service, options } = settings.get();
    const { added, firstAdded, rejected, excludedRecordings } = await addRequested(longhand, {
      paths,
      links,
      service: service ?? 'on-device',
      options,
      exports: null,
      again: false,
      followsSheetDefaults: true,
      signal: new AbortController().signal,
      isPersisted: true,
    });
    const excluded = excludedRecordings.paths.length + excludedRecordings.links.length;
    if (excluded > 0) this.#excluded = excludedRecordings;
    return { added, firstAdded, rejected, excluded };
  }

  /** Shows on the sheet the recordings that the last addition without it excluded. */
  async showExcluded(): Promise<void> {
    const excluded = this.#excluded;
    this.#excluded = null;
    if (excluded !== null) await this.#openSheet().add(excluded.paths, excluded.links);
  }

  /**
   * Adds the recordings of a command without the sheet, whatever the settings say, and writes the files that it asks for.
   *
   * @throws ProblemError `account_removed` when the window does not have the account that the command names
   */
  async addForCommand(
    recordings: RecordingInputs,
    choices: CommandChoices,
  ): Promise<AdditionResult & CommandReply> {
    const { longhand, settings, consent } = this.#options;
    const { service: ownService, options: ownOptions, accounts } = settings.get();
    const { service: named, options, exports, again } = choices;
    if (named !== null && named !== 'on-device' && !accounts.includes(named))
      throw new ProblemError(missingKeyProblem(named, false));
    consent.grant(recordings.paths);
    const result = await addRequested(longhand, {
      ...recordings,
      service: named ?? ownService ?? 'on-device',
      options: { ...ownOptions, ...options },
      exports,
      again,
      signal: new AbortController().signal,
      isPersisted: true,
    });
    void longhand.writeAutoExports();
    return result;
  }

  /** Asks for files or a folder in a native dialog, and adds them as {@link add} does. */
  async pick(what: 'files' | 'folder'): Promise<AddReport | null> {
    const { canceled, filePaths } = await windowDialogs.showOpenDialog(this.#options.window, {
      properties: what === 'files' ? ['openFile', 'multiSelections'] : ['openDirectory', 'multiSelections'],
      ...(what === 'files' ? { filters: this.#filters() } : {}),
    });
    return canceled ? nothingAdded : this.add({ paths: filePaths, links: [] });
  }

  #openSheet(): AddSheet {
    if (this.#sheet === null) this.#forgetClosed();
    if (this.#sheet === null) this.#refreshBalance();
    else this.#options.onSheetReused();
    this.#sheet ??= this.#options.longhand.queue.newAddSheet(this.#sheetOptions);
    return this.#sheet;
  }

  get #sheetOptions(): SheetOptions {
    const { settings, onSheetChange } = this.#options;
    return {
      service: (chosen) => this.#availableService(chosen),
      options: settings.get().options,
      ...(this.#lastOptions && { lastOptions: this.#lastOptions }),
      send: (view) => {
        // A closed sheet that can be reopened still finds recordings.
        if (this.#sheet !== null) onSheetChange(view);
      },
    };
  }

  /** The service of the recordings on the sheet, or of new ones. */
  get service(): ServiceAddress {
    return this.#sheet?.service ?? this.#availableService(null);
  }

  /** Returns the chosen service, or that of the settings if none was chosen or its account has been removed since. */
  #availableService(chosen: ServiceAddress | null): ServiceAddress {
    const { service, accounts } = this.#options.settings.get();
    const isAvailable = chosen === 'on-device' || (chosen !== null && accounts.includes(chosen));
    return isAvailable ? chosen : (service ?? 'on-device');
  }

  /** Sends the recordings on the sheet to `on-device` or to an account; the settings stay. */
  useService(service: ServiceAddress): void {
    this.#sheet?.useService(service);
    this.#refreshBalance();
  }

  /** Refreshes the credits that the sheet shows: the user may have topped up since the last response. */
  #refreshBalance(): void {
    this.#options.longhand.jobs.refreshBalances([this.service]);
  }

  /** Reopens the sheet that was open when the program ended. */
  restoreSheet(): void {
    this.#sheet ??= this.#options.longhand.queue.restoreAddSheet(this.#sheetOptions);
    this.#sheet?.notifyChanged();
  }

  /**
   * Like {@link restoreSheet}, but never throws: the start of the program must not fail because of the sheet. Returns
   * the problem if the sheet could not be restored, or not all of it.
   */
  restoreLastSheet(): Problem | null {
    try {
      this.restoreSheet();
      return this.#sheet?.isComplete === false ? { code: 'sheet_incomplete' } : null;
    } catch (error) {
      return storageProblem(error);
    }
  }

  /** Sets the part of the sheet that is shown, and returns it; `null` while there is no sheet. */
  setViewport(viewport: SheetViewport): AddSheetView | null {
    return this.#sheet?.setViewport(viewport) ?? null;
  }

  /** Closes the sheet and adds the recordings that are included; reopens it if they could not be stored. */
  async addChosen(): Promise<AddReport> {
    const sheet = this.#sheet;
    if (sheet === null) return nothingAdded;
    const { longhand } = this.#options;
    const chosen = sheet.chosen();
    const service = this.service;
    const { batchOptions } = sheet;
    this.#lastOptions = batchOptions;
    this.suspend();
    this.#options.onSheetChange(null);
    try {
      // The sheet has shown what else was rejected.
      const result = await longhand.queue.addChosen(chosen, service, sheet.sheetIds, batchOptions.formats);
      return { added: result.added, firstAdded: result.firstAdded, rejected: result.rejected };
    } catch (error) {
      this.restoreSheet();
      throw error;
    }
  }

  /** Imports the transcripts in the folders of the sheet with `work`, and closes the sheet if it has nothing else. */
  async importTranscripts(work: (paths: readonly string[]) => Promise<ImportReport>): Promise<ImportReport> {
    const sheet = this.#sheet;
    if (sheet === null) return work([]);
    const { report, isFinished } = await sheet.importTranscripts(work);
    if (isFinished && sheet === this.#sheet) {
      this.close();
      this.#forgetClosed();
    }
    return report;
  }

  /** Closes the sheet without adding anything. It can be reopened for a minute, unless the program ends. */
  close(): void {
    if (this.#sheet === null) return;
    this.#forgetClosed();
    this.#sheet.setHidden(true);
    this.#closed = {
      sheet: this.#sheet,
      cancel: systemClock.schedule(reopenableMs, () => this.#forgetClosed()),
    };
    this.#sheet = null;
    this.#options.onSheetChange(null);
  }

  /** Reopens the last closed sheet, with all choices; returns whether it could. */
  reopen(): boolean {
    if (this.#closed === null || this.#sheet !== null) return false;
    const { sheet, cancel } = this.#closed;
    sheet.setHidden(false);
    cancel();
    this.#sheet = sheet;
    this.#closed = null;
    this.#sheet.notifyChanged();
    return true;
  }

  #forgetClosed(): void {
    const closed = this.#closed;
    this.#closed = null;
    if (closed === null) return;
    closed.cancel();
    closed.sheet.discard();
  }

  /**
   * Takes the sheet off the window but keeps it stored, so that {@link restoreSheet} can reopen it, even at the next start.
   * Discards a sheet that the user has closed.
   */
  suspend(): void {
    this.#forgetClosed();
    this.#sheet?.close();
    this.#sheet = null;
  }

  #filters(): Electron.FileFilter[] {
    const { translator } = this.#options;
    return [
      { name: translator.translate('dialog.recordings'), extensions: [...mediaExtensions] },
      { name: translator.translate('dialog.allFiles'), extensions: ['*'] },
    ];
  }
}
