import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bufferReads } from '../../renderer/decoder/read-bytes.ts';

const file = Uint8Array.from({ length: 700_001 }, (_, index) => (index * 7 + (index >> 9)) % 251);

it('every range of a file is read correctly, in any order and at any concurrency', async () => {
  const range = fc
    .tuple(fc.nat(file.length), fc.nat(file.length))
    .map((ends) => ends.toSorted((a, b) => a - b));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(range, { maxLength: 3 }), { maxLength: 6 }), async (rounds) => {
      const read = bufferReads(file.length, (start, end) => Promise.resolve(file.slice(start, end)));
      for (const ranges of rounds) {
        const results = await Promise.all(ranges.map(([start = 0, end = 0]) => read(start, end)));
        results.forEach((bytes, index) => {
          const [start, end] = ranges[index] ?? [];
          expect(Buffer.compare(bytes, file.subarray(start, end))).toBe(0);
        });
      }
    }),
    { numRuns: 50 },
  );
});

it('blocks are cached, and sequential reads grow', async () => {
  const requested: (readonly [number, number])[] = [];
  const read = bufferReads(file.length, (start, end) => {
    requested.push([start, end]);
    return Promise.resolve(file.slice(start, end));
  });
  for (let at = 0; at + 1000 <= file.length; at += 1000) await read(at, at + 1000);
  await read(5, 300_000);
  const block = 65_536;
  expect(requested).toEqual([
    [0, block],
    [block, 3 * block],
    [3 * block, 7 * block],
    [7 * block, file.length],
  ]);
});

it('a failed read is repeated when the block is requested again', async () => {
  let isGone = true;
  const read = bufferReads(file.length, (start, end) =>
    isGone ? Promise.reject(new Error('unplugged')) : Promise.resolve(file.slice(start, end)),
  );
  await expect(read(10, 20)).rejects.toThrow('unplugged');
  isGone = false;
  expect(Buffer.compare(await read(10, 20), file.subarray(10, 20))).toBe(0);
});
