import type { ServerResponse } from 'node:http';
import type { ScriptedResponse } from './shape.ts';

export type Endpoint = 'create' | 'part' | 'complete' | 'status' | 'list' | 'delete';

/** What goes wrong with a response; `tookEffect`: the request was carried out anyway. */
export type ScriptedFault =
  | {
      readonly kind: 'refusal';
      readonly status: number;
      readonly code: string | null;
      readonly retryAfter?: string;
      readonly tookEffect: boolean;
    }
  /**
   * `reset`: the connection ends without a response; `cut`: in the middle of one; `stall`: nothing more arrives.
   * `redirect`, `foreign location` and `foreign session` point to another origin.
   */
  | {
      readonly kind:
        | 'reset'
        | 'cut'
        | 'stall'
        | 'sign-in page'
        | 'half JSON'
        | 'no JSON'
        | 'wrong shape'
        | 'empty'
        | 'redirect'
        | 'foreign location'
        | 'foreign session';
      readonly tookEffect: boolean;
    };

/** The right response with something in it replaced. */
export interface AlteredResponse {
  readonly kind: 'altered';
  readonly alter: (response: ScriptedResponse) => ScriptedResponse;
  readonly tookEffect: true;
}

export interface Injection {
  readonly endpoint: Endpoint;
  /** The first call that it affects, counted from the start of the service, from 1 on. */
  readonly from: number;
  /** Number of calls that it affects; `Infinity` for all until it is removed. */
  readonly times: number;
  /** Only calls about this recording; absent for all. */
  readonly content?: string;
  readonly fault: ScriptedFault | AlteredResponse;
}

/** An active injection. */
export interface ActiveInjection {
  /** Number of calls that it has affected. */
  readonly affectedCount: number;
  /** Resolves when it affects the first call, before that is answered. */
  readonly first: Promise<void>;
  remove(): void;
}

/** Decides which call is affected by which fault. */
export class FaultPlan {
  readonly #injections = new Set<{
    readonly injection: Injection;
    affectedCount: number;
    onFirst: () => void;
  }>();
  readonly #calls = new Map<Endpoint, number>();

  inject(injection: Injection): ActiveInjection {
    const first = Promise.withResolvers<void>();
    const entry = { injection, affectedCount: 0, onFirst: first.resolve };
    this.#injections.add(entry);
    return {
      first: first.promise,
      get affectedCount() {
        return entry.affectedCount;
      },
      remove: () => this.#injections.delete(entry),
    };
  }

  /**
   * Counts a call.
   *
   * @returns the fault that affects it.
   */
  take(endpoint: Endpoint, content: string | null): ScriptedFault | AlteredResponse | null {
    const call = (this.#calls.get(endpoint) ?? 0) + 1;
    this.#calls.set(endpoint, call);
    for (const entry of this.#injections) {
      const { injection } = entry;
      if (injection.content !== undefined && injection.content !== content) continue;
      if (injection.endpoint !== endpoint || call < injection.from || entry.affectedCount >= injection.times)
        continue;
      entry.affectedCount += 1;
      entry.onFirst();
      return injection.fault;
    }
    return null;
  }
}

const signInPage = '<!doctype html><html><title>Welcome to the hotel</title><form>Room</form></html>';

/** Sends a response unchanged. */
export function send(response: ServerResponse, { status, headers, body }: ScriptedResponse): void {
  const text = body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text), ...headers });
  response.end(text);
}

/**
 * Sends a response changed by a fault.
 *
 * @param otherOrigin another origin, whose addresses must not be used.
 */
export function sendFaulty(
  response: ServerResponse,
  scripted: ScriptedResponse,
  kind: Exclude<ScriptedFault['kind'], 'refusal'>,
  otherOrigin: string,
): void {
  const text = JSON.stringify(scripted.body ?? { ok: true });
  const half = text.slice(0, Math.ceil(text.length / 2));
  const json = { 'content-type': 'application/json' };
  switch (kind) {
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'cut':
      response.writeHead(scripted.status, { ...json, 'content-length': text.length });
      response.write(half, () => response.destroy());
      return;
    case 'stall':
      response.writeHead(scripted.status, { ...json, 'content-length': text.length });
      response.write(half);
      return;
    case 'sign-in page':
      response.writeHead(200, { 'content-type': 'text/html' }).end(signInPage);
      return;
    case 'half JSON':
      response.writeHead(scripted.status, json).end(half);
      return;
    case 'no JSON':
      response.writeHead(scripted.status, json).end('{]');
      return;
    case 'wrong shape':
      response.writeHead(scripted.status, json).end('{"data":[{"status":7}],"upload":"later"}');
      return;
    case 'empty':
      response.writeHead(scripted.status, json).end();
      return;
    case 'redirect':
      response.writeHead(307, { location: `${otherOrigin}/api/v1/transcriptions` }).end();
      return;
    case 'foreign location':
      send(response, { ...scripted, headers: moved(scripted.headers, otherOrigin) });
      return;
    case 'foreign session':
      send(response, { ...scripted, body: moved(scripted.body, otherOrigin) });
  }
}

/** Returns a value with its addresses moved to another origin. */
function moved<T>(value: T, otherOrigin: string): T {
  const text = JSON.stringify(value).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, otherOrigin);
  return JSON.parse(text) as T;
}
