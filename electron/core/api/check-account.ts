import { ProblemError } from '../../contract/problem.ts';
import { workerUrl } from '../../workers/registry.ts';
import type { Clock } from '../ports.ts';
import { BodyParser } from './body-parser.ts';
import { problemOf } from './fault-problem.ts';
import { ServiceClient } from './client.ts';

/** Milliseconds that an account may take to respond to the check. */
export const maxCheckMs = 30_000;

/**
 * Checks with one request whether an address is a service and accepts the key. Costs nothing: it reads the list of jobs
 * (API part 4.5).
 *
 * @param workersFolder the folder of the built workers; see {@link workerUrl}
 * @throws ProblemError `invalid_api_key`, `offline`, `certificate_untrusted`, `service_unavailable`, `wrong_address`, or
 *   the service's error code.
 */
export async function checkAccount(
  baseUrl: string,
  key: string,
  clock: Clock,
  signal: AbortSignal,
  workersFolder?: URL,
): Promise<void> {
  const params = { address: baseUrl };
  if (!validKey.test(key)) throw new ProblemError({ code: 'invalid_api_key', params });
  const client = new ServiceClient(baseUrl, key, clock, {
    parser: new BodyParser(workerUrl('response', workersFolder)),
  });
  try {
    const result = await client.list(signal);
    if (result.ok) return;
    throw new ProblemError({ ...problemOf('account', result.fault), params });
  } catch (error) {
    // A server that accepts the request and never responds counts as offline.
    if (isTimeout(signal.reason)) throw new ProblemError({ code: 'offline', params }, { cause: error });
    throw error;
  } finally {
    await client.close();
  }
}

/** What a header can contain (RFC 9110, section 5.5), except spaces, which only a badly copied key contains. */
const validKey = /^[\x21-\x7e]+$/;

const isTimeout = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError';
