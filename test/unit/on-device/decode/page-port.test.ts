import { expect, test } from 'vitest';
import { DecoderPorts } from '../../../../electron/on-device/decode/page-port.ts';

test('each wish is answered by its number, whatever the order', async () => {
  const asked: number[] = [];
  const ports = new DecoderPorts<string>((request) => asked.push(request));
  const first = ports.connect();
  const second = ports.connect();
  const third = ports.connect();
  expect(new Set(asked).size).toBe(3);
  ports.deliver(asked[1]!, 'second');
  ports.refuse(asked[2]!, 'The page is gone.');
  ports.deliver(asked[0]!, 'first');
  await expect(third).rejects.toThrow('The page is gone.');
  await expect(first).resolves.toBe('first');
  await expect(second).resolves.toBe('second');
});

test('an answer that nobody waits for is no matter', () => {
  const ports = new DecoderPorts<string>(() => undefined);
  expect(() => {
    ports.deliver(7, 'port');
    ports.refuse(8, 'gone');
  }).not.toThrow();
});
