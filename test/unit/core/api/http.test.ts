import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { HttpChannel } from '../../../../electron/core/api/http.ts';
import { systemClock } from '../../../../electron/core/system.ts';

const content = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, index) => index % 251));

it.each([
  ['known', { 'content-length': String(content.length) }],
  ['unknown', {}],
])('a response of %s length is read completely, in whatever pieces it arrives', async (_which, headers) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, headers);
    const send = async (): Promise<void> => {
      for (let at = 0, size = 1; at < content.length; at += size, size *= 3) {
        response.write(content.subarray(at, at + size));
        await immediate();
      }
      response.end();
    };
    void send();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const channel = new HttpChannel(systemClock);
  const result = await channel.send({
    method: 'GET',
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    headers: {},
    body: null,
    maxBytes: content.length,
    signal: new AbortController().signal,
  });
  await channel.close();
  server.close();
  expect(result.ok && Buffer.from(result.response.bytes).equals(content)).toBe(true);
});
