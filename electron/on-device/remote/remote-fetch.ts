import { Agent, type Dispatcher } from 'undici';
import { errorMessage, isDiskFull } from '../../contract/errors.ts';
import { delay } from '../../core/delay.ts';
import type { Clock } from '../../core/ports.ts';
import { StallWatch } from '../../core/stall-watch.ts';
import { ServiceError } from '../service-error.ts';
import type { ServiceLimits } from '../service-options.ts';
import { DownloadProgress, type DownloadTarget } from './download-progress.ts';
import type { RemoteHosts } from './remote-hosts.ts';
import { parseRemoteUrl } from './remote-url.ts';
import { TimeLimit, type TimeSpent } from './time-limit.ts';

const maxRedirects = 5;
/** Consecutive attempts without progress. */
const maxAttemptsWithoutProgress = 5;

/** Downloads remote files: only from the public Internet, within limits of size and time, and with resumption. */
export class RemoteFetch {
  readonly #hosts: RemoteHosts;
  readonly #limits: ServiceLimits;
  readonly #clock: Clock;

  constructor(hosts: RemoteHosts, limits: ServiceLimits, clock: Clock) {
    this.#hosts = hosts;
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Downloads `url` to the target's file, resumes an earlier download of the same version, and waits until the file is on
   * the disk.
   *
   * @param spent how long earlier runs have taken; this one is added to it.
   *
   * @throws ServiceError with the reason, an error of the disk, or the signal's reason.
   */
  async download(url: URL, target: DownloadTarget, spent: TimeSpent, signal: AbortSignal): Promise<void> {
    const progress = await DownloadProgress.resume(target, this.#limits.partBytes);
    const timeLimit = new TimeLimit(this.#clock, this.#limits.remoteTotalMs, spent);
    const agent = new Agent({
      connect: {
        lookup: this.#hosts.lookup,
        timeout: this.#limits.remoteIdleMs,
        ...(this.#hosts.ca !== undefined && { ca: this.#hosts.ca }),
      },
      headersTimeout: this.#limits.remoteIdleMs,
      bodyTimeout: this.#limits.remoteIdleMs,
    });
    try {
      if (!progress.isComplete) {
        await this.#downloadWithRetries(agent, url, progress, AbortSignal.any([signal, timeLimit.signal]));
      }
      await target.file.datasync();
    } catch (error) {
      // The service may be shutting down: the next run resumes here.
      if (signal.aborted) {
        timeLimit.record();
        await progress.record();
      }
      throw error;
    } finally {
      timeLimit.stop();
      await agent.destroy();
    }
  }

  async #downloadWithRetries(
    agent: Agent,
    url: URL,
    progress: DownloadProgress,
    signal: AbortSignal,
  ): Promise<void> {
    let furthestBytes = progress.bytes;
    let attemptsWithoutProgress = 0;
    for (;;) {
      const watch = new StallWatch(this.#clock);
      try {
        await this.#downloadOnce(agent, url, progress, watch, AbortSignal.any([signal, watch.signal]));
        return;
      } catch (error) {
        signal.throwIfAborted();
        const refusal = serviceErrorIn(error);
        if (refusal !== null && refusal.code !== 'remote_dns_failed') throw refusal;
        if (isDiskFull(error)) throw error;
        const isProgress = watch.isProgress(progress.bytes - furthestBytes);
        attemptsWithoutProgress = isProgress ? 0 : attemptsWithoutProgress + 1;
        furthestBytes = Math.max(furthestBytes, progress.bytes);
        if (attemptsWithoutProgress === maxAttemptsWithoutProgress) throw refusal ?? toFinalError(error);
      } finally {
        watch.stop();
      }
      await delay(this.#clock, 1000 * 2 ** attemptsWithoutProgress, signal);
    }
  }

  async #downloadOnce(
    agent: Agent,
    start: URL,
    progress: DownloadProgress,
    watch: StallWatch,
    signal: AbortSignal,
  ): Promise<void> {
    let url = start;
    for (let hop = 0; hop <= maxRedirects; hop++) {
      await this.#hosts.check(url);
      const response = await agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'GET',
        headers: {
          'user-agent': 'Longhand',
          accept: '*/*',
          'accept-encoding': 'identity',
          ...progress.requestHeaders(),
        },
        signal,
      });
      // Errors are handled where the body is read; a later one does not matter.
      response.body.on('error', () => undefined);
      const location = redirectTarget(response);
      if (location === null) {
        await this.#receive(response, progress, watch, signal);
        return;
      }
      response.body.destroy();
      url = parseRemoteUrl(location, url);
    }
    throw new ServiceError('invalid_remote_url', 'The address redirects too many times.');
  }

  async #receive(
    response: Dispatcher.ResponseData,
    progress: DownloadProgress,
    watch: StallWatch,
    signal: AbortSignal,
  ): Promise<void> {
    const headers = new Headers(flattenHeaders(response.headers));
    // The range does not exist: the next attempt requests the whole file.
    if (response.statusCode === 416) progress.dropValidator();
    assertSuccess(response.statusCode);
    assertNotWebPage(headers);
    await progress.prepareFor(response.statusCode, headers);
    this.#assertSize(progress.bytes + Number(headers.get('content-length') ?? 0));
    let seenBytes = progress.bytes;
    await progress.append(response.body, signal, () => {
      this.#assertSize(progress.bytes);
      watch.onProgress(progress.bytes - seenBytes);
      seenBytes = progress.bytes;
    });
  }

  #assertSize(bytes: number): void {
    if (bytes <= this.#limits.maxFileBytes) return;
    throw new ServiceError(
      'file_too_large',
      `Files of more than ${this.#limits.maxFileBytes} bytes are not accepted.`,
    );
  }
}

function redirectTarget({ statusCode, headers }: Dispatcher.ResponseData): string | null {
  if (![301, 302, 303, 307, 308].includes(statusCode)) return null;
  return new Headers(flattenHeaders(headers)).get('location');
}

/** @throws Error for a temporary failure; ServiceError for a permanent one. */
function assertSuccess(status: number): void {
  if (status === 200 || status === 206) return;
  if (status === 408 || status === 416 || status === 425 || status === 429 || status >= 500) {
    throw new Error(`the server answered ${status}`);
  }
  const reason =
    status === 401 || status === 403 || status === 407
      ? 'needs a login'
      : status === 404 || status === 410
        ? 'does not exist'
        : `cannot be downloaded (${status})`;
  throw new ServiceError('invalid_remote_url', `The address ${reason}.`);
}

function assertNotWebPage(headers: Headers): void {
  if (headers.get('content-type')?.toLowerCase().startsWith('text/html') !== true) return;
  throw new ServiceError('unsupported_file', 'The address leads to a web page, not to a recording.');
}

function flattenHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const first = Array.isArray(value) ? value[0] : value;
      return first === undefined ? [] : [[name, first]];
    }),
  );
}

/** Finds a {@link ServiceError} among the causes: connections wrap what the lookup threw. */
function serviceErrorIn(error: unknown): ServiceError | null {
  if (error instanceof ServiceError) return error;
  return error instanceof Error && error.cause !== undefined ? serviceErrorIn(error.cause) : null;
}

function toFinalError(error: unknown): ServiceError {
  const reason = errorMessage(error);
  return new ServiceError('request_failed', `The file could not be downloaded: ${reason}.`, { cause: error });
}
