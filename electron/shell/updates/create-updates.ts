import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, shell } from 'electron';
import manifest from '../../../package.json' with { type: 'json' };
import type { UpdateState } from '../../contract/updates.ts';
import type { Logger } from '../../core/ports.ts';
import { systemClock } from '../../core/system.ts';
import type { SettingsStore } from '../settings-store.ts';
import type { AppPaths } from '../start/app-paths.ts';
import { openUpdater } from './open-updater.ts';
import { updateMethod, Updates } from './updates.ts';

export interface CreateUpdatesOptions {
  readonly appPaths: AppPaths;
  readonly settings: SettingsStore;
  readonly logger: Logger;
  /** Whether work is in progress that an update would interrupt. */
  readonly isBusy: () => boolean;
  readonly onChange: (state: UpdateState) => void;
}

/** Creates the update controller of this installation. */
export function createUpdates({ appPaths, settings, ...options }: CreateUpdatesOptions): Updates {
  const { updateConfig, cacheFolder } = appPaths;
  const packageType = join(process.resourcesPath, 'package-type');
  return new Updates({
    ...options,
    open:
      updateConfig === null
        ? null
        : () =>
            openUpdater({
              configPath: updateConfig,
              version: app.getVersion(),
              cacheFolder,
              platform: process.platform,
              logger: options.logger,
            }),
    method: updateMethod({
      platform: process.platform,
      environment: process.env,
      executable: process.execPath,
      packageType: existsSync(packageType) ? readFileSync(packageType, 'utf8').trim() : '',
      homepage: manifest.homepage,
      mayDownload: cacheFolder !== null,
    }),
    isEnabled: () => settings.get().checkForUpdates,
    openExternal: (address) => shell.openExternal(address),
    quit: () => app.quit(),
    releaseLock: () => app.releaseSingleInstanceLock(),
    clock: systemClock,
  });
}
