import type { ReadBytes } from './read-bytes.ts';

/** How far into the file the sound begins at the latest. */
const headBytes = 64 * 1024;
/** "To the end of the file": what programs write that do not know the length while they write. */
const toTheEnd = 0xff;

/**
 * Reads a WAV file whose lengths were never written, as a recorder leaves it whose battery ran out: where they are zero
 * and there is sound all the same, they say "to the end of the file" instead. Any other file is read as it is.
 */
export async function readingUnfinishedWave(sizeBytes: number, read: ReadBytes): Promise<ReadBytes> {
  const head = await read(0, Math.min(sizeBytes, headBytes));
  const lengths = unwrittenLengths(head, sizeBytes);
  if (lengths.length === 0) return read;
  return async (start, end) => {
    const bytes = (await read(start, end)).slice();
    for (const offset of lengths) {
      const from = Math.max(0, offset - start);
      const to = Math.max(0, offset + 4 - start);
      bytes.fill(toTheEnd, from, to);
    }
    return bytes;
  };
}

/** Where the lengths stand that are to be read otherwise: of the whole file and of its sound. */
function unwrittenLengths(head: Uint8Array, sizeBytes: number): readonly number[] {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const nameAt = (offset: number): string => String.fromCharCode(...head.subarray(offset, offset + 4));
  if (nameAt(0) !== 'RIFF' || nameAt(8) !== 'WAVE') return [];
  for (let at = 12; at + 8 <= head.length;) {
    const length = view.getUint32(at + 4, true);
    if (nameAt(at) === 'data') return length === 0 && at + 8 < sizeBytes ? [4, at + 4] : [];
    at += 8 + length + (length % 2);
  }
  return [];
}
