import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

const blockBytes = 4096;

/**
 * A fast fingerprint of a file's content: SHA-256 in hex over its size and its first, middle and last 4 KiB. Files
 * that differ in it differ; files that share it are most likely the same, which {@link hashOfContent} proves.
 *
 * @param head at least the first 4 KiB of the file, or all of it when it is shorter.
 */
export async function fingerprintOf(
  handle: FileHandle,
  sizeBytes: number,
  head: Uint8Array,
): Promise<string> {
  const blocks = Buffer.alloc(8 + 3 * blockBytes);
  blocks.writeBigUInt64LE(BigInt(sizeBytes));
  blocks.set(head.subarray(0, blockBytes), 8);
  if (sizeBytes > blockBytes) {
    const middle = Math.floor((sizeBytes - blockBytes) / 2);
    await handle.read(blocks, 8 + blockBytes, blockBytes, middle);
    await handle.read(blocks, 8 + 2 * blockBytes, blockBytes, sizeBytes - blockBytes);
  }
  return hash('sha256', blocks);
}

/**
 * SHA-256 in hex over the whole content of a file, read in pieces.
 *
 * @throws the system's error when it cannot be read, the signal's reason when it is aborted.
 */
export async function hashOfContent(path: string, signal: AbortSignal): Promise<string> {
  const digest = createHash('sha256');
  const pieces: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 256 * 1024, signal });
  for await (const piece of pieces) digest.update(piece);
  return digest.digest('hex');
}
