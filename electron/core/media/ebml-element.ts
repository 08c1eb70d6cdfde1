/** Elements of EBML files (RFC 8794), of which Matroska and WebM (RFC 9559) consist. */

/** IDs of the header of a file, and of what follows it. */
export const ebmlId = 0x1a45_dfa3;
export const segmentId = 0x1853_8067;

/** Maximum bytes of the ID and the size of an element. */
export const maxElementHeaderBytes = 12;

/** An element at some offset of a file. */
export interface EbmlElement {
  readonly id: number;
  readonly start: number;
  readonly dataStart: number;
  /** `Infinity` if its size is unknown: it ends where an element that it cannot contain starts. */
  readonly end: number;
  /** The given bytes after the header of the element. */
  readonly head: Uint8Array;
}

/**
 * Reads the header of an element; `null` if there is none.
 *
 * @param bytes begin with the element
 * @param start its offset in the file
 */
export function readElement(bytes: Uint8Array, start: number): EbmlElement | null {
  const idBytes = Math.clz32((bytes[0] ?? 0) << 24) + 1;
  const first = bytes[idBytes] ?? 0;
  const sizeBytes = Math.clz32(first << 24) + 1;
  const headerBytes = idBytes + sizeBytes;
  if (idBytes > 4 || sizeBytes > 8 || headerBytes > bytes.length) return null;
  // Without the bit that gives the length of the number.
  const size = numberOf([first & (0xff >> sizeBytes), ...bytes.subarray(idBytes + 1, headerBytes)]);
  const maxSize = 2 ** (7 * sizeBytes) - 1;
  const dataStart = start + headerBytes;
  return {
    id: numberOf(bytes.subarray(0, idBytes)),
    start,
    dataStart,
    end: size === maxSize ? Infinity : dataStart + size,
    head: bytes.subarray(headerBytes),
  };
}

function numberOf(bytes: Iterable<number>): number {
  let number = 0;
  for (const byte of bytes) number = number * 256 + byte;
  return number;
}
