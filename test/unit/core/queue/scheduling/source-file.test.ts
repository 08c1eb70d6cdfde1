import { randomBytes } from 'node:crypto';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { partOf } from '../../../../../electron/core/api/part-plan.ts';
import {
  diskFiles,
  partBody,
  pieceBytes,
} from '../../../../../electron/core/queue/scheduling/source-file.ts';
import { testFolder } from '../../../../support/test-folder.ts';

const size = 3 * pieceBytes + 12_345;
const noop = (): void => undefined;

async function recording(): Promise<{ readonly path: string; readonly bytes: Buffer }> {
  const path = join(await testFolder(), 'talk.wav');
  const bytes = randomBytes(size);
  await writeFile(path, bytes);
  return { path, bytes };
}

/** Reads a part as a connection does: each piece is sent before the next is requested. */
async function sent(path: string, partSize: number, number: number): Promise<Buffer> {
  const handle = await diskFiles.open({ path });
  const pieces: Buffer[] = [];
  for await (const piece of partBody(handle, path, partOf(size, partSize, number), noop).chunks(noop))
    pieces.push(Buffer.from(piece));
  await handle.close();
  return Buffer.concat(pieces);
}

describe('partBody', () => {
  it.each([1000, pieceBytes - 1, pieceBytes, pieceBytes + 1, 2 * pieceBytes + 7, size])(
    'returns exactly the bytes of each part of %i bytes',
    async (partSize) => {
      const { path, bytes } = await recording();
      const last = Math.ceil(size / partSize);
      for (const number of [1, 2, last].filter((number) => number <= last)) {
        const from = (number - 1) * partSize;
        expect((await sent(path, partSize, number)).equals(bytes.subarray(from, from + partSize))).toBe(true);
      }
    },
  );

  it('does not mix parts that are sent at the same time, even after one was aborted', async () => {
    const recordings = await Promise.all(Array.from({ length: 6 }, recording));
    const { path } = await recording();
    const handle = await diskFiles.open({ path });
    for await (const piece of partBody(handle, path, partOf(size, size, 1), noop).chunks(noop)) {
      expect(piece).toHaveLength(pieceBytes);
      break;
    }
    const all = recordings.map(async ({ path, bytes }) => (await sent(path, size, 1)).equals(bytes));
    expect(await Promise.all(all)).toEqual(recordings.map(() => true));
    await handle.close();
  });

  it('fails when the file has become shorter', async () => {
    const { path } = await recording();
    const handle = await diskFiles.open({ path });
    await truncate(path, pieceBytes);
    const pieces: number[] = [];
    const reading = async (): Promise<void> => {
      for await (const piece of partBody(handle, path, partOf(size, size, 1), noop).chunks(noop))
        pieces.push(piece.length);
    };
    await expect(reading()).rejects.toMatchObject({ problem: { code: 'file_changed', params: { path } } });
    expect(pieces).toEqual([pieceBytes]);
    await handle.close();
  });
});
