import { copyFileSync, existsSync, readFileSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import ElectronStore from 'electron-store';
import { z } from 'zod';
import { changeableSettings } from '../contract/settings.ts';
import { defaultExportChoices } from '../contract/export.ts';
import type { Settings } from '../contract/settings.ts';
import { presetRules } from '../contract/subtitle-rules.ts';
import { defaultJobOptions } from '../contract/options.ts';
import { ProblemError, type Problem } from '../contract/problem.ts';
import { makeFolder } from '../core/store/database/make-folder.ts';

const defaults: Settings = {
  service: null,
  accounts: [],
  options: defaultJobOptions,
  addWithoutAsking: false,
  parallelUploads: 2,
  uploadLimit: null,
  theme: 'system',
  language: 'system',
  saveBeside: [],
  exporting: defaultExportChoices,
  ownSubtitleRules: presetRules.broadcast,
  exportFolder: null,
  saveFolder: null,
  notifications: true,
  keepAwake: true,
  closeKeepsWorking: true,
};

/** How each setting is read from the file. */
const fields = {
  ...changeableSettings,
  service: z.string().min(1).nullable(),
  accounts: z.array(z.string().min(1)),
  saveFolder: z.string().min(1).nullable(),
  exportFolder: z.string().min(1).nullable(),
} satisfies Record<keyof Settings, z.ZodType>;

type Stored = Record<string, unknown>;

/** The version of the file's shape, and how a file of an older one is brought to it. */
const shape = '1.1.0';
const migrations = {
  /** There was one account, the one in use. */
  '1.1.0': (store: Pick<ElectronStore<Stored>, 'get' | 'set'>): void => {
    const service = store.get('service');
    if (typeof service === 'string' && service !== 'on-device') store.set('accounts', [service]);
  },
};

/** The user's settings, in `settings.json` of the data folder. Each change is on the disk when it returns. */
export class SettingsStore {
  readonly #store: ElectronStore<Stored>;
  readonly #listeners = new Set<(settings: Settings) => void>();
  #settings: Settings;
  /** What could not be understood: the whole file, which was put aside, or some values, whose usual ones are back. */
  readonly problem: Problem | null;

  /** @throws ProblemError `data_folder_unwritable`. */
  constructor(folder: string) {
    const opened = openOrPutAside(folder);
    this.#store = opened.store;
    this.problem = opened.problem;
    this.#settings = opened.settings;
  }

  get(): Settings {
    return this.#settings;
  }

  change(patch: { readonly [K in keyof Settings]?: Settings[K] | undefined }): Settings {
    const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
    this.#store.set(given);
    this.#settings = { ...this.#settings, ...given };
    for (const listener of this.#listeners) listener(this.#settings);
    return this.#settings;
  }

  onChange(listener: (settings: Settings) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

interface Opened {
  readonly store: ElectronStore<Stored>;
  readonly settings: Settings;
  readonly problem: Problem | null;
}

function openOrPutAside(folder: string): Opened {
  const path = join(folder, 'settings.json');
  const aside = join(folder, `settings.broken-${Date.now()}.json`);
  try {
    makeFolder(folder);
    return open(folder, path, aside);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    try {
      if (!(error instanceof SyntaxError)) throw error;
      renameSync(path, aside);
      const problem: Problem = {
        code: 'settings_broken',
        params: { path: aside, name: basename(aside) },
        detail,
      };
      return { ...open(folder, path, aside), problem };
    } catch (cause) {
      const problem: Problem = { code: 'data_folder_unwritable', params: { folder }, detail };
      throw new ProblemError(problem, { cause });
    }
  }
}

/** @throws SyntaxError when the file is no JSON object. */
function open(folder: string, path: string, aside: string): Opened {
  if (existsSync(path)) parseObject(readFileSync(path, 'utf8'));
  const store = new ElectronStore<Stored>({
    cwd: folder,
    name: 'settings',
    projectVersion: shape,
    migrations,
  });
  const { settings, wrong } = readSettings(store.store);
  if (wrong.length === 0) return { store, settings, problem: null };
  copyFileSync(path, aside);
  for (const name of wrong) store.delete(name);
  const problem: Problem = { code: 'setting_broken', params: { path: aside }, detail: wrong.join(', ') };
  return { store, settings, problem };
}

function parseObject(text: string): void {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new SyntaxError('the file holds no settings');
}

/** Reads each setting for itself: one that cannot be understood has its usual value, and its name is told. */
function readSettings(stored: Stored): {
  readonly settings: Settings;
  readonly wrong: readonly (keyof Settings)[];
} {
  const names = Object.keys(fields) as (keyof Settings)[];
  const read: Stored = {};
  const wrong: (keyof Settings)[] = [];
  for (const name of names) {
    if (stored[name] === undefined) continue;
    const parsed = fields[name].safeParse(stored[name]);
    if (parsed.success) read[name] = parsed.data;
    else wrong.push(name);
  }
  return { settings: { ...defaults, ...read }, wrong };
}
