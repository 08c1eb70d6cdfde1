import { subscribe } from 'node:diagnostics_channel';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The number of requests in flight, by origin. */
const inFlight = new Map<string, number>();

const originOf = (message: unknown): string =>
  String((message as { request: { origin: string | URL } }).request.origin);
const count = (message: unknown, change: number): void => {
  const origin = originOf(message);
  inFlight.set(origin, (inFlight.get(origin) ?? 0) + change);
};
subscribe('undici:request:create', (message) => count(message, 1));
subscribe('undici:request:trailers', (message) => count(message, -1));
subscribe('undici:request:error', (message) => count(message, -1));

/** Returns how many of the core's requests to `origin` are in flight. */
export const requestsInFlight = (origin: string): number => inFlight.get(origin) ?? 0;

const isReadingFiles = (): boolean =>
  process.getActiveResourcesInfo().some((name) => /^FSReq|^CloseReq/.test(name));

/** After this many turns of the event loop without work there is none left: reading a response takes fewer. */
const calmTurns = 6;

/** Resolves once nothing is left to do in this process unless time passes: no request, no file, no promise. */
export async function idle(isBusy: () => boolean): Promise<void> {
  for (let calm = 0; calm < calmTurns;) {
    await nextTurn();
    calm = isBusy() || isReadingFiles() ? 0 : calm + 1;
  }
}
