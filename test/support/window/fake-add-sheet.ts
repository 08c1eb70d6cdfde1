import type { CommandInput, CommandName, CommandResult } from '../../../electron/contract/commands.ts';
import type {
  AddSheetRow,
  AddSheetSummary,
  AddSheetTarget,
  AddSheetView,
} from '../../../electron/contract/add-sheet-commands.ts';
import { hasOnlyTranscripts } from '../../../electron/contract/sheet-transcripts.ts';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import { defaultJobOptions } from '../../../electron/contract/options.ts';
import { addSheetView, rowsOfGroup, totalsOf } from './sample-add-sheet.ts';

export interface AddSheetScene {
  readonly rows: readonly AddSheetRow[];
  readonly summary?: Partial<AddSheetSummary>;
}

type Name = Extract<CommandName, `addSheet.${string}`>;

/** The add sheet of a main process that a test scripts. */
export class FakeAddSheet {
  readonly #service: () => ServiceAddress;
  readonly #notify: (view: AddSheetView | null) => void;
  #scene: AddSheetScene | null;
  #part: CommandInput<'addSheet.setViewport'> = { group: 'ready', offset: 0, limit: 0 };
  #revision = 1;
  #closed: AddSheetScene | null = null;

  constructor(
    scene: AddSheetScene | null,
    service: () => ServiceAddress,
    notify: (view: AddSheetView | null) => void,
  ) {
    this.#scene = scene;
    this.#service = service;
    this.#notify = notify;
  }

  /** Changes the sheet and notifies the window; `null` closes it. */
  change(scene: AddSheetScene | null): void {
    this.#scene = scene;
    this.#revision += 1;
    this.#notify(this.#view());
  }

  #view(): AddSheetView | null {
    if (this.#scene === null) return null;
    const { rows, summary } = this.#scene;
    return addSheetView(rows, this.#part, this.#revision, { service: this.#service(), ...summary });
  }

  #rowsOf(target: AddSheetTarget): readonly AddSheetRow[] {
    const rows = this.#scene?.rows ?? [];
    return 'ids' in target
      ? rows.filter(({ id }) => target.ids.includes(id))
      : rowsOfGroup(rows, target.all).filter(({ id }) => !target.except.includes(id));
  }

  #changeRows(change: (row: AddSheetRow) => AddSheetRow, target?: AddSheetTarget): void {
    if (this.#scene === null) return;
    const { rows } = this.#scene;
    const changed = new Set(target === undefined ? rows : this.#rowsOf(target));
    this.change({ ...this.#scene, rows: rows.map((row) => (changed.has(row) ? change(row) : row)) });
  }

  get handlers(): { readonly [N in Name]: (input: CommandInput<N>) => CommandResult<N> } {
    const rowsOf = (group: CommandInput<'addSheet.setViewport'>['group']): readonly AddSheetRow[] =>
      rowsOfGroup(this.#scene?.rows ?? [], group);
    return {
      'addSheet.setViewport': (part) => {
        this.#part = part;
        return this.#view();
      },
      'addSheet.ids': ({ group, offset, limit }) =>
        rowsOf(group)
          .slice(offset, offset + limit)
          .map(({ id }) => id),
      'addSheet.setDefaultOptions': ({ options }) => {
        if (this.#scene === null) return;
        const merged = { ...defaultJobOptions, ...this.#scene.summary?.options, ...(options as object) };
        this.#scene = { ...this.#scene, summary: { ...this.#scene.summary, options: merged } };
        this.#changeRows((row) =>
          row.ownOptions ? row : { ...row, options: { ...row.options, ...(options as object) } },
        );
      },
      'addSheet.useLastOptions': () => {
        if (this.#scene !== null)
          this.change({ ...this.#scene, summary: { ...this.#scene.summary, canUseLastOptions: false } });
      },
      'addSheet.setOptions': ({ options, ...target }) =>
        this.#changeRows(
          (row) => ({ ...row, ownOptions: true, options: { ...row.options, ...(options as object) } }),
          target,
        ),
      'addSheet.clearOptions': (target) =>
        this.#changeRows((row) => ({ ...row, ownOptions: false, options: defaultJobOptions }), target),
      'addSheet.include': ({ included, ...target }) =>
        this.#changeRows((row) => ({ ...row, included }), target),
      'addSheet.sum': (target) => totalsOf(this.#rowsOf(target)),
      'addSheet.setFormats': ({ formats }) => {
        if (this.#scene !== null)
          this.change({ ...this.#scene, summary: { ...this.#scene.summary, formats } });
      },
      'addSheet.useService': ({ service }) => {
        if (this.#scene !== null)
          this.change({ ...this.#scene, summary: { ...this.#scene.summary, service } });
      },
      'addSheet.importTranscripts': () => {
        const scene = this.#scene;
        const summary = this.#view()?.summary;
        const toImport = summary?.transcripts.toImport ?? 0;
        const isAll = summary === undefined || hasOnlyTranscripts(summary);
        const transcripts = { toImport: 0, imported: toImport };
        this.change(
          isAll || scene === null ? null : { ...scene, summary: { ...scene.summary, transcripts } },
        );
        const added = Array.from({ length: toImport }, (_, id) => ({ id: 90_000 + id, name: `Talk ${id}` }));
        return { added, known: 0, trashed: [], guessed: [], rejected: [], unread: null };
      },
      'addSheet.showExcluded': () => undefined,
      'addSheet.addChosen': () => {
        const added = this.#scene?.rows.filter(({ included }) => included) ?? [];
        this.change(null);
        return { added: added.length, firstAdded: added[0]?.name ?? null, rejected: [] };
      },
      'addSheet.close': () => {
        this.#closed = this.#scene;
        this.change(null);
      },
      'addSheet.reopen': () => {
        this.change(this.#closed);
        return { reopened: this.#closed !== null };
      },
    };
  }
}
