import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants, createReadStream, readFileSync } from 'node:fs';
import { copyFile, open, rename, rm } from 'node:fs/promises';
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
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
  /** Holds downloads, in a folder of their own; `null`: nothing can be downloaded. */
  readonly cacheFolder: string | null;
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
  /**
   * Installs the downloaded version and starts it. Must be called last, when everything else has ended.
   *
   * @throws Error, including when the downloaded file is gone or has changed; the old version is unchanged then.
   */
  install(): Promise<void>;
}

/** The maximum length of a response with a feed, in bytes: many times that of one with all versions and their notes. */
const maxFeedBytes = 8 * 1024 ** 2;

/** A request of a feed, with all redirects. */
interface FeedRequestOptions extends RequestOptions {
  readonly maxBytes?: number;
}

/**
 * Requests through Node.js, because Chromium resolves no names in this program. Only `https`, or `http` on this computer,
 * even after a redirect. The library reads feeds without a limit.
 */
class NodeExecutor extends HttpExecutor<ClientRequest> {
  override request(
    options: RequestOptions,
    ...rest: [token?: CancellationToken, data?: Record<string, unknown> | null]
  ): Promise<string | null> {
    const limited: FeedRequestOptions = { ...options, maxBytes: maxFeedBytes };
    return super.request(limited, ...rest);
  }

  override createRequest(
    { maxBytes, ...options }: FeedRequestOptions,
    onResponse: (response: IncomingMessage) => void,
  ): ClientRequest {
    const isLocal = options.protocol === 'http:' && isOnThisComputer(options.hostname ?? '');
    if (options.protocol !== 'https:' && !isLocal)
      throw new ProblemError({ code: 'address_not_https', params: { address: String(options.hostname) } });
    return (isLocal ? http : https).request(options, (response) => {
      onResponse(response);
      // An error that nothing listens for would end the program.
      response.on('error', () => undefined);
      if (maxBytes !== undefined) limitLength(response, maxBytes);
    });
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

/** Ends a response with an error once it is longer than `maxBytes`. */
function limitLength(response: IncomingMessage, maxBytes: number): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer | string) => {
    bytes += Buffer.byteLength(chunk);
    if (bytes > maxBytes) response.destroy(new Error(`the response is longer than ${maxBytes} bytes`));
  });
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
    userDataPath: cacheFolder ?? '',
    baseCachePath: cacheFolder ?? '',
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: () => undefined,
  };
  const updater: AppUpdater = new PlatformUpdater(undefined, appAdapter);
  Object.assign(updater, {
    httpExecutor: new NodeExecutor(),
    stagingUserIdPromise: { value: Promise.resolve(anonymousId) },
    // Lets the library check for newer versions outside an AppImage too.
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
      if (cacheFolder === null) throw new Error('another user may write to the folder for caches');
      const report = ({ percent }: { readonly percent: number }): void => onProgress(percent / 100);
      updater.on('download-progress', report);
      try {
        await updater.downloadUpdate(token);
      } finally {
        updater.removeListener('download-progress', report);
      }
    },
    install: async () => {
      const downloaded = downloadedBy(updater);
      if (updater instanceof AppImageUpdater) return startAppImage(await replaceAppImage(downloaded), logger);
      await assertPublished(downloaded);
      // On a Mac the system installs, and ends the program.
      if (updater instanceof BaseUpdater) updater.install(true, true);
      else updater.quitAndInstall(true, true);
    },
  };
}

/** A downloaded file and its hash according to the feed, in base64. */
interface DownloadedFile {
  readonly path: string;
  readonly sha512: string;
}

/** @throws Error if nothing was downloaded. */
function downloadedBy(updater: AppUpdater): DownloadedFile {
  // The library has no public access to it.
  const { file = null, downloadedFileInfo = null } = updater['downloadedUpdateHelper'] ?? {};
  if (file === null || downloadedFileInfo === null) throw new Error('no update was downloaded');
  return { path: file, sha512: downloadedFileInfo.sha512 };
}

/** @throws Error if the file is not the one that was published. The library checks only what it downloads. */
async function assertPublished({ path, sha512 }: DownloadedFile): Promise<void> {
  const digest = createHash('sha512');
  await pipeline(createReadStream(path), digest);
  if (digest.digest('base64') !== sha512) throw new Error(`${path} has changed since it was downloaded`);
}

/**
 * Replaces the AppImage that runs. Unlike the library, which deletes it first and then copies the new one from another
 * file system, there is a complete program whatever happens meanwhile.
 *
 * @returns the path of the new one: under the name of the downloaded file if the old name contains a version, otherwise
 *   under the old name, which is the user's own.
 */
async function replaceAppImage({ path, sha512 }: DownloadedFile): Promise<string> {
  const image = process.env['APPIMAGE'] ?? '';
  if (!isAbsolute(image)) throw new Error(`APPIMAGE is not an absolute path: ${image}`);
  const target = /\d\.\d+\.\d/.test(basename(image)) ? join(dirname(image), basename(path)) : image;
  // The name contains no version, so that the next update, whatever its version, deletes what a killed process has left.
  const staged = join(dirname(image), 'Longhand.AppImage.update');
  await rm(staged, { force: true });
  try {
    await copyFile(path, staged, constants.COPYFILE_EXCL);
    await assertPublished({ path: staged, sha512 });
    await using file = await open(staged, 'r+');
    await file.chmod(0o755);
    await file.sync();
    await rename(staged, target);
  } catch (error) {
    await rm(staged, { force: true });
    throw error;
  }
  // The new version is in place, whether or not the old one can be deleted.
  if (target !== image) await rm(image).catch(() => undefined);
  // No longer needed; the next download deletes what cannot be deleted now.
  await rm(path).catch(() => undefined);
  return target;
}

function startAppImage(path: string, logger: Logger): void {
  const env = { ...process.env, APPIMAGE_SILENT_INSTALL: 'true' };
  const child = spawn(path, { detached: true, stdio: 'ignore', env });
  child.once('error', (error) => logger.warn('the new version did not start', { error: String(error) }));
  child.unref();
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
