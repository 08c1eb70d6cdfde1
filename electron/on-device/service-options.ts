import { isIP } from 'node:net';

/** The bounds that the service keeps to. Tests choose smaller ones. */
export interface ServiceLimits {
  /** Bytes of each part but the last (API part 2.3). */
  readonly partBytes: number;
  /** Largest file that is taken. */
  readonly maxFileBytes: number;
  /** Longest recording that is taken: a few megabytes may hold weeks of silence. */
  readonly maxSeconds: number;
  /** API part 8. */
  readonly maxActiveJobs: number;
  /** How long an upload session waits for its next part. */
  readonly uploadSessionMs: number;
  /** How long the record of an ended job is kept with its result (API part 1.7). */
  readonly historyMs: number;
  /**
   * How long the audio of a completed job is kept, at most 60 days (API part 1.7). Never longer than its record: without
   * it nobody could delete the audio.
   */
  readonly audioMs: number;
  /** A link's server has this long to send its next bytes. */
  readonly remoteIdleMs: number;
  /** A link's download takes no longer than this, all runs of the service together. */
  readonly remoteTotalMs: number;
  /** How long a client is asked to wait between two polls (API part 4.4). */
  readonly pollSeconds: number;
  /** Requests that are served under one key, on average; ten seconds' worth of them may come at once. */
  readonly requestsPerMinute: number;
  /** Connections at once; one more is closed. */
  readonly maxConnections: number;
  /** A client has this long for the headers of a request. */
  readonly headersMs: number;
  /** A client has this long for a whole request, however it trickles. */
  readonly requestMs: number;
  /** A connection may stand still this long in the midst of a request. */
  readonly stillMs: number;
  /** How often the service may end in the midst of a job's work before the job is given up. */
  readonly maxCrashes: number;
}

const day = 24 * 60 * 60 * 1000;

/** The service as the API describes it. */
export const documentedLimits: ServiceLimits = {
  partBytes: 8 * 1024 ** 2,
  maxFileBytes: 64 * 1024 ** 3,
  maxSeconds: 100 * 60 * 60,
  maxActiveJobs: 50,
  uploadSessionMs: day,
  historyMs: 30 * day,
  audioMs: 60 * day,
  remoteIdleMs: 60_000,
  remoteTotalMs: day / 4,
  pollSeconds: 3,
  // Some hundred times of what fifty polled jobs and four uploads ask for: only a client that runs wild meets it.
  requestsPerMinute: 60_000,
  maxConnections: 1024,
  headersMs: 15_000,
  requestMs: 600_000,
  stillMs: 60_000,
  maxCrashes: 2,
};

/**
 * The service inside the window's own program. The recordings are on this computer already: a second copy would only
 * fill its disk, so it goes as soon as the text is there. Its one client is near and may ask more often.
 */
export const embeddedLimits: ServiceLimits = { ...documentedLimits, audioMs: 0, pollSeconds: 1 };

/** The service may not be started like this; the message says why, for a person. */
export class ServiceOptionsError extends Error {
  override readonly name = 'ServiceOptionsError';
}

/** Keys shorter than this can be guessed by someone who may try over a network. */
const minNetworkKeyLength = 16;

/** Whether `host` is reached from this computer alone. */
function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}

/**
 * Refuses to open the service to a network unless somebody chose a key for it.
 *
 * @param key the key that was given; empty when none was.
 * @throws ServiceOptionsError with the reason.
 */
export function assertMayListen(host: string, key: string): void {
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
