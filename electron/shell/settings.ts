import { renameSync } from 'node:fs';
import { join } from 'node:path';
import ElectronStore from 'electron-store';
import { z } from 'zod';
import { settingsPatchSchema } from '../contract/commands/settings.ts';
import { defaultExportChoices } from '../contract/model/export.ts';
import type { Settings } from '../contract/model/settings.ts';
import { presetRules } from '../contract/model/subtitles.ts';
import { defaultJobOptions } from '../contract/options.ts';
import { ProblemError, type Problem } from '../contract/problem.ts';

const defaults: Settings = {
  service: null,
  options: defaultJobOptions,
  parallelUploads: 2,
  theme: 'system',
  saveBeside: [],
  exporting: defaultExportChoices,
  ownSubtitleRules: presetRules.broadcast,
  exportFolder: null,
};

const storedSchema = settingsPatchSchema.extend({
  service: z.string().nullable().optional(),
  exportFolder: z.string().nullable().optional(),
});

/** The user's settings, in `settings.json` of the data folder. Each change is on the disk when it returns. */
export class SettingsStore {
  readonly #store: ElectronStore<Record<string, unknown>>;
  readonly #listeners = new Set<(settings: Settings) => void>();
  #settings: Settings;
  /** The file could not be understood and was put aside. */
  readonly problem: Problem | null;

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
  readonly store: ElectronStore<Record<string, unknown>>;
  readonly settings: Settings;
  readonly problem: Problem | null;
}

/** @throws ProblemError `data_folder_unwritable`. */
function openOrPutAside(folder: string): Opened {
  try {
    return { ...open(folder), problem: null };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const isBroken = error instanceof SyntaxError || error instanceof z.ZodError;
    if (!isBroken) {
      const problem: Problem = { code: 'data_folder_unwritable', params: { folder }, detail };
      throw new ProblemError(problem, { cause: error });
    }
    const path = join(folder, 'settings.json');
    const aside = join(folder, `settings.broken-${Date.now()}.json`);
    renameSync(path, aside);
    return { ...open(folder), problem: { code: 'settings_broken', params: { path: aside }, detail } };
  }
}

/** @throws SyntaxError or z.ZodError when the file is broken. */
function open(folder: string): Omit<Opened, 'problem'> {
  const store = new ElectronStore<Record<string, unknown>>({ cwd: folder, name: 'settings' });
  const stored = storedSchema.parse(store.store);
  const given = Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== undefined));
  return { store, settings: { ...defaults, ...given } };
}
