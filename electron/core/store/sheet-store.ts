import type Database from 'better-sqlite3';
import { z } from 'zod';
import type { ExportFormat } from '../../contract/choices.ts';
import { parseBoundedJson } from '../../contract/bounded-json.ts';
import { exportFormatsSchema } from '../../contract/export.ts';
import { maxRows, maxSheetBytes } from '../../contract/limits.ts';
import {
  defaultJobOptions,
  type JobOptions,
  jobOptionsSchema,
  storedOptionsSchema,
} from '../../contract/options.ts';
import { ProblemError } from '../../contract/problem.ts';
import { storeIfPossible } from '../storage-problem.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import { Statements } from '../../sqlite/statements.ts';

export type SheetId = number;

/** Sheets that are shown as one, the oldest first; the last one stores what is added to them. */
export type SheetIds = readonly [SheetId, ...SheetId[]];

/** Paths and links as the user gave them; a folder is one path. */
export interface SheetAddition {
  readonly paths: readonly string[];
  readonly links: readonly string[];
}

/** The user's choices for one recording of a sheet. */
export interface SheetChoice {
  /** Its path, or the link. */
  readonly location: string;
  /**
   * Whether it is to be added; `null` if the user has not chosen. `despite-duplicate`: it is, and the user saw that its
   * content was in the queue or the library.
   */
  readonly included: boolean | 'despite-duplicate' | null;
  /** Options for this recording only. */
  readonly options: Partial<JobOptions>;
}

/** A sheet that was open when the program ended. */
export interface SavedSheet {
  readonly ids: SheetIds;
  readonly options: JobOptions;
  /** The service that was chosen on it; `null`: that of the settings. */
  readonly service: ServiceAddress | null;
  /** The formats that are saved for its recordings; `null`: those of the settings. */
  readonly formats: readonly ExportFormat[] | null;
  readonly additions: readonly SheetAddition[];
  readonly choices: readonly SheetChoice[];
  /** Whether everything stored was loaded; if not, something exceeds the limits or cannot be parsed. */
  readonly isComplete: boolean;
}

interface SheetRow {
  readonly id: SheetId;
  readonly options: string;
  readonly formats: string | null;
}

/** How `despite-duplicate` of {@link SheetChoice.included} is stored; earlier versions read it as excluded. */
const includedDespiteDuplicate = 2;
const openSheets = 'SELECT id FROM sheets WHERE is_closed = 0';
/** The SQL expression for the bytes of an addition: its paths and links, and the maximum of its sheet's options. */
const additionBytes = 'octet_length(paths) + octet_length(links) + 4000';
const stringsSchema = z.array(z.string());
/** The column of the options holds the service, too. */
const sheetOptionsSchema = storedOptionsSchema.extend({ service: z.string().nullable().default(null) });
const partialOptionsSchema = jobOptionsSchema.partial();

/** Stores what the user is about to add until it is in the queue or discarded. */
export class SheetStore {
  readonly #statements: Statements;

  constructor(database: Database.Database) {
    this.#statements = new Statements(database);
  }

  /** Creates a sheet. */
  open(options: JobOptions): SheetId {
    const { lastInsertRowid } = this.#statements
      .prepare('INSERT INTO sheets (options) VALUES (?)')
      .run(JSON.stringify(options));
    return Number(lastInsertRowid);
  }

  /** @throws ProblemError `sheet_full`, and stores nothing, when all sheets together would exceed {@link maxSheetBytes}. */
  add(id: SheetId, { paths, links }: SheetAddition): void {
    const { changes } = this.#statements
      .prepare(
        `INSERT INTO sheet_additions (sheet_id, paths, links)
         SELECT @id, paths, links FROM (SELECT @paths AS paths, @links AS links)
         WHERE ${additionBytes} + (SELECT coalesce(sum(${additionBytes}), 0) FROM sheet_additions) <= ${maxSheetBytes}`,
      )
      .run({ id, paths: JSON.stringify(paths), links: JSON.stringify(links) });
    if (changes === 0) throw new ProblemError({ code: 'sheet_full' });
  }

  setOptions(id: SheetId, options: JobOptions): void {
    this.#statements
      .prepare(`UPDATE sheets SET options = json_set(?, '$.service', options ->> '$.service') WHERE id = ?`)
      .run(JSON.stringify(options), id);
  }

  setService(ids: readonly SheetId[], service: ServiceAddress): void {
    this.#statements
      .prepare(
        `UPDATE sheets SET options = json_set(options, '$.service', ?)
         WHERE id IN (SELECT value FROM json_each(?))`,
      )
      .run(service, JSON.stringify(ids));
  }

  setFormats(id: SheetId, formats: readonly ExportFormat[]): void {
    this.#statements.prepare('UPDATE sheets SET formats = ? WHERE id = ?').run(JSON.stringify(formats), id);
  }

  choose(id: SheetId, choices: readonly SheetChoice[]): void {
    const insert = this.#statements.prepare(
      `INSERT OR REPLACE INTO sheet_choices (sheet_id, location, included, options)
       SELECT ?, value ->> '$.location', value ->> '$.included', value -> '$.options' FROM json_each(?)`,
    );
    const stored = choices.map((choice) => ({
      ...choice,
      included: choice.included === 'despite-duplicate' ? includedDespiteDuplicate : choice.included,
    }));
    insert.run(id, JSON.stringify(stored));
  }

  /**
   * Resets the choice to include recordings, before they are added to the queue. If the program crashes meanwhile, those
   * that were added are duplicates, which are not included by default: none is added twice.
   */
  resetInclusions(ids: readonly SheetId[]): void {
    this.#statements
      .prepare(
        `UPDATE sheet_choices SET included = NULL
         WHERE included <> 0 AND sheet_id IN (SELECT value FROM json_each(?))`,
      )
      .run(JSON.stringify(ids));
  }

  /** Marks sheets as hidden by the user, or as shown again. {@link load} deletes hidden ones. */
  setHidden(ids: readonly SheetId[], isHidden: boolean): void {
    this.#statements
      .prepare('UPDATE sheets SET is_closed = ? WHERE id IN (SELECT value FROM json_each(?))')
      .run(isHidden ? 1 : 0, JSON.stringify(ids));
  }

  forget(ids: readonly SheetId[]): void {
    this.#statements
      .prepare('DELETE FROM sheets WHERE id IN (SELECT value FROM json_each(?))')
      .run(JSON.stringify(ids));
  }

  /**
   * Returns the sheets that were not hidden, merged into one; `null` if there is none. Deletes the hidden ones, unless the
   * disk is full. Loads no more than the limits, whatever is stored: the program has to start.
   */
  load(): SavedSheet | null {
    storeIfPossible(() => this.#statements.prepare('DELETE FROM sheets WHERE is_closed = 1').run());
    const sheets = this.#statements
      .prepare<[], SheetRow>('SELECT id, options, formats FROM sheets WHERE is_closed = 0 ORDER BY id')
      .all();
    const [first, ...others] = sheets;
    if (first === undefined) return null;
    const last = others.at(-1) ?? first;
    let isComplete = true;
    const parse = <T>(schema: z.ZodType<T>, text: string, fallback: T): T => {
      const parsed = parseAs(schema, text);
      if (parsed !== null) return parsed;
      isComplete = false;
      return fallback;
    };
    const noOptions = { ...defaultJobOptions, service: null };
    const stored = sheets.map((sheet) => parse(sheetOptionsSchema, sheet.options, noOptions));
    const { service: _service, ...options } = stored.at(-1) ?? noOptions;
    const services = stored.map(({ service }) => service);
    const additions = this.#statements
      .prepare<[], { paths: string; links: string }>(
        `SELECT paths, links FROM sheet_additions WHERE id IN (
           SELECT id FROM (
             SELECT id, sum(${additionBytes}) OVER (ORDER BY id) AS bytes FROM sheet_additions
             WHERE sheet_id IN (${openSheets}))
           WHERE bytes <= ${maxSheetBytes}) ORDER BY id`,
      )
      .all()
      .map(({ paths, links }) => ({
        paths: parse(stringsSchema, paths, []),
        links: parse(stringsSchema, links, []),
      }));
    const all = this.#statements
      .prepare<[], number>(`SELECT count(*) FROM sheet_additions WHERE sheet_id IN (${openSheets})`)
      .pluck()
      .get();
    if (additions.length !== all) isComplete = false;
    const choices: SheetChoice[] = [];
    /** Recordings with the same options share one copy: those of a whole sheet are often changed together. */
    const optionsByText = new Map<string, Partial<JobOptions>>();
    let choiceBytes = 0;
    for (const row of this.#statements
      .prepare<[], { location: string; included: number | null; options: string }>(
        `SELECT location, included, options FROM sheet_choices WHERE sheet_id IN (${openSheets}) ORDER BY sheet_id`,
      )
      .iterate()) {
      const known = optionsByText.get(row.options);
      choiceBytes += row.location.length + (known === undefined ? row.options.length : 0);
      if (choiceBytes > maxSheetBytes || choices.length >= maxRows) {
        isComplete = false;
        break;
      }
      const own = known ?? (parse(partialOptionsSchema, row.options, {}) as Partial<JobOptions>);
      optionsByText.set(row.options, own);
      choices.push({ location: row.location, included: includedOf(row.included), options: own });
    }
    return {
      ids: [first.id, ...others.map(({ id }) => id)],
      options,
      // A later sheet without a choice keeps that of an earlier one. If any sheet was for this computer, none of the
      // recordings may go to an account.
      service:
        services.find((one) => one === 'on-device') ?? services.findLast((one) => one !== null) ?? null,
      formats: last.formats === null ? null : parse(exportFormatsSchema.nullable(), last.formats, null),
      additions,
      choices,
      isComplete,
    };
  }
}

/** Reads {@link SheetChoice.included}. */
const includedOf = (stored: number | null): SheetChoice['included'] =>
  stored === includedDespiteDuplicate ? 'despite-duplicate' : stored === null ? null : stored === 1;

/** Parses a stored value; `null` if no version of the program can have written it. */
function parseAs<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.parse(parseBoundedJson(text));
  } catch {
    return null;
  }
}
