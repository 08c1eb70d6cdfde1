import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request that the service has received completely. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly partNumber: number | null;
  readonly body: Buffer;
}

export interface Proxy {
  readonly baseUrl: string;
  readonly received: readonly ReceivedRequest[];
  close(): Promise<void>;
}

/** Starts a proxy that reports when a request has arrived and when the service has processed it. */
export async function startProxy(
  target: string,
  onRequest: (moment: 'arrived' | 'done', method: string) => void,
): Promise<Proxy> {
  const received: ReceivedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const forward = async (): Promise<void> => {
      const { method = 'GET', url = '/', headers } = incoming;
      const body = await buffer(incoming);
      onRequest('arrived', method);
      const { pathname, searchParams } = new URL(url, target);
      const number = searchParams.get('part_number');
      received.push({ method, path: pathname, partNumber: number === null ? null : Number(number), body });
      const requestHeaders = Object.entries(headers).filter(([name]) => forwardedHeaders.has(name));
      const response = await fetch(new URL(url, target), {
        method,
        headers: Object.fromEntries(requestHeaders) as Record<string, string>,
        ...(body.length > 0 ? { body } : {}),
      });
      const text = await response.text();
      onRequest('done', method);
      const responseHeaders = [...response.headers].filter(([name]) => returnedHeaders.has(name));
      outgoing
        .writeHead(response.status, Object.fromEntries(responseHeaders))
        .end(text.replaceAll(target, baseUrl));
    };
    forward().catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    received,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const forwardedHeaders = new Set(['authorization', 'content-type', 'idempotency-key', 'accept']);
const returnedHeaders = new Set(['content-type', 'retry-after', 'idempotency-replayed']);
