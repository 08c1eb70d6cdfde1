import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, vi } from 'vitest';
import type { Clock } from '../../../electron/core/ports.ts';
import { systemClock } from '../../../electron/core/system.ts';
import { startOnDevice, type TestService, type TestServiceOptions } from '../../support/servers/on-device.ts';
import { Api } from './api.ts';
import { selfSigned } from './certificate.ts';
import { jobSchema } from './document.ts';
import { loopbackNetwork } from './loopback-network.ts';

const { cert, key } = selfSigned(['media.example', 'rebind.example']);

/** Ends delays of up to a minute at once, so that a test with many attempts is fast; longer ones are real. */
const hastyClock: Clock = {
  now: () => systemClock.now(),
  schedule: (ms, callback) => systemClock.schedule(ms <= 60_000 ? 1 : ms, callback),
};

/** Time limit for a condition, only to end hanging tests. */
const patience = { timeout: 20_000 };

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** An HTTPS server of recordings, and a service whose network has only that server. */
export class Links {
  /** Handles a request to the server. */
  handler: Handler = (_request, response) => response.destroy();
  /** The requests to the server: path, and range and condition if any. */
  requests: string[] = [];
  /** The addresses of the hosts, each time they are looked up. */
  dns = new Map<string, () => string[]>([['media.example', () => ['127.0.0.1']]]);
  /** The certificate of the server. */
  readonly ca = cert;
  #server: Server | null = null;
  #port = 0;
  #service: TestService | null = null;
  /** Errors in the server's part of a test, which no request waits for. */
  readonly #errors: unknown[] = [];
  #api: Api | null = null;

  get service(): TestService {
    if (this.#service === null) throw new Error('the service was not started');
    return this.#service;
  }

  get api(): Api {
    if (this.#api === null) throw new Error('the service was not started');
    return this.#api;
  }

  async open(): Promise<void> {
    const server = createServer({ key, cert }, (request, response) => {
      const { range, 'if-range': ifRange } = request.headers;
      this.requests.push([request.url, range, ifRange].filter(Boolean).join(' '));
      this.handler(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async close(): Promise<void> {
    await this.#service?.stop();
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
    if (this.#errors.length > 0) throw new AggregateError(this.#errors, 'the server of links failed');
  }

  async start(options: TestServiceOptions = {}): Promise<void> {
    this.#service = await startOnDevice({
      clock: hastyClock,
      network: loopbackNetwork(cert, (hostname) => this.dns.get(hostname)?.()),
      ...options,
    });
    this.#api = new Api(this.#service);
  }

  /** Returns the address of a path on the server. */
  to(path: string, host = 'media.example'): string {
    return `https://${host}:${this.#port}${path}`;
  }

  /** Submits a link, which must be accepted. */
  async submit(url: string): Promise<string> {
    const reply = await this.api.create({ url });
    assert.equal(reply.status, 202);
    assert(Number(reply.header('retry-after')) > 0);
    const id = reply.header('location')?.split('/').at(-1) ?? '';
    const { data } = jobSchema.parse(reply.body);
    assert.equal(data.id, id);
    assert.match(data.status, /accepted|uploading/);
    return id;
  }

  /** Submits a link whose job fails, and returns the code. */
  async failureOf(url: string): Promise<string> {
    const id = await this.submit(url);
    const job = await this.api.until(id, 'failed');
    assert.match(job.error?.message ?? '', /^[A-Z].*\.$/);
    assert.equal(job.credits_charged, 0);
    await vi.waitFor(async () => assert.deepEqual(await this.mediaFiles(), []), patience);
    return String(job.error?.['code']);
  }

  mediaFiles(): Promise<string[]> {
    return readdir(join(this.service.dataFolder, 'media'));
  }

  /** Waits until the service has stored all sent bytes, since those in transit are lost with the connection. */
  onceStored(bytes: number, then: () => void, dataFolder: string = this.service.dataFolder): void {
    const folder = join(dataFolder, 'media');
    const stored = async (): Promise<number> => {
      const [name] = await readdir(folder).catch(() => []);
      return name === undefined ? 0 : (await stat(join(folder, name))).size;
    };
    vi.waitFor(async () => assert.equal(await stored(), bytes), patience)
      .then(then)
      .catch((error: unknown) => this.#errors.push(error));
  }
}

/**
 * Sends a recording, or the requested rest if the validator matches (RFC 9110, part 14.2), in chunks.
 *
 * @param validator of its version
 */
export function inPieces(recording: Buffer, validator: string, pieceBytes: number, pauseMs: number): Handler {
  return async (request, response) => {
    const { range, 'if-range': condition } = request.headers;
    const [, from = 0] = condition === validator ? (/^bytes=(\d+)-$/.exec(range ?? '') ?? []) : [];
    const start = Number(from);
    response.writeHead(start === 0 ? 200 : 206, {
      [validator.startsWith('"') ? 'etag' : 'last-modified']: validator,
      'content-length': recording.length - start,
      ...(start > 0 && { 'content-range': `bytes ${start}-${recording.length - 1}/${recording.length}` }),
    });
    for (let at = start; at < recording.length && !response.destroyed; at += pieceBytes) {
      response.write(recording.subarray(at, at + pieceBytes));
      await sleep(pauseMs);
    }
    response.end();
  };
}

/** Starts a server and a service for each test of a file. */
export function useLinks(): () => Links {
  let links: Links;
  beforeEach(async () => {
    links = new Links();
    await links.open();
  });
  afterEach(async () => links.close());
  return () => links;
}
