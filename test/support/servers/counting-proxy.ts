import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request that was forwarded and answered. */
export interface PassedRequest {
  readonly method: string;
  readonly url: string;
  readonly status: number;
}

/** Forwards everything to a service on this computer, and records the responses. */
export interface CountingProxy {
  readonly baseUrl: string;
  readonly passed: readonly PassedRequest[];
  close(): Promise<void>;
}

/**
 * Starts a proxy.
 *
 * @param target base address of the service; it must derive its addresses from the `Host` of each request, or use
 *   relative ones.
 * @param delayMs delay of each response, so that a test can act in between.
 */
export async function startCountingProxy(target: string, delayMs: number): Promise<CountingProxy> {
  const passed: PassedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming;
    const respond = async (response: IncomingMessage): Promise<void> => {
      const status = response.statusCode ?? 502;
      const body = await buffer(response);
      await sleep(delayMs);
      passed.push({ method, url, status });
      outgoing.writeHead(status, response.headers).end(body);
    };
    const forwarded = request(new URL(url, target), { method, headers: incoming.headers }, (response) => {
      respond(response).catch(() => outgoing.destroy());
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    passed,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
