/** A numbered part of a file (API part 2.3). */
export interface Part {
  /** 1-based. */
  readonly number: number;
  /** The offset of its first byte in the file. */
  readonly offset: number;
  /** Bytes. */
  readonly length: number;
}

/** Returns the number of parts of a file. */
export function partCountOf(fileSize: number, partSize: number): number {
  return Math.ceil(fileSize / partSize);
}

/**
 * Returns part `number` of a file: `min(part_size, file_size - (n-1) * part_size)` bytes (API part 2.3).
 *
 * @throws RangeError if the file has no such part.
 */
export function partOf(fileSize: number, partSize: number, number: number): Part {
  const offset = (number - 1) * partSize;
  if (!Number.isSafeInteger(number) || number < 1 || offset >= fileSize) {
    throw new RangeError(`a file of ${fileSize} bytes has no part ${number} of ${partSize} bytes`);
  }
  return { number, offset, length: Math.min(partSize, fileSize - offset) };
}
