import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Bandwidth } from '../../electron/core/api/bandwidth.ts';
import { ServiceDirectory } from '../../electron/core/service-directory.ts';
import { systemClock } from '../../electron/core/system.ts';
import { add, memorySecrets, openCore } from '../support/core.ts';
import { testFolder } from '../support/test-folder.ts';

/** A service that never responds. */
async function silentService(): Promise<{ readonly server: Server; readonly baseUrl: string }> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it('a request that ends because of new access is repeated at once, and does not count as an attempt', async () => {
  const [before, after] = [await silentService(), await silentService()];
  const longhand = openCore(join(await testFolder(), 'data'));
  onTestFinished(() => longhand.close());
  longhand.services.openOnDevice(before.baseUrl, 'key');
  longhand.start();
  const requested = once(before.server, 'request');
  const { ids } = await add(longhand, [], 'on-device', ['https://example.com/talk.mp3']);
  await requested;

  const askedAnew = once(after.server, 'request');
  longhand.services.openOnDevice(after.baseUrl, 'key');
  await askedAnew;
  expect(longhand.queue.get(ids[0] ?? -1)).toMatchObject({
    state: { kind: 'creating' },
    attempts: 0,
    lastProblem: null,
  });
});

it('no key is read for the on-device service', async () => {
  const services = new ServiceDirectory(systemClock, memorySecrets(), new Bandwidth(systemClock, () => null));
  services.openOnDevice('http://127.0.0.1:9', 'key');
  await services.readKey('on-device');
  expect(services.access('on-device').kind).toBe('open');
  await services.close();
});
