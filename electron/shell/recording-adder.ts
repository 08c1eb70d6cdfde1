import { dialog, type BrowserWindow } from 'electron';
import type { BatchView } from '../contract/add-sheet.ts';
import type { AddReport } from '../contract/queue.ts';
import type { ServiceAddress } from '../contract/service.ts';
import type { Longhand } from '../core/longhand.ts';
import type { NamedRecordings } from '../core/media/links.ts';
import { mediaExtensions } from '../core/media/media-type.ts';
import type { Batch, SheetOptions } from '../core/queue/adding/batch.ts';
import type { BatchPart } from '../core/queue/adding/batch-list.ts';
import type { Words } from '../core/words.ts';
import type { SettingsStore } from './settings-store.ts';

export interface WindowAddingOptions {
  readonly window: BrowserWindow;
  readonly longhand: Longhand;
  readonly settings: SettingsStore;
  readonly words: Words;
  /** Told how the sheet is; `null` when it is closed. */
  readonly tell: (view: BatchView | null) => void;
}

const nothingAdded: AddReport = { added: 0, leftOut: [] };

/**
 * The one way into the queue of a window: whatever is dropped, picked, pasted, named on the command line or opened with
 * Longhand is shown on a sheet first, or added at once when the user wants no sheet.
 */
export class WindowAdding {
  readonly #options: WindowAddingOptions;
  #batch: Batch | null = null;
  /** Chosen on the sheet, for its recordings alone. */
  #chosenService: ServiceAddress | null = null;

  constructor(options: WindowAddingOptions) {
    this.#options = options;
    options.settings.onChange(() => this.#batch?.touch());
  }

  /** The sheet, if there is one. */
  get batch(): Batch | null {
    return this.#batch;
  }

  /**
   * Adds recordings, or shows them on the sheet: then it answers `null`, and does so when all of them were found.
   *
   * @param without whether no sheet is wanted, whatever the settings say.
   */
  async add({ paths, links }: NamedRecordings, without = false): Promise<AddReport | null> {
    const { longhand, settings } = this.#options;
    const { service, options, addWithoutAsking } = settings.get();
    if (!without && (!addWithoutAsking || this.#batch !== null)) {
      await this.#openBatch().add(paths, links);
      return null;
    }
    const { added, leftOut } = await longhand.queue.add({
      paths,
      links,
      service: service ?? 'on-device',
      options,
      wanted: [],
      signal: new AbortController().signal,
      isKept: true,
    });
    return { added, leftOut };
  }

  /** Asks for files or a folder in a native dialog, and adds what was chosen as {@link add} does. */
  async pick(what: 'files' | 'folder'): Promise<AddReport | null> {
    const { canceled, filePaths } = await dialog.showOpenDialog(this.#options.window, {
      properties: what === 'files' ? ['openFile', 'multiSelections'] : ['openDirectory', 'multiSelections'],
      ...(what === 'files' ? { filters: this.#filters() } : {}),
    });
    return canceled ? nothingAdded : this.add({ paths: filePaths, links: [] });
  }

  #openBatch(): Batch {
    this.#batch ??= this.#options.longhand.queue.newBatch(this.#batchOptions);
    return this.#batch;
  }

  get #batchOptions(): SheetOptions {
    const { settings, tell } = this.#options;
    return {
      service: () => this.#service,
      options: settings.get().options,
      tell,
    };
  }

  /** Where the recordings on the sheet go: an account that was removed meanwhile takes none. */
  get #service(): ServiceAddress {
    const { service, accounts } = this.#options.settings.get();
    const chosen = this.#chosenService;
    const isThere = chosen === 'on-device' || (chosen !== null && accounts.includes(chosen));
    return isThere ? chosen : (service ?? 'on-device');
  }

  /** Sends the recordings on the sheet to `on-device` or to one of the accounts; later ones go where they did. */
  useService(service: ServiceAddress): void {
    this.#chosenService = service;
    this.#batch?.touch();
  }

  /** Offers the sheet again that was open when the program ended. */
  offerAgain(): void {
    this.#batch ??= this.#options.longhand.queue.keptBatch(this.#batchOptions);
    this.#batch?.touch();
  }

  /** Looks at a part of the sheet; `null` while there is none. */
  look(part: BatchPart): BatchView | null {
    return this.#batch?.look(part) ?? null;
  }

  /** Adds what is chosen on the sheet, and closes it. What could not be stored is on the sheet again. */
  async start(): Promise<AddReport> {
    const batch = this.#batch;
    if (batch === null) return nothingAdded;
    const { longhand } = this.#options;
    const chosen = batch.chosen();
    const service = this.#service;
    this.end();
    this.#options.tell(null);
    try {
      const ids = await longhand.queue.addChosen(chosen, service, batch.sheetIds);
      // What was left out was told on the sheet.
      return { added: ids.length, leftOut: [] };
    } catch (error) {
      this.offerAgain();
      throw error;
    }
  }

  /** Closes the sheet; nothing of it is added. */
  close(): void {
    if (this.#batch === null) return;
    this.#batch.close();
    this.#batch = null;
    this.#chosenService = null;
    this.#options.tell(null);
  }

  /** The program ends: the sheet is offered again when it starts. */
  end(): void {
    this.#batch?.end();
    this.#batch = null;
    this.#chosenService = null;
  }

  #filters(): Electron.FileFilter[] {
    const { words } = this.#options;
    return [
      { name: words.say('dialog.recordings'), extensions: [...mediaExtensions] },
      { name: words.say('dialog.allFiles'), extensions: ['*'] },
    ];
  }
}
