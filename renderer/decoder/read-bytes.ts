/** Returns the bytes of the file from `start` to before `end`. */
export type ReadBytes = (start: number, end: number) => Promise<Uint8Array>;

const blockBytes = 64 * 1024;
/** Maximum blocks per read when a recording is read sequentially. */
const maxBlocksAtOnce = 8;
/** Maximum blocks in the cache. A search in the file reads the same ones repeatedly. */
const maxCachedBlocks = 256;

/**
 * Reads a file in blocks and caches them: each request takes some milliseconds, and seeking in a recording reads a few
 * bytes at many positions. Sequential reads read ahead increasingly far.
 */
export function bufferReads(sizeBytes: number, read: ReadBytes): ReadBytes {
  const blockCount = Math.ceil(sizeBytes / blockBytes);
  /** Blocks by index, the least recently used first. */
  const cache = new Map<number, Promise<Uint8Array>>();
  let lastRead = { end: -1, blocks: 0 };

  /** Loads the missing blocks from `first` to before `end`, and reads ahead when reading is sequential. */
  const load = (first: number, end: number): void => {
    const blocks = lastRead.end === first ? Math.min(maxBlocksAtOnce, 2 * lastRead.blocks) : 1;
    const maxEnd = Math.min(blockCount, Math.max(end, first + blocks));
    let last = first + 1;
    while (last < maxEnd && !cache.has(last)) last += 1;
    lastRead = { end: last, blocks: last - first };
    const bytes = read(first * blockBytes, Math.min(sizeBytes, last * blockBytes));
    for (let block = first; block < last; block += 1) {
      const at = (block - first) * blockBytes;
      const bytesOfBlock = bytes.then((all) => all.subarray(at, at + blockBytes));
      // The promise rejects for its readers; the next request reads the block again.
      bytesOfBlock.catch(() => cache.delete(block));
      cache.set(block, bytesOfBlock);
    }
  };
  const blockAt = (block: number, end: number): Promise<Uint8Array> => {
    if (!cache.has(block)) load(block, end);
    const bytes = cache.get(block);
    if (bytes === undefined) return Promise.reject(new RangeError('the file ends before this'));
    cache.delete(block);
    cache.set(block, bytes);
    return bytes;
  };
  return async (start, end) => {
    const first = Math.floor(start / blockBytes);
    const endBlock = Math.ceil(end / blockBytes);
    const blocks = Array.from({ length: endBlock - first }, (_, index) => blockAt(first + index, endBlock));
    const bytes = new Uint8Array(end - start);
    (await Promise.all(blocks)).forEach((block, index) => {
      const at = (first + index) * blockBytes;
      const from = Math.max(0, start - at);
      bytes.set(block.subarray(from, end - at), at + from - start);
    });
    for (const oldest of cache.keys()) {
      if (cache.size <= maxCachedBlocks) break;
      cache.delete(oldest);
    }
    return bytes;
  };
}
