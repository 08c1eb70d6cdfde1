import { readFileSync } from 'node:fs';
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import {
  type CancellationToken,
  configureRequestOptions,
  configureRequestUrl,
  type DownloadOptions,
  HttpExecutor,
} from 'builder-util-runtime';
import type { AppUpdater } from 'electron-updater';
import { ProblemError } from '../../contract/problem.ts';
import type { Logger } from '../../core/ports.ts';
import { isOnThisComputer } from '../../core/api/base-url.ts';

export interface UpdaterOptions {
  /** The file that names the feed, `app-update.yml` in the resources of a package. */
  readonly configPath: string;
  /** The version that is running. */
  readonly version: string;
  /** Holds downloads, in a folder of their own. */
  readonly cacheFolder: string;
  readonly platform: NodeJS.Platform;
  readonly logger: Logger;
}

/** A newer version that the feed offers. */
export interface FoundUpdate {
  readonly version: string;
  /** The addresses of its files. */
  readonly files: readonly string[];
}

/** An updater with its feed. */
export interface Updater {
  /** Returns the version of the feed if it is newer. @throws Error when the feed cannot be read. */
  check(): Promise<FoundUpdate | null>;
  /** Downloads and verifies the found version. @throws Error, including when it is cancelled. */
  download(token: CancellationToken, onProgress: (fractionDone: number) => void): Promise<void>;
  /** Installs the downloaded version and starts it. Must be called last, when everything else has ended. */
  install(): void;
}

/**
 * Requests through Node.js, because Chromium resolves no names in this program. Only `https`, or `http` on this computer,
 * even after a redirect.
 */
class NodeExecutor extends HttpExecutor<ClientRequest> {
  override createRequest(
    options: RequestOptions,
    onResponse: (response: IncomingMessage) => void,
  ): ClientRequest {
    const isLocal = options.protocol === 'http:' && isOnThisComputer(options.hostname ?? '');
    if (options.protocol !== 'https:' && !isLocal)
      throw new ProblemError({ code: 'address_not_https', params: { address: String(options.hostname) } });
    return (isLocal ? http : https).request(options, onResponse);
  }

  download(url: URL, destination: string, options: DownloadOptions): Promise<string> {
    return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
      const request: RequestOptions = { headers: options.headers ?? undefined };
      configureRequestUrl(url, request);
      configureRequestOptions(request);
      // Contrary to its type, the file stream calls it without an argument.
      const callback = (error?: Error | null): void => {
        if (error instanceof Error) reject(error);
        else resolve(destination);
      };
      this.doDownload(request, { destination, options, onCancel, callback, responseHandler: null }, 0);
    });
  }
}

/** Every installation is treated alike: a random identifier would let a feed recognise this computer. */
const anonymousId = '00000000-0000-0000-0000-000000000000';

/** Opens electron-updater on the feed. It is loaded only here, because most programs have no feed. */
export async function openUpdater(options: UpdaterOptions): Promise<Updater> {
  const { configPath, version, cacheFolder, platform, logger } = options;
  const { AppImageUpdater, BaseUpdater, MacUpdater, NsisUpdater } = await import('electron-updater');
  const updaters = { darwin: MacUpdater, win32: NsisUpdater } as const;
  const PlatformUpdater =
    platform === 'darwin' || platform === 'win32' ? updaters[platform] : AppImageUpdater;
  const appAdapter = {
    name: 'longhand',
    version,
    isPackaged: true,
    appUpdateConfigPath: configPath,
    userDataPath: cacheFolder,
    baseCachePath: cacheFolder,
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: () => undefined,
  };
  const updater: AppUpdater = new PlatformUpdater(undefined, appAdapter);
  Object.assign(updater, {
    httpExecutor: new NodeExecutor(),
    stagingUserIdPromise: { value: Promise.resolve(anonymousId) },
    // Without an AppImage it only looks for a newer version.
    forceDevUpdateConfig: true,
    autoDownload: false,
    autoInstallOnAppQuit: false,
    disableWebInstaller: true,
  });
  updater.logger = libraryLogger(logger);
  const feed = feedAddress(configPath);
  return {
    check: async () => {
      const found = await updater.checkForUpdates();
      if (found?.isUpdateAvailable !== true) return null;
      const files = found.updateInfo.files.map(({ url }) => URL.parse(url, feed)?.href ?? '');
      return { version: found.updateInfo.version, files };
    },
    download: async (token, onProgress) => {
      const report = ({ percent }: { readonly percent: number }): void => onProgress(percent / 100);
      updater.on('download-progress', report);
      try {
        await updater.downloadUpdate(token);
      } finally {
        updater.removeListener('download-progress', report);
      }
    },
    install: () => {
      // On a Mac the system installs, and ends the program.
      if (updater instanceof BaseUpdater) updater.install(true, true);
      else updater.quitAndInstall(true, true);
    },
  };
}

/** Returns the address of a feed of the provider `generic`, with a slash at its end; `undefined` for other providers. */
function feedAddress(configPath: string): string | undefined {
  const url = /^url:\s*['"]?([^'"\s]+)/m.exec(readFileSync(configPath, 'utf8'))?.[1];
  return url === undefined || url.endsWith('/') ? url : `${url}/`;
}

function libraryLogger(logger: Logger) {
  const write = (level: 'debug' | 'warn') => (message: unknown) =>
    logger[level]('updates', { message: String(message) });
  return { debug: write('debug'), info: write('debug'), warn: write('warn'), error: write('warn') };
}
