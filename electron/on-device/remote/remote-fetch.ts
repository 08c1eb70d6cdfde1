import type { FileHandle } from 'node:fs/promises';
import { Agent, type Dispatcher } from 'undici';
import type { Clock } from '../../core/ports.ts';
import { writeStream } from '../media/write-stream.ts';
import { pause } from '../../core/pause.ts';
import { isDiskFull, ServiceError } from '../service-error.ts';
import type { ServiceLimits } from '../service-options.ts';
import type { RemoteHosts } from './remote-hosts.ts';
import { parseRemoteUrl } from './remote-url.ts';

const maxRedirects = 5;
/** In a row, without the download getting further than ever before. */
const maxFruitlessAttempts = 5;

/** How far a download has come. */
interface Progress {
  bytes: number;
  /** The server's word for this very version of the file; without it nothing can be gone on with. */
  validator: string | null;
}

/** Downloads remote files: from the public Internet alone, within limits of size and time, going on where it broke. */
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
   * Writes what `url` leads to into `file`, from its beginning, and waits until it is on the disk.
   *
   * @throws ServiceError with the reason, or what the disk says, or the signal's reason.
   */
  async download(url: URL, file: FileHandle, signal: AbortSignal): Promise<void> {
    const tooLong = new AbortController();
    const cancelTimer = this.#clock.schedule(this.#limits.remoteTotalMs, () =>
      tooLong.abort(new ServiceError('request_failed', 'The download took too long.')),
    );
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
      await this.#attempts(agent, url, file, AbortSignal.any([signal, tooLong.signal]));
      await file.datasync();
    } finally {
      cancelTimer();
      await agent.destroy();
    }
  }

  async #attempts(agent: Agent, url: URL, file: FileHandle, signal: AbortSignal): Promise<void> {
    const progress: Progress = { bytes: 0, validator: null };
    let furthest = 0;
    let fruitless = 0;
    for (;;) {
      try {
        await this.#attempt(agent, url, file, progress, signal);
        return;
      } catch (error) {
        signal.throwIfAborted();
        const refusal = refusalIn(error);
        if (refusal !== null && refusal.code !== 'remote_dns_failed') throw refusal;
        if (isDiskFull(error)) throw error;
        fruitless = progress.bytes > furthest ? 0 : fruitless + 1;
        furthest = Math.max(furthest, progress.bytes);
        if (fruitless === maxFruitlessAttempts) throw refusal ?? gaveUp(error);
        await pause(this.#clock, 1000 * 2 ** fruitless, signal);
      }
    }
  }

  async #attempt(
    agent: Agent,
    start: URL,
    file: FileHandle,
    progress: Progress,
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
          ...resume(progress),
        },
        signal,
      });
      // Its errors are met where it is read; one that comes when nobody reads it any more is no news.
      response.body.on('error', () => undefined);
      const location = redirectTarget(response);
      if (location === null) {
        await this.#receive(response, file, progress, signal);
        return;
      }
      response.body.destroy();
      url = parseRemoteUrl(location, url);
    }
    throw new ServiceError(
      'invalid_remote_url',
      'The address leads from one address to the next without end.',
    );
  }

  async #receive(
    response: Dispatcher.ResponseData,
    file: FileHandle,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<void> {
    const headers = new Headers(flat(response.headers));
    // There is no such rest: the next attempt asks for the whole file.
    if (response.statusCode === 416) progress.validator = null;
    refuseStatus(response.statusCode);
    refuseWebPage(headers);
    const piece = response.statusCode === 206 ? pieceOf(headers) : null;
    if (response.statusCode === 206 && piece?.start !== progress.bytes) {
      progress.validator = null;
      throw new Error('the server sent another piece than was asked for');
    }
    if (piece === null || piece.start === 0) {
      progress.bytes = 0;
      progress.validator = validatorOf(headers);
      await file.truncate(0);
    }
    this.#refuseSize(progress.bytes + Number(headers.get('content-length') ?? 0));
    await writeStream(response.body, file, progress.bytes, signal, (bytes) => {
      progress.bytes += bytes;
      this.#refuseSize(progress.bytes);
    });
    // A server may send less than it was asked for (RFC 9110, part 15.3.7).
    if (piece !== null && progress.bytes < piece.total) throw new Error('the server sent a piece alone');
  }

  #refuseSize(bytes: number): void {
    if (bytes <= this.#limits.maxFileBytes) return;
    throw new ServiceError(
      'file_too_large',
      `Files of more than ${this.#limits.maxFileBytes} bytes are not taken.`,
    );
  }
}

/** Asks for the rest alone, if the file is still the same (RFC 9110, parts 13.1.5 and 14.2). */
function resume({ bytes, validator }: Progress): Record<string, string> {
  return bytes > 0 && validator !== null ? { range: `bytes=${bytes}-`, 'if-range': validator } : {};
}

function validatorOf(headers: Headers): string | null {
  const etag = headers.get('etag');
  return etag !== null && !etag.startsWith('W/') ? etag : headers.get('last-modified');
}

/** Which piece of the file a partial answer is; `total` is 0 where that is not said. `null` when nothing is said. */
function pieceOf(headers: Headers): { readonly start: number; readonly total: number } | null {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/i.exec(headers.get('content-range') ?? '') ?? [];
  return start === undefined ? null : { start: Number(start), total: total === '*' ? 0 : Number(total) };
}

function redirectTarget({ statusCode, headers }: Dispatcher.ResponseData): string | null {
  if (![301, 302, 303, 307, 308].includes(statusCode)) return null;
  return new Headers(flat(headers)).get('location');
}

/** What may pass by itself is a plain error, all else a refusal for good. */
function refuseStatus(status: number): void {
  if (status === 200 || status === 206) return;
  if (status === 408 || status === 416 || status === 425 || status === 429 || status >= 500) {
    throw new Error(`the server answered ${status}`);
  }
  const reason =
    status === 401 || status === 403 || status === 407
      ? 'needs a login'
      : status === 404 || status === 410
        ? 'leads to nothing'
        : `cannot be downloaded (${status})`;
  throw new ServiceError('invalid_remote_url', `The address ${reason}.`);
}

function refuseWebPage(headers: Headers): void {
  if (headers.get('content-type')?.toLowerCase().startsWith('text/html') !== true) return;
  throw new ServiceError('unsupported_file', 'The address leads to a web page, not to a recording.');
}

function flat(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const one = Array.isArray(value) ? value[0] : value;
      return one === undefined ? [] : [[name, one]];
    }),
  );
}

/** Connections wrap what the lookup threw. */
function refusalIn(error: unknown): ServiceError | null {
  if (error instanceof ServiceError) return error;
  return error instanceof Error && error.cause !== undefined ? refusalIn(error.cause) : null;
}

function gaveUp(error: unknown): ServiceError {
  const reason = error instanceof Error ? error.message : String(error);
  return new ServiceError('request_failed', `The file could not be downloaded: ${reason}.`, { cause: error });
}
