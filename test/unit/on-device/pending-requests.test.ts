import { expect, test } from 'vitest';
import { PendingRequests } from '../../../electron/on-device/pending-requests.ts';

test('matches responses to requests by number, in any order', async () => {
  const asked: number[] = [];
  const ports = new PendingRequests<string>();
  const connect = (): Promise<string> => ports.send((request) => asked.push(request));
  const first = connect();
  const second = connect();
  const third = connect();
  expect(new Set(asked).size).toBe(3);
  ports.resolve(asked[1]!, 'second');
  ports.reject(asked[2]!, 'The page is gone.');
  ports.resolve(asked[0]!, 'first');
  await expect(third).rejects.toThrow('The page is gone.');
  await expect(first).resolves.toBe('first');
  await expect(second).resolves.toBe('second');
});

test('ignores a response without a pending request', () => {
  const ports = new PendingRequests<string>();
  expect(() => {
    ports.resolve(7, 'port');
    ports.reject(8, 'gone');
  }).not.toThrow();
});
