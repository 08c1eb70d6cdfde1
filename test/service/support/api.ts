import { setTimeout as sleep } from 'node:timers/promises';
import { getGlobalDispatcher } from 'undici';
import { z } from 'zod';
import { Description } from './description.ts';
import { createdSchema, jobSchema, type WireJob, type WireUpload } from './document.ts';

/** A service with the API, and a key for it. */
export interface Target {
  readonly baseUrl: string;
  readonly key: string;
}

export interface Reply {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  /** The parsed body; the text itself when it is not JSON. */
  readonly body: unknown;
}

export interface Sending {
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array | null;
  /** A key instead of the target's; `null` sends none. */
  readonly key?: string | null;
}

export const jobsPath = '/api/v1/transcriptions';

/** A response does not match the service's own description. */
export class UndescribedResponseError extends Error {
  override readonly name = 'UndescribedResponseError';
}

/** Parsed descriptions by their text, since compiling one takes a while. */
const descriptions = new Map<string, Description>();

/**
 * A minimal client of the API that sends requests exactly as given. Every response is checked against the service's own
 * description.
 */
export class Api {
  readonly target: Target;
  readonly #pollMs: number | null;
  #description: Promise<Description | null> | null = null;

  /** @param pollMs the poll interval of {@link until}; `null`: the one that the service asks for. */
  constructor(target: Target, pollMs: number | null = 15) {
    this.target = target;
    this.#pollMs = pollMs;
  }

  /**
   * The service's description (`/openapi.json`); `null` when it has none that can be parsed. Fetched once, before the
   * first request.
   */
  async description(): Promise<Description | null> {
    this.#description ??= this.#readDescription();
    return this.#description;
  }

  /**
   * @param path relative to the base address, or a whole address.
   * @throws UndescribedResponseError when the response does not match the service's own description.
   */
  async send(method: string, path: string, sending: Sending = {}): Promise<Reply> {
    const description = await this.description();
    const base = this.target.baseUrl.replace(/\/+$/, '');
    const url = path.startsWith('http') ? path : base + path;
    const reply = await this.#request(method, url, sending);
    const faults = url.startsWith(base)
      ? (description?.faultsOf(method, url.slice(base.length), reply) ?? [])
      : [];
    if (faults.length === 0) return reply;
    const summary = `${reply.status} ${JSON.stringify(reply.body).slice(0, 500)}`;
    throw new UndescribedResponseError(
      `${method} ${path} was answered with ${summary}, against /openapi.json:\n- ${faults.join('\n- ')}`,
    );
  }

  async #readDescription(): Promise<Description | null> {
    const base = this.target.baseUrl.replace(/\/+$/, '');
    const { status, body } = await this.#request('GET', `${base}/openapi.json`, {});
    if (status !== 200) return null;
    const text = JSON.stringify(body);
    try {
      const description = descriptions.get(text) ?? new Description(body);
      descriptions.set(text, description);
      return description;
    } catch {
      return null;
    }
  }

  /** @param url a whole address, which is sent unchanged even if it is invalid. */
  async #request(method: string, url: string, { headers = {}, body = null, key }: Sending): Promise<Reply> {
    const sentKey = key === undefined ? this.target.key : key;
    // Not through URL, which would fix deliberately invalid addresses.
    const { origin } = new URL(url.startsWith(this.target.baseUrl) ? this.target.baseUrl : url);
    const response = await getGlobalDispatcher().request({
      origin,
      path: url.slice(origin.length),
      method: method as 'GET',
      headers: { ...(sentKey !== null && { authorization: `Bearer ${sentKey}` }), ...headers },
      body,
    });
    const text = await response.body.text();
    return {
      status: response.statusCode,
      header: (name) => {
        const value = response.headers[name];
        return Array.isArray(value) ? value.join(', ') : value;
      },
      body: parsed(text),
    };
  }

  async create(body: unknown, idempotencyKey?: string): Promise<Reply> {
    return this.send('POST', jobsPath, {
      headers: {
        'content-type': 'application/json',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify(body),
    });
  }

  /** Creates an upload session, which must succeed. */
  async session(
    fileName: string,
    fileSize: number,
    more: object = {},
  ): Promise<{ id: string; upload: WireUpload }> {
    const reply = await this.create({ file_name: fileName, file_size: fileSize, ...more });
    if (reply.status !== 201) throw new Error(`create: ${reply.status} ${JSON.stringify(reply.body)}`);
    const { id, upload } = readCreated(reply);
    if (upload === undefined) throw new Error('no upload session');
    return { id, upload };
  }

  async put(upload: WireUpload, part: number | string, bytes: Uint8Array): Promise<Reply> {
    return this.send('PUT', `${upload.part_url}?part_number=${part}`, { body: bytes });
  }

  async putAll(upload: WireUpload, file: Uint8Array): Promise<void> {
    for (let n = 1; n <= upload.part_count; n++) {
      const reply = await this.put(upload, n, partOf(file, upload, n));
      if (reply.status !== 200) throw new Error(`part ${n}: ${reply.status} ${JSON.stringify(reply.body)}`);
    }
  }

  /** Creates a job, uploads the whole file and completes the upload. */
  async submit(fileName: string, file: Uint8Array, more: object = {}): Promise<string> {
    const { id, upload } = await this.session(fileName, file.length, more);
    await this.putAll(upload, file);
    const reply = await this.complete(id);
    if (reply.status !== 202) throw new Error(`complete: ${reply.status} ${JSON.stringify(reply.body)}`);
    return id;
  }

  async complete(id: string): Promise<Reply> {
    return this.send('POST', `${jobsPath}/${id}/complete`);
  }

  async status(id: string): Promise<Reply> {
    return this.send('GET', `${jobsPath}/${id}`);
  }

  async job(id: string): Promise<WireJob> {
    return jobSchema.parse((await this.status(id)).body).data;
  }

  async delete(id: string): Promise<Reply> {
    return this.send('DELETE', `${jobsPath}/${id}`);
  }

  async list(): Promise<Reply> {
    return this.send('GET', jobsPath);
  }

  async balance(): Promise<number> {
    const { body } = await this.list();
    return (body as { meta: { balance_credits: number } }).meta.balance_credits;
  }

  /** Polls until the job is in one of the states. */
  async until(id: string, ...statuses: readonly string[]): Promise<WireJob> {
    for (;;) {
      const reply = await this.status(id);
      const { data } = jobSchema.parse(reply.body);
      if (statuses.includes(data.status)) return data;
      if (['completed', 'failed', 'deleted'].includes(data.status)) {
        throw new Error(`job ended ${data.status}: ${JSON.stringify(data.error)}`);
      }
      await sleep(this.#pollMs ?? Number(reply.header('retry-after') ?? 3) * 1000);
    }
  }
}

/**
 * Parses the response to a create request. The document only specifies `upload` (part 4.1), which may be next to the job or
 * in it; without a job, the identifier is the end of the `Location`.
 */
export function readCreated(reply: Reply): { readonly id: string; readonly upload: WireUpload | undefined } {
  const { data, upload } = createdSchema.parse(reply.body === '' ? {} : reply.body);
  const id = data?.id ?? new URL(reply.header('location') ?? '', 'http://x/').pathname.split('/').at(-1);
  if (id === undefined || id === '') throw new Error('neither a job nor a Location that names one');
  return { id, upload: upload ?? data?.upload };
}

/** The bytes of part `n` of a file (API part 2.3). */
export function partOf(file: Uint8Array, upload: WireUpload, n: number): Uint8Array {
  return file.subarray((n - 1) * upload.part_size, n * upload.part_size);
}

/**
 * The code of an error response. The document does not specify where it is (part 7): it is looked up next to the message,
 * where services have it, and at the top level.
 */
export function codeOf(reply: Reply): string | undefined {
  const { error, code } = errorCodeSchema.safeParse(reply.body).data ?? {};
  return error?.code ?? error?.type ?? code;
}

const optionalText = z.string().optional().catch(undefined);
const errorCodeSchema = z.looseObject({
  error: z.looseObject({ code: optionalText, type: optionalText }).optional().catch(undefined),
  code: optionalText,
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
