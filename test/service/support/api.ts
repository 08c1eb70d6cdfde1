import { setTimeout as sleep } from 'node:timers/promises';
import { getGlobalDispatcher } from 'undici';
import { z } from 'zod';
import { Description } from './description.ts';
import { createdSchema, jobSchema, type WireJob, type WireUpload } from './document.ts';

/** A service that speaks the API, and a key to it. */
export interface Target {
  readonly baseUrl: string;
  readonly key: string;
}

export interface Reply {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  /** The parsed body; the text itself when it is no JSON. */
  readonly body: unknown;
}

export interface Sending {
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array | null;
  /** Another key than the target's; `null` sends none. */
  readonly key?: string | null;
}

export const jobsPath = '/api/v1/transcriptions';

/** An answer is not what the service itself describes. */
export class UndescribedAnswerError extends Error {
  override readonly name = 'UndescribedAnswerError';
}

/** Documents that were read already, by their text: to compile one takes a while. */
const descriptions = new Map<string, Description>();

/**
 * Speaks the API plainly, without any of the cleverness that a client needs: what a test sends is what goes out. Every
 * answer is held against the description that the service serves of itself.
 */
export class Api {
  readonly target: Target;
  readonly #pollMs: number | null;
  #description: Promise<Description | null> | null = null;

  /** @param pollMs how often {@link until} asks; `null`: as often as the service says. */
  constructor(target: Target, pollMs: number | null = 15) {
    this.target = target;
    this.#pollMs = pollMs;
  }

  /**
   * What the service says of itself (`/openapi.json`); `null` when it says nothing that can be read. Asked for once,
   * before the first request.
   */
  async description(): Promise<Description | null> {
    this.#description ??= this.#readDescription();
    return this.#description;
  }

  /**
   * @param path relative to the base address, or a whole address.
   * @throws UndescribedAnswerError when the answer is not what the service itself describes.
   */
  async send(method: string, path: string, sending: Sending = {}): Promise<Reply> {
    const description = await this.description();
    const base = this.target.baseUrl.replace(/\/+$/, '');
    const whole = path.startsWith('http') ? path : base + path;
    const reply = await this.#request(method, whole, sending);
    const faults = whole.startsWith(base)
      ? (description?.faultsOf(method, whole.slice(base.length), reply) ?? [])
      : [];
    if (faults.length === 0) return reply;
    const answer = `${reply.status} ${JSON.stringify(reply.body).slice(0, 500)}`;
    throw new UndescribedAnswerError(
      `${method} ${path} was answered with ${answer}, against /openapi.json:\n- ${faults.join('\n- ')}`,
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

  /** @param url a whole address; it goes out as it is, however broken. */
  async #request(method: string, url: string, { headers = {}, body = null, key }: Sending): Promise<Reply> {
    const sentKey = key === undefined ? this.target.key : key;
    // Not through URL, which would repair what a test means to be broken.
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

  /** Creates an upload session, which has to work. */
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

  /** Creates a job, sends the whole file and starts the work. */
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
 * What a create answer says. The document shows no body but `upload` (part 4.1): that may stand beside the job or in it,
 * and where there is no job its identifier is the end of the `Location`.
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
 * The code of an error answer. The document does not say where it stands (part 7): it is looked for beside the message,
 * where services have it, and at the top.
 */
export function codeOf(reply: Reply): string | undefined {
  const { error, code } = errorPlaces.safeParse(reply.body).data ?? {};
  return error?.code ?? error?.type ?? code;
}

const word = z.string().optional().catch(undefined);
const errorPlaces = z.looseObject({
  error: z.looseObject({ code: word, type: word }).optional().catch(undefined),
  code: word,
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
