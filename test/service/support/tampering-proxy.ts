import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A proxy that changes the responses of a service, so that they violate its description. */
export async function startTamperingProxy(
  baseUrl: string,
  tamper: (body: string) => string,
): Promise<{ readonly baseUrl: string; stop(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const respond = async (response: IncomingMessage): Promise<void> => {
      const body = tamper(await text(response));
      const { 'content-length': _, ...responseHeaders } = response.headers;
      outgoing.writeHead(response.statusCode ?? 500, responseHeaders).end(body);
    };
    const forwarded = request(new URL(url ?? '/', baseUrl), { method, headers }, (response) => {
      respond(response).catch(() => outgoing.destroy());
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
