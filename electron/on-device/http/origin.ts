import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { FastifyRequest } from 'fastify';

/**
 * Whether a `Host` header names this service. A web page that resolves its own name to this computer ("DNS
 * rebinding") is turned away: addresses are fine, foreign names are not.
 *
 * @param host the header, with or without a port.
 * @param ownHost what the service was told to listen on.
 */
export function isOwnHost(host: string, ownHost: string): boolean {
  const match = /^(?:\[(?<v6>[^\]]+)\]|(?<name>[^:[\]]+))(?::\d{1,5})?$/.exec(host);
  const v6 = match?.groups?.['v6'];
  if (v6 !== undefined) return isIP(v6) === 6;
  const name = match?.groups?.['name']?.toLowerCase();
  if (name === undefined) return false;
  const computer = hostname().toLowerCase();
  return (
    isIP(name) === 4 || ['localhost', ownHost.toLowerCase(), computer, `${computer}.local`].includes(name)
  );
}

/** The service's origin as the client knows it: its addresses have to be of the origin that it was given (API 2.3). */
function originOf(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`;
}

/** Path of all jobs (API part 4). */
export const jobsPath = '/api/v1/transcriptions';

/** Status address of a job (API part 4.1, `Location`). */
export function jobUrl(request: FastifyRequest, jobId: string): string {
  return `${originOf(request)}${jobsPath}/${jobId}`;
}
