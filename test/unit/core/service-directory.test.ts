import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Bandwidth } from '../../../electron/core/api/bandwidth.ts';
import { ServiceDirectory } from '../../../electron/core/service-directory.ts';
import { systemClock } from '../../../electron/core/system.ts';
import { wordsOf } from '../../../electron/core/transcript/word-times.ts';
import { memorySecrets } from '../../support/core.ts';

const path = '/api/v1/transcriptions/j';
const transcript = {
  text: 'Yes.',
  segments: [{ start: 0, end: 2, text: 'Yes.', words: [{ text: 'Yes.', start: 0.5, end: 1 }] }],
};

it.each([
  ['garbage', 'address_not_https'],
  ['http://192.0.2.1', 'address_not_https'],
  ['javascript:alert(1)', 'address_not_https'],
  ['https://user:password@example.com', 'wrong_address'],
])('reads no key for an address from elsewhere that is not safe: %s', async (address, code) => {
  const asked: string[] = [];
  const secrets = {
    ...memorySecrets(),
    get: async (service: string) => {
      asked.push(service);
      return 'key';
    },
  };
  const services = new ServiceDirectory(systemClock, secrets, new Bandwidth(systemClock, () => null));
  await services.readKey(address);
  expect(services.access(address)).toMatchObject({ kind: 'closed', problem: { code } });
  expect(asked).toEqual([]);
});

it('asks the service on this computer for words, and no other', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: { id: 'j', status: 'completed', transcript } }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const unlimited = new Bandwidth(systemClock, () => null);
  const services = new ServiceDirectory(systemClock, memorySecrets({ [baseUrl]: 'key' }), unlimited);
  onTestFinished(async () => {
    await services.close();
    server.close();
  });
  services.openOnDevice(baseUrl, 'key');
  await services.readKey(baseUrl);
  for (const service of ['on-device', baseUrl]) {
    const access = services.access(service);
    if (access.kind !== 'open') throw new Error(`${service} is not open`);
    const status = await access.client.status('j', new AbortController().signal);
    // Words are welcome from every service.
    const segment = status.ok ? status.value.transcript?.segments[0] : undefined;
    expect(segment === undefined ? null : wordsOf(segment)).toMatchObject([{ start: 0.5, end: 1 }]);
    await access.client.record('j', new AbortController().signal);
  }
  expect(asked).toEqual([`${path}?words=1`, `${path}?words=1`, path, path]);
});
