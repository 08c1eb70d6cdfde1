import { CancellationToken } from 'builder-util-runtime';
import { errorMessage } from '../../contract/errors.ts';
import { ProblemError, type Problem } from '../../contract/problem.ts';
import type { UpdateState } from '../../contract/updates.ts';
import { isOnThisComputer } from '../../core/api/base-url.ts';
import type { Clock, Logger } from '../../core/ports.ts';
import type { FoundUpdate, Updater } from './open-updater.ts';

/** Milliseconds between the start and the first check, which must not slow the opening of the window. */
const firstCheckDelayMs = 5_000;
const checkIntervalMs = 24 * 60 * 60 * 1000;

export interface UpdatesOptions {
  /** Opens the feed; `null`: this installation has none, and nothing is ever requested. */
  readonly open: (() => Promise<Updater>) | null;
  readonly method: UpdateMethod;
  /** Whether the user wants to know of newer versions. */
  readonly isEnabled: () => boolean;
  /** Whether work is in progress that an update would interrupt. */
  readonly isBusy: () => boolean;
  readonly openExternal: (address: string) => Promise<void>;
  readonly quit: () => void;
  /** Lets the new version start while this one ends. */
  readonly releaseLock: () => void;
  readonly onChange: (state: UpdateState) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How an installation gets a new version: it replaces itself, or the browser opens the address of the version. */
export type UpdateMethod =
  | { readonly kind: 'install' }
  | { readonly kind: 'website'; readonly addressOf: (update: FoundUpdate) => string };

/** What an installation says about its kind. */
export interface InstallationFacts {
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
  /** The path of the program that runs. */
  readonly executable: string;
  /** The kind of package, as electron-builder writes it beside the program for `deb` and `rpm`; otherwise ''. */
  readonly packageType: string;
  readonly homepage: string;
  /** Whether there is a folder for the download to which no other user may write. */
  readonly mayDownload: boolean;
}

/**
 * Returns `website` for installations that cannot replace themselves (packages, archives, portable builds), and where
 * another user could replace what was downloaded.
 */
export function updateMethod(facts: InstallationFacts): UpdateMethod {
  const { platform, packageType, homepage, environment, mayDownload } = facts;
  const isPortable = platform === 'win32' && environment['PORTABLE_EXECUTABLE_FILE'] !== undefined;
  const isUnpacked = platform === 'linux' && !isAppImage(facts);
  if (mayDownload && !isPortable && !isUnpacked) return { kind: 'install' };
  const isOwnPackage = (address: string): boolean =>
    packageType !== '' && address.endsWith(`.${packageType}`);
  return {
    kind: 'website',
    addressOf: ({ files }) => files.find((file) => isOwnPackage(file) && isWebAddress(file)) ?? homepage,
  };
}

/**
 * Whether the program runs from the AppImage that its environment names. A terminal or an editor that is an AppImage
 * passes its own variables on: an update would replace that program.
 */
function isAppImage({ environment, executable }: InstallationFacts): boolean {
  const { APPIMAGE: image, APPDIR: mount = '' } = environment;
  return image !== undefined && mount !== '' && executable.startsWith(`${mount}/`);
}

/** Only web addresses: the system would launch programs for other schemes. */
const isWebAddress = (address: string): boolean => {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isOnThisComputer(url.hostname));
};

/**
 * Looks for newer versions, downloads the one that the user wants, and installs it when everything else has ended. Nothing
 * is downloaded or installed unless the user asks for it.
 */
export class Updates {
  readonly #options: UpdatesOptions;
  #updater: Promise<Updater> | null = null;
  #found: FoundUpdate | null = null;
  #state: UpdateState;
  #cancelTimer: () => void = () => undefined;
  #download: CancellationToken | null = null;
  #installsOnClose = false;
  #isClosed = false;
  #wasEnabled: boolean;

  constructor(options: UpdatesOptions) {
    this.#options = options;
    this.#wasEnabled = options.isEnabled();
    this.#state = { kind: options.open === null ? 'unavailable' : 'none' };
  }

  get state(): UpdateState {
    return this.#state;
  }

  /** Starts to look for newer versions regularly. */
  start(): void {
    if (this.#options.open !== null) this.#checkIn(firstCheckDelayMs);
  }

  /** Called after any change of the settings: looks now if the user has just switched it on. */
  settingsChanged(): void {
    const isEnabled = this.#options.isEnabled();
    if (isEnabled === this.#wasEnabled) return;
    this.#wasEnabled = isEnabled;
    if (this.#state.kind === 'none' && isEnabled) this.#checkIn(0);
    if (this.#state.kind === 'offered' && !isEnabled) this.#change({ kind: 'none' });
  }

  /** Updates whether a downloaded version can be installed. */
  activityChanged(): void {
    if (this.#isClosed || this.#state.kind !== 'ready') return;
    const isBusy = this.#options.isBusy();
    if (isBusy !== this.#state.isBusy) this.#change({ ...this.#state, isBusy });
  }

  /** Downloads the offered version, or opens its address in the browser; does nothing if none is offered. */
  async download(): Promise<void> {
    const { method, openExternal, isBusy, logger } = this.#options;
    const found = this.#found;
    if (found === null || this.#isClosed || !['offered', 'failed'].includes(this.#state.kind)) return;
    if (method.kind === 'website') return openExternal(method.addressOf(found));
    const { version } = found;
    const token = new CancellationToken();
    this.#download = token;
    this.#change({ kind: 'downloading', version, fractionDone: 0 });
    try {
      const updater = await this.#open();
      await updater.download(token, (fractionDone) => {
        if (this.#download === token) this.#change({ kind: 'downloading', version, fractionDone });
      });
      this.#change({ kind: 'ready', version, isBusy: isBusy() });
    } catch (error) {
      if (this.#isClosed) return;
      logger.warn('an update could not be downloaded', { error: errorMessage(error) });
      this.#change({ kind: 'failed', version, problem: downloadProblem(error) });
    } finally {
      this.#download = null;
    }
  }

  /** Quits the program, which then installs the downloaded version. @throws ProblemError `update_busy`. */
  install(): void {
    if (this.#state.kind !== 'ready') return;
    if (this.#options.isBusy()) {
      this.activityChanged();
      throw new ProblemError({ code: 'update_busy' });
    }
    this.#installsOnClose = true;
    this.#options.quit();
  }

  /** The program does not quit: the update is installed only when it is requested again. */
  keepOpen(): void {
    this.#installsOnClose = false;
  }

  /** Ends checks and downloads. What was downloaded in part is downloaded again. */
  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
    this.#download?.cancel();
  }

  /** Installs the downloaded version if the user has asked for it. Must be called when everything else has ended. */
  async installIfRequested(): Promise<void> {
    if (!this.#installsOnClose) return;
    const updater = await this.#open();
    this.#options.releaseLock();
    try {
      await updater.install();
    } catch (error) {
      // The old version is still there, and its next start offers the new one again.
      this.#options.logger.warn('the update could not be installed', { error: errorMessage(error) });
    }
  }

  #checkIn(milliseconds: number): void {
    if (this.#isClosed) return;
    const { clock, isEnabled } = this.#options;
    this.#cancelTimer();
    this.#cancelTimer = clock.schedule(milliseconds, () => {
      if (isEnabled()) void this.#check();
      this.#checkIn(checkIntervalMs);
    });
  }

  async #check(): Promise<void> {
    if (this.#state.kind === 'downloading' || this.#state.kind === 'ready') return;
    try {
      const updater = await this.#open();
      const found = await updater.check();
      if (this.#isClosed || this.#download !== null || !this.#options.isEnabled()) return;
      this.#found = found;
      this.#change(
        found === null
          ? { kind: 'none' }
          : { kind: 'offered', version: found.version, how: this.#options.method.kind },
      );
    } catch (error) {
      // The next check may succeed; a notice would only disturb.
      this.#options.logger.warn('the feed of updates could not be read', { error: errorMessage(error) });
    }
  }

  #open(): Promise<Updater> {
    const { open } = this.#options;
    if (open === null) throw new Error('there is no feed of updates');
    return (this.#updater ??= open());
  }

  #change(state: UpdateState): void {
    this.#state = state;
    if (!this.#isClosed) this.#options.onChange(state);
  }
}

function downloadProblem(error: unknown): Problem {
  const isDamaged = error instanceof Error && 'code' in error && error.code === 'ERR_CHECKSUM_MISMATCH';
  return { code: isDamaged ? 'update_damaged' : 'update_unreachable', detail: errorMessage(error) };
}
