import { isIP } from 'node:net';

/** The limits of the service. Tests use smaller ones. */
export interface ServiceLimits {
  /** Bytes of each part but the last (API part 2.3). */
  readonly partBytes: number;
  /** Maximum size of a file. */
  readonly maxFileBytes: number;
  /** Maximum duration of a recording: a few megabytes may hold weeks of silence. */
  readonly maxSeconds: number;
  /** Maximum size of a JSON request body. */
  readonly maxBodyBytes: number;
  /** API part 8. */
  readonly maxActiveJobs: number;
  /** How long an upload session waits for its next part. */
  readonly uploadSessionMs: number;
  /** How long the record of an ended job is kept with its result (API part 1.7). */
  readonly recordRetentionMs: number;
  /**
   * How long the audio of a completed job is kept, at most 60 days (API part 1.7). Never longer than its record, which is
   * needed to delete it.
   */
  readonly audioRetentionMs: number;
  /** How long a link's server may take to send its next bytes. */
  readonly remoteIdleMs: number;
  /** Maximum duration of a link's download, over all runs of the service. */
  readonly remoteTotalMs: number;
  /** How long clients should wait between two polls (API part 4.4). */
  readonly pollSeconds: number;
  /** Average requests per minute for one key; ten seconds' worth may come at once. */
  readonly requestsPerMinute: number;
  /** Maximum concurrent connections; further ones are closed. */
  readonly maxConnections: number;
  /** Time limit for the headers of a request. */
  readonly headersMs: number;
  /** Time limit for a whole request. */
  readonly requestMs: number;
  /** How long a connection may be idle during a request. */
  readonly idleTimeoutMs: number;
  /** How often the service may crash during a job before the job fails; an end of the whole program counts half. */
  readonly maxCrashes: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The limits that the API describes. */
export const documentedLimits: ServiceLimits = {
  partBytes: 8 * 1024 ** 2,
  maxFileBytes: 64 * 1024 ** 3,
  maxSeconds: 100 * 60 * 60,
  maxBodyBytes: 64 * 1024,
  maxActiveJobs: 50,
  uploadSessionMs: dayMs,
  recordRetentionMs: 30 * dayMs,
  audioRetentionMs: 60 * dayMs,
  remoteIdleMs: 60_000,
  remoteTotalMs: dayMs / 4,
  pollSeconds: 3,
  // Some hundred times the need of fifty polled jobs and four uploads: only a runaway client reaches it.
  requestsPerMinute: 60_000,
  maxConnections: 1024,
  headersMs: 15_000,
  requestMs: 600_000,
  idleTimeoutMs: 60_000,
  maxCrashes: 2,
};

/**
 * The limits of the service within the program. The recordings are on this computer already, so copies are deleted as soon
 * as they are transcribed. Its only client is local and may poll more often.
 */
export const embeddedLimits: ServiceLimits = { ...documentedLimits, audioRetentionMs: 0, pollSeconds: 1 };

/** The service cannot start with these options; the message gives the user the reason. */
export class ServiceOptionsError extends Error {
  override readonly name = 'ServiceOptionsError';
}

/** Shorter keys can be guessed over a network. */
const minNetworkKeyLength = 16;

/** Whether `host` can only be reached from this computer. */
function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}

/**
 * Refuses to open the service to a network without a chosen key.
 *
 * @param key the key that was given; empty when none was.
 * @throws ServiceOptionsError with the reason.
 */
export function assertKeyForPublicHost(host: string, key: string): void {
  if (isLoopback(host) || key.length >= minNetworkKeyLength) return;
  const needed =
    key === '' ? 'choose a key of your own' : `choose a key of ${minNetworkKeyLength} characters at least`;
  throw new ServiceOptionsError(`Listening on ${host} lets other computers in: ${needed}.`);
}

/**
 * Refuses a key that no request could carry (API part 5.1).
 *
 * @throws ServiceOptionsError with the reason.
 */
export function assertUsableKey(key: string): void {
  if (/^[\x21-\x7e]+$/.test(key)) return;
  throw new ServiceOptionsError('The key has to be made of visible ASCII characters without spaces.');
}
