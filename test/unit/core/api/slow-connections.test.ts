import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ServiceClient } from '../../../../electron/core/api/client.ts';
import type { HttpBody } from '../../../../electron/core/api/http.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';

const never = new AbortController().signal;
const kibibyte = 1024;
const session = { partSize: 1, partCount: 1, partPath: '/part', completePath: '/complete' };

/** Counts how often the time was read, which the client does when it receives something. */
class CountingClock extends ManualClock {
  reads = 0;

  override now(): number {
    this.reads += 1;
    return super.now();
  }
}

let clock: CountingClock;
let client: ServiceClient;
let respond: (request: IncomingMessage, response: ServerResponse) => Promise<unknown> | void;
const server = createServer((request, response) => void respond(request, response));

beforeEach(async () => {
  clock = new CountingClock();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  client = new ServiceClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'key', clock);
});
afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  server.close();
});

/** Responds with spaces and then JSON; `ms` pass for the client whenever it has received another `pieceBytes`. */
function dripping(pieceBytes: number, ms: number, pieces: number): typeof respond {
  return async (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    for (let sent = 0; sent < pieces && !response.destroyed; sent += 1) {
      const { reads } = clock;
      response.write(' '.repeat(pieceBytes));
      while (clock.reads === reads && !response.destroyed) await new Promise((done) => setImmediate(done));
      clock.advance(ms);
    }
    response.end('{"data": {"id": "j", "status": "processing"}}');
  };
}

const requests = {
  create: () => client.create({ key: 'k', body: '{}' }, never),
  status: () => client.status('j', never),
  record: () => client.record('j', never),
  list: () => client.list(never),
  complete: () => client.complete('j', session, never),
  delete: () => client.delete('j', never),
} as const;

it.each(Object.entries(requests))(
  'a response that arrives byte by byte ends its request: %s',
  async (_name, send) => {
    const startedAt = clock.now();
    respond = dripping(1, 60_000, 1000);
    expect(await send()).toMatchObject({
      ok: false,
      fault: { kind: 'interrupted', message: expect.stringContaining('KiB/s') },
    });
    expect(clock.now() - startedAt).toBeLessThanOrEqual(180_000);
  },
);

it('a small response has three minutes, however evenly it arrives', async () => {
  const startedAt = clock.now();
  // One KiB per second.
  respond = dripping(kibibyte, 1000, 255);
  expect(await client.delete('j', never)).toMatchObject({ ok: false, fault: { kind: 'interrupted' } });
  expect(clock.now() - startedAt).toBeLessThanOrEqual(184_000);
});

it('a large response that makes progress may take hours', async () => {
  const startedAt = clock.now();
  respond = dripping(16 * kibibyte, 3900, 2000);
  expect(await client.status('j', never)).toMatchObject({ ok: true, value: { status: 'processing' } });
  expect(clock.now() - startedAt).toBeGreaterThan(2 * 3_600_000);
});

/** A body in pieces; a minute passes while each is sent. */
const upload = (pieceBytes: number, pieces: number): HttpBody => ({
  length: pieceBytes * pieces,
  async *chunks(onProgress) {
    for (let sent = 0; sent < pieces; sent += 1) {
      yield new Uint8Array(pieceBytes);
      clock.advance(60_000);
      onProgress(pieceBytes);
    }
  },
});

it('a service that reads an upload byte by byte ends it, and one that reads slowly does not', async () => {
  respond = (request, response) => {
    request.resume();
    request.on('end', () => response.end());
  };
  expect(await client.sendPart(session, 1, upload(300 * kibibyte, 60), never)).toMatchObject({ ok: true });
  expect(await client.sendPart(session, 1, upload(kibibyte, 60), never)).toMatchObject({
    ok: false,
    fault: { kind: 'interrupted' },
  });
});
