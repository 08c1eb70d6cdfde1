import { copyFileSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import ElectronStore from 'electron-store';
import type { z } from 'zod';
import { errorCode, errorMessage } from '../contract/errors.ts';
import { defaultSettings, settingsSchema, type Settings } from '../contract/settings.ts';
import type { SubtitleRules } from '../contract/subtitle-rules.ts';
import { ProblemError, type Problem } from '../contract/problem.ts';
import { makeFolder } from '../core/make-folder.ts';

/** Settings of this and of other versions of the program. */
type StoredSettings = Settings & Readonly<Record<string, unknown>>;

type MigratedStore = Pick<ElectronStore<StoredSettings>, 'get' | 'set' | 'has' | 'delete'>;

/** Settings that had another name before format 1.2.0. */
const formerNames = {
  saveBeside: 'autoExportFormats',
  saveFolder: 'autoExportFolder',
  closeKeepsWorking: 'keepWorkingWhenClosed',
} as const satisfies Readonly<Record<string, keyof Settings>>;

/** Rules in `ownSubtitleRules` that had another name before format 1.2.0. */
const formerRuleNames: Readonly<Record<string, keyof SubtitleRules>> = {
  lineColumns: 'columnsPerLine',
  wideColumns: 'columnsPerWideCharacter',
  closedGapMs: 'closeGapsBelowMs',
  aimedSpeed: 'targetSpeed',
};

const storeOptions = {
  name: 'settings',
  defaults: defaultSettings,
  deserialize: (text: string): StoredSettings => {
    const stored: unknown = JSON.parse(text);
    // The store would treat any other JSON as empty settings and overwrite it.
    if (typeof stored !== 'object' || stored === null || Array.isArray(stored))
      throw new SyntaxError('the file holds no settings');
    if (isForeign(stored)) throw new ForeignSettingsError();
    // Checked once the migrations have run.
    return stored as StoredSettings;
  },
  // The version of the file's format, not of the program.
  projectVersion: '1.3.0',
  migrations: {
    // There was one account: the one in use.
    '1.1.0': (store: MigratedStore): void => {
      const service: unknown = store.get('service');
      if (typeof service === 'string' && service !== 'on-device') store.set('accounts', [service]);
    },
    '1.2.0': (store: MigratedStore): void => {
      for (const [former, name] of Object.entries(formerNames)) {
        if (!store.has(former)) continue;
        store.set({ [name]: store.get(former) });
        store.delete(former);
      }
      const rules: unknown = store.get('ownSubtitleRules');
      if (typeof rules !== 'object' || rules === null) return;
      const renamed = Object.entries(rules).map(([name, value]) => [formerRuleNames[name] ?? name, value]);
      store.set('ownSubtitleRules', Object.fromEntries(renamed));
    },
    // Notes are chosen for each export.
    '1.3.0': (store: MigratedStore): void => {
      const exporting: unknown = store.get('exporting');
      if (typeof exporting !== 'object' || exporting === null) return;
      const stored = Object.entries(exporting).filter(([name]) => name !== 'notes');
      store.set<string>('exporting', Object.fromEntries(stored));
    },
  },
};

/** A file that was written by hand may have a mistyped name. */
const minForeignEntries = 2;

/**
 * Whether a settings file is that of another program: most of its names are not ours, or their values are not valid. Ours
 * has the version of its format, unless it was written by hand or by the first version.
 */
function isForeign(stored: object): boolean {
  if ('__internal__' in stored) return false;
  const schemas = new Map<string, z.ZodType>(Object.entries(settingsSchema.shape));
  const entries = Object.entries(stored);
  const unknown = entries.filter(([name]) => !schemas.has(name) && !Object.hasOwn(formerNames, name));
  const valid = entries.filter(([name, value]) => schemas.get(name)?.safeParse(value).success);
  return entries.length - valid.length >= minForeignEntries && unknown.length > valid.length;
}

/** The settings file is that of another program. */
class ForeignSettingsError extends Error {
  override readonly name = 'ForeignSettingsError';
}

/** The user's settings, in `settings.json` of the data folder. Each change is on disk when it returns. */
export class SettingsStore {
  readonly #store: ElectronStore<StoredSettings>;
  readonly #listeners = new Set<(settings: Settings) => void>();
  #settings: Settings;
  /** What could not be read: the whole file, which was renamed, or some values, which were reset to their defaults. */
  readonly problem: Problem | null;

  /** @throws ProblemError `data_folder_unwritable`, or `data_folder_foreign`; the file is unchanged then. */
  constructor(folder: string) {
    const { store, problem } = openOrRepair(folder);
    this.#store = store;
    this.problem = problem;
    this.#settings = settingsSchema.parse(store.store);
  }

  get(): Settings {
    return this.#settings;
  }

  change(patch: { readonly [K in keyof Settings]?: Settings[K] | undefined }): Settings {
    const changes = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
    this.#store.set(changes);
    this.#settings = { ...this.#settings, ...changes };
    for (const listener of this.#listeners) listener(this.#settings);
    return this.#settings;
  }

  onChange(listener: (settings: Settings) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

interface OpenedStore {
  readonly store: ElectronStore<StoredSettings>;
  readonly problem: Problem | null;
}

function openOrRepair(folder: string): OpenedStore {
  const path = join(folder, 'settings.json');
  const brokenPath = join(folder, `settings.broken-${Date.now()}.json`);
  const open = (): ElectronStore<StoredSettings> => new ElectronStore({ ...storeOptions, cwd: folder });
  try {
    makeFolder(folder, { mode: 0o700 });
    const store = open();
    return { store, problem: resetInvalid(store, brokenPath) };
  } catch (error) {
    if (error instanceof ForeignSettingsError)
      throw new ProblemError({ code: 'data_folder_foreign', params: { name: folder } }, { cause: error });
    const detail = errorMessage(error);
    try {
      if (!isUnusable(error)) throw error;
      renameSync(path, brokenPath);
      const problem: Problem = {
        code: 'settings_broken',
        params: { path: brokenPath, name: basename(brokenPath) },
        detail,
      };
      return { store: open(), problem };
    } catch (cause) {
      const problem: Problem = { code: 'data_folder_unwritable', params: { folder }, detail };
      throw new ProblemError(problem, { cause });
    }
  }
}

/** Whether an error is due to the file, a folder in its place or its content, and not to its folder or drive. */
const isUnusable = (error: unknown): boolean => ['', 'EISDIR'].includes(errorCode(error));

/**
 * Resets invalid settings to their defaults, after copying the file to `brokenPath`. The store's own validator is not
 * used: it would compile a JSON schema at each start.
 *
 * @returns `null` if all settings are valid.
 */
function resetInvalid(store: ElectronStore<StoredSettings>, brokenPath: string): Problem | null {
  const { error } = settingsSchema.safeParse(store.store);
  if (error === undefined) return null;
  const invalid = [...new Set(error.issues.map(({ path: [name] }) => String(name)))];
  copyFileSync(store.path, brokenPath);
  store.reset(...invalid);
  return { code: 'setting_broken', params: { path: brokenPath }, detail: invalid.join(', ') };
}
