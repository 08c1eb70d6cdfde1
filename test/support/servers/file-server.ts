import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a {@link FileServer} behaves towards one request. */
export interface Behaviour {
  /** Bytes to send instead of the file's. */
  readonly content?: Uint8Array;
  /** Whether `Range` is supported; the default is yes. */
  readonly ranges?: boolean;
  /** Breaks the connection after this many bytes of the body. */
  readonly cutAfter?: number;
  /** Sends a byte now and then. */
  readonly trickle?: boolean;
  /** Sends nothing after the first bytes. */
  readonly stallAfter?: number;
  readonly status?: number;
  readonly redirectTo?: string;
  /** Whether the length is omitted. */
  readonly unknownLength?: boolean;
}

/** A real HTTP server for files, whose behaviour a test decides for each request. */
export class FileServer {
  readonly #server: Server;
  readonly #files: ReadonlyMap<string, Uint8Array>;
  readonly #behave: (path: string, request: number) => Behaviour;
  /** The path of every request, and the offset at which it starts. */
  readonly requests: { readonly path: string; readonly from: number }[] = [];

  private constructor(
    files: ReadonlyMap<string, Uint8Array>,
    behave: (path: string, request: number) => Behaviour,
  ) {
    this.#files = files;
    this.#behave = behave;
    this.#server = createServer((request, response) => this.#respond(request, response));
  }

  /** @param behave called for each request with its path and its number, from 0. */
  static async start(
    files: Readonly<Record<string, Uint8Array>>,
    behave: (path: string, request: number) => Behaviour = () => ({}),
  ): Promise<FileServer> {
    const server = new FileServer(new Map(Object.entries(files)), behave);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get origin(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '/';
    const requestedFrom = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    this.requests.push({ path, from: requestedFrom });
    const behaviour = this.#behave(path, this.requests.length - 1);
    const { ranges = true, status, redirectTo, cutAfter = Infinity, stallAfter = Infinity } = behaviour;
    if (redirectTo !== undefined) {
      response.writeHead(302, { location: redirectTo }).end();
      return;
    }
    const content = behaviour.content ?? this.#files.get(path);
    if (status !== undefined || content === undefined) {
      response.writeHead(status ?? 404).end('no such file');
      return;
    }
    const from = ranges ? requestedFrom : 0;
    if (from > 0 && from >= content.length) {
      response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
      return;
    }
    const body = content.subarray(from);
    const isPart = ranges && request.headers.range !== undefined;
    response.writeHead(isPart ? 206 : 200, {
      ...(behaviour.unknownLength !== true && { 'content-length': body.length }),
      ...(isPart && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
    });
    if (behaviour.trickle === true) {
      let next = 0;
      const sending = setInterval(() => response.write(body.subarray(next, ++next)), 5);
      response.once('close', () => clearInterval(sending));
      return;
    }
    const sent = Math.min(cutAfter, stallAfter);
    if (sent >= body.length) {
      response.end(body);
      return;
    }
    response.flushHeaders();
    response.write(body.subarray(0, sent), () => {
      if (cutAfter <= stallAfter) setTimeout(() => response.destroy(), 20);
    });
  }
}
