import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request that the service has received completely. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly partNumber: number | null;
  readonly body: Buffer;
}

export interface Proxy {
  readonly baseUrl: string;
  readonly arrived: readonly Arrived[];
  close(): Promise<void>;
}

/** Starts a proxy that reports when a request has arrived and when the service has processed it. */
export async function startProxy(
  target: string,
  onRequest: (moment: 'arrived' | 'done', method: string) => void,
): Promise<Proxy> {
  const arrived: Arrived[] = [];
  const server = createServer((incoming, outgoing) => {
    const passOn = async (): Promise<void> => {
      const { method = 'GET', url = '/', headers } = incoming;
      const body = await buffer(incoming);
      onRequest('arrived', method);
      const { pathname, searchParams } = new URL(url, target);
      const number = searchParams.get('part_number');
      arrived.push({ method, path: pathname, partNumber: number === null ? null : Number(number), body });
      const sent = Object.entries(headers).filter(([name]) => forwardedHeaders.has(name));
      const answer = await fetch(new URL(url, target), {
        method,
        headers: Object.fromEntries(sent) as Record<string, string>,
        ...(body.length > 0 ? { body } : {}),
      });
      const text = await answer.text();
      onRequest('done', method);
      const kept = [...answer.headers].filter(([name]) => returnedHeaders.has(name));
      outgoing.writeHead(answer.status, Object.fromEntries(kept)).end(text.replaceAll(target, baseUrl));
    };
    passOn().catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    arrived,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const forwardedHeaders = new Set(['authorization', 'content-type', 'idempotency-key', 'accept']);
const returnedHeaders = new Set(['content-type', 'retry-after', 'idempotency-replayed']);
