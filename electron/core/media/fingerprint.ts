import { createHash, hash } from 'node:crypto';
import { systemClock } from '../system.ts';
import { openRegularFile, type OpenFile } from './open-file.ts';

const blockBytes = 4096;

/** Buffers to be reused: allocating one for each file takes longer than reading most files. */
const idleBuffers: Buffer[] = [];

/**
 * Computes a fast fingerprint of a file's content: SHA-256 in hex over its size and its first, middle and last 4 KiB.
 * Files with different fingerprints differ; files with the same one are most likely equal, which {@link hashOfContent}
 * verifies.
 *
 * @param head At least the first 4 KiB of the file, or all of a shorter one, if they were read before.
 */
export async function fingerprintOf(
  handle: Pick<OpenFile, 'read'>,
  sizeBytes: number,
  head?: Uint8Array,
): Promise<string> {
  const read: Read = async (buffer, length, position) => {
    if (position === 0 && head !== undefined) buffer.set(head.subarray(0, length));
    else await handle.read(buffer, 0, length, position);
  };
  return fingerprintBy(read, sizeBytes);
}

/** Reads up to `length` bytes at `position` to the start of `buffer`. */
type Read = (buffer: Uint8Array, length: number, position: number) => Promise<unknown>;

/** Like {@link fingerprintOf}, for a file that is read by other means. */
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

const maxKnownHashes = 10_000;
/** A file that changed this recently may change again without a new modification time: file systems have coarse clocks. */
const unsettledMs = 3000;
/** The hashes of files in a certain state, the oldest first. */
const knownHashes = new Map<string, string>();

/**
 * The hashes of the files that one operation compares. Each file is opened at most once, although of many files with
 * equal fingerprints each is compared with all others.
 */
export class ContentHashes {
  readonly #signal: AbortSignal;
  readonly #hashes = new Map<string, Promise<string | null>>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Returns the {@link hashOfContent}; `null` if it cannot be read. @throws the signal's reason when it is aborted. */
  async of(path: string): Promise<string | null> {
    const known = this.#hashes.get(path) ?? hashOfContent(path, this.#signal).catch(() => null);
    this.#hashes.set(path, known);
    const hashed = await known;
    this.#signal.throwIfAborted();
    return hashed;
  }
}

/**
 * Computes the SHA-256 of a whole file in hex, reading it in pieces, and only once while it does not change.
 *
 * @throws the system's error if it cannot be read, NotAFileError, or the signal's reason if it is aborted.
 */
export async function hashOfContent(path: string, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const file = await openRegularFile(path);
  const statAt = systemClock.now();
  const stats = await file.stat({ bigint: true }).catch(async (error: unknown) => {
    await file.close().catch(() => undefined);
    throw error;
  });
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  const state = [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  const known = knownHashes.get(state);
  if (known !== undefined) {
    await file.close();
    return known;
  }
  const digest = createHash('sha256');
  // The stream closes the file.
  const pieces: AsyncIterable<Buffer> = file.createReadStream({ highWaterMark: 256 * 1024, signal });
  for await (const piece of pieces) digest.update(piece);
  const content = digest.digest('hex');
  const ageMs = statAt - Number(ctimeNs / 1_000_000n);
  if (ageMs < unsettledMs) return content;
  const [oldest] = knownHashes.keys();
  if (knownHashes.size >= maxKnownHashes && oldest !== undefined) knownHashes.delete(oldest);
  knownHashes.set(state, content);
  return content;
}
