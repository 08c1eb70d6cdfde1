import { ProblemError } from '../../contract/problem.ts';
import type { Clock } from '../ports.ts';
import { ServiceClient } from './client.ts';

/**
 * Asks a service once whether it is one and takes the key. Costs nothing: it reads the list of jobs (API part 4.5).
 *
 * @throws ProblemError `invalid_api_key`, `offline`, `wrong_address`, or what the service says is wrong.
 */
export async function checkAccount(
  baseUrl: string,
  key: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const client = new ServiceClient(baseUrl, key, clock);
  try {
    const answer = await client.list(signal);
    if (answer.ok) return;
    const { fault } = answer;
    const params = { address: baseUrl };
    if (fault.kind === 'offline') throw new ProblemError({ code: 'offline', params, detail: fault.message });
    const refusedKey =
      fault.kind === 'refused' && (fault.httpStatus === 401 || fault.code === 'invalid_api_key');
    if (refusedKey) throw new ProblemError({ code: 'invalid_api_key', params, detail: fault.message });
    const named = fault.kind === 'refused' && fault.httpStatus !== 404 ? fault.code : null;
    throw new ProblemError({ code: named ?? 'wrong_address', params, detail: fault.message });
  } finally {
    await client.close();
  }
}
