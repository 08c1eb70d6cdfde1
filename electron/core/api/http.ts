import type { Readable } from 'node:stream';
import type { Agent, Dispatcher, request } from 'undici';
import type { Clock } from '../ports.ts';
import type { Fault } from './answers.ts';

/** A connection that says nothing for so long has stalled. */
const stallMs = 120_000;
/** No answer of the API comes near this; a transcript of 24 hours has about 5 MB. */
const maxAnswerBytes = 64 * 1024 * 1024;

const unreachableCodes = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | HttpBody | null;
  readonly signal: AbortSignal;
}

/** A body of known length that is produced as it is sent. */
export interface HttpBody {
  readonly length: number;
  /** `alive` is to be called whenever bytes have left, so that a slow connection is not taken for a stalled one. */
  chunks(alive: () => void): AsyncIterable<Uint8Array>;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  header(name: string): string | undefined;
}

export type HttpResult =
  { readonly ok: true; readonly answer: HttpAnswer } | { readonly ok: false; readonly fault: Fault };

interface Connection {
  readonly agent: Agent;
  readonly request: typeof request;
}

/** Sends single requests and follows nothing: a redirect is an answer like any other. */
export class HttpChannel {
  readonly #clock: Clock;
  /** `null` before the first request. */
  #line: Promise<Connection> | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Sends one request. Rejects only when `signal` is aborted or the body cannot be produced. */
  async send({ method, url, headers, body, signal }: HttpRequest): Promise<HttpResult> {
    const watch = new StallWatch(this.#clock);
    const bodyTrouble: { error?: unknown } = {};
    try {
      const { agent, request } = await (this.#line ??= openConnection());
      const response = await request(url, {
        dispatcher: agent,
        method,
        headers: {
          ...headers,
          ...(body !== null && typeof body !== 'string' ? { 'content-length': String(body.length) } : {}),
        },
        body: body === null || typeof body === 'string' ? body : streamed(body, watch.alive, bodyTrouble),
        signal: AbortSignal.any([signal, watch.signal]),
      });
      return { ok: true, answer: await readAnswer(response, watch.alive) };
    } catch (error) {
      signal.throwIfAborted();
      if ('error' in bodyTrouble) throw bodyTrouble.error;
      return { ok: false, fault: faultOf(error) };
    } finally {
      watch.end();
    }
  }

  async close(): Promise<void> {
    const line = this.#line ?? Promise.reject(new Error('the channel was closed before it was used'));
    this.#line = line;
    await line.then(
      ({ agent }) => agent.destroy(),
      () => undefined,
    );
  }
}

/** Loaded with the first request: undici is larger than all the rest of the program, and no picture waits for it. */
async function openConnection(): Promise<Connection> {
  const { Agent, request } = await import('undici');
  const agent = new Agent({
    connections: 16,
    connect: { timeout: 15_000 },
    // Own watch instead: an upload may take long as long as bytes move.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { agent, request };
}

/** undici sends any async iterable, waiting for each chunk to leave; its types know of streams alone. */
function streamed(body: HttpBody, alive: () => void, trouble: { error?: unknown }): Readable {
  return guarded(body.chunks(alive), trouble) as AsyncIterable<Uint8Array> as Readable;
}

/** Remembers an error of the body's own making, which undici would pass on as a broken connection. */
async function* guarded(
  chunks: AsyncIterable<Uint8Array>,
  trouble: { error?: unknown },
): AsyncIterable<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    trouble.error = error;
    throw error;
  }
}

async function readAnswer(response: Dispatcher.ResponseData, alive: () => void): Promise<HttpAnswer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    alive();
    const piece: Buffer = Buffer.from(chunk);
    bytes += piece.length;
    if (bytes > maxAnswerBytes) throw new Error('the answer is larger than any answer of the API');
    chunks.push(piece);
  }
  return {
    status: response.statusCode,
    text: Buffer.concat(chunks).toString('utf8'),
    header: (name) => {
      const value = response.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
  };
}

function faultOf(error: unknown): Fault {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: isUnreachable(error) ? 'offline' : 'interrupted', message };
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  return error instanceof Error && 'code' in error && unreachableCodes.has(String(error.code));
}

/** Aborts when nothing has moved for {@link stallMs}. */
class StallWatch {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  #lastMove: number;
  #cancel: () => void;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lastMove = clock.now();
    this.#cancel = clock.schedule(stallMs, this.#check);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  readonly alive = (): void => {
    this.#lastMove = this.#clock.now();
  };

  end(): void {
    this.#cancel();
  }

  readonly #check = (): void => {
    const quiet = this.#clock.now() - this.#lastMove;
    if (quiet >= stallMs) this.#controller.abort(new Error(`nothing moved for ${stallMs / 1000} s`));
    else this.#cancel = this.#clock.schedule(stallMs - Math.max(0, quiet), this.#check);
  };
}
