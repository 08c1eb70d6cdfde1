import { expect, test } from 'vitest';
import { PagePorts } from '../../../../electron/on-device/decode/page-port.ts';

test('matches responses to requests by number, in any order', async () => {
  const asked: number[] = [];
  const ports = new PagePorts<string>((request) => asked.push(request));
  const first = ports.connect();
  const second = ports.connect();
  const third = ports.connect();
  expect(new Set(asked).size).toBe(3);
  ports.resolve(asked[1]!, 'second');
  ports.reject(asked[2]!, 'The page is gone.');
  ports.resolve(asked[0]!, 'first');
  await expect(third).rejects.toThrow('The page is gone.');
  await expect(first).resolves.toBe('first');
  await expect(second).resolves.toBe('second');
});

test('ignores a response without a pending request', () => {
  const ports = new PagePorts<string>(() => undefined);
  expect(() => {
    ports.resolve(7, 'port');
    ports.reject(8, 'gone');
  }).not.toThrow();
});
