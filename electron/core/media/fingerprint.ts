import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { assertFile, type OpenFile } from './open-file.ts';

const blockBytes = 4096;

/** Buffers that nobody uses now: to make a new one for each of many files takes longer than to read most of them. */
const idleBuffers: Buffer[] = [];

/**
 * A fast fingerprint of a file's content: SHA-256 in hex over its size and its first, middle and last 4 KiB. Files
 * that differ in it differ; files that share it are most likely the same, which {@link hashOfContent} proves.
 *
 * @param head at least the first 4 KiB of the file, or all of it when it is shorter.
 */
export async function fingerprintOf(
  handle: Pick<OpenFile, 'read'>,
  sizeBytes: number,
  head: Uint8Array,
): Promise<string> {
  const read: Read = async (buffer, length, position) => {
    if (position === 0) buffer.set(head.subarray(0, length));
    else await handle.read(buffer, 0, length, position);
  };
  return fingerprintBy(read, sizeBytes);
}

/** Reads up to `length` bytes at `position` to the start of `buffer`. */
type Read = (buffer: Uint8Array, length: number, position: number) => Promise<unknown>;

/** The fingerprint of {@link fingerprintOf}, of a file that is read by other means. */
export async function fingerprintBy(read: Read, sizeBytes: number): Promise<string> {
  const blocks = idleBuffers.pop() ?? Buffer.allocUnsafeSlow(8 + 3 * blockBytes);
  blocks.fill(0);
  blocks.writeBigUInt64LE(BigInt(sizeBytes));
  const block = (index: number): Buffer =>
    blocks.subarray(8 + index * blockBytes, 8 + (index + 1) * blockBytes);
  try {
    await read(block(0), Math.min(blockBytes, sizeBytes), 0);
    if (sizeBytes > blockBytes) {
      await read(block(1), blockBytes, Math.floor((sizeBytes - blockBytes) / 2));
      await read(block(2), blockBytes, sizeBytes - blockBytes);
    }
    return hash('sha256', blocks);
  } finally {
    idleBuffers.push(blocks);
  }
}

/**
 * SHA-256 in hex over the whole content of a file, read in pieces.
 *
 * @throws the system's error when it cannot be read, NotAFileError, or the signal's reason when it is aborted.
 */
export async function hashOfContent(path: string, signal: AbortSignal): Promise<string> {
  const digest = createHash('sha256');
  await assertFile(path);
  const pieces: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 256 * 1024, signal });
  for await (const piece of pieces) digest.update(piece);
  return digest.digest('hex');
}
