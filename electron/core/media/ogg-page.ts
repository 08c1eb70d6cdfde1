/** Pages of Ogg files (RFC 3533, part 6). */

/** Bytes of a page's header before the lengths of its segments. */
const fixedHeaderBytes = 27;
/** Maximum bytes of a page with its header. */
export const maxOggPageBytes = fixedHeaderBytes + 255 + 255 * 255;

const continuedFlag = 1;
const firstPageFlag = 2;
const lastPageFlag = 4;

/** A page at some offset of a file. */
export interface OggPage {
  /** In bytes, including its header. */
  readonly length: number;
  /** Whether its checksum is right. */
  readonly isIntact: boolean;
  /** Whether it starts in the middle of a packet. */
  readonly isContinued: boolean;
  /** Whether it is the first page of its stream. */
  readonly isFirst: boolean;
  /** Whether it is the last page of its stream. */
  readonly isLast: boolean;
  /** The position in its stream at the end of the page, in units of the codec; -1 if no packet ends in the page. */
  readonly position: number;
  /** The number of its stream. */
  readonly stream: number;
}

/** Whether bytes start like a page. */
function isPageStart(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x4f && bytes[at + 1] === 0x67 && bytes[at + 2] === 0x67 && bytes[at + 3] === 0x53;
}

/** Returns the offset at which the next page may start; -1 if there is none. */
export function findOggPage(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0x4f, from); at !== -1; at = bytes.indexOf(0x4f, at + 1)) {
    if (isPageStart(bytes, at)) return at;
  }
  return -1;
}

/** Reads the page at an offset; `null` if there is none. */
export function readOggPage(bytes: Uint8Array, at: number): OggPage | null {
  if (at + fixedHeaderBytes > bytes.length || !isPageStart(bytes, at)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, bytes.length - at);
  const headerBytes = fixedHeaderBytes + view.getUint8(26);
  if (headerBytes > view.byteLength) return null;
  let length = headerBytes;
  for (let i = fixedHeaderBytes; i < headerBytes; i++) length += view.getUint8(i);
  if (length > view.byteLength) return null;
  const flags = view.getUint8(5);
  return {
    length,
    isIntact: checksumOf(bytes.subarray(at, at + length)) === view.getUint32(22, true),
    isContinued: (flags & continuedFlag) !== 0,
    isFirst: (flags & firstPageFlag) !== 0,
    isLast: (flags & lastPageFlag) !== 0,
    position: Number(view.getBigInt64(6, true)),
    stream: view.getUint32(14, true),
  };
}

/**
 * Returns a page without the end of a packet that began on an earlier, lost page; `null` if nothing is left.
 *
 * @param page the bytes of a whole page
 */
export function withoutContinuedPacket(page: Uint8Array): Uint8Array | null {
  const headerBytes = fixedHeaderBytes + (page[26] ?? 0);
  const lengths = page.subarray(fixedHeaderBytes, headerBytes);
  // A packet ends with the first segment that is not full.
  const last = lengths.findIndex((length) => length < 255);
  if (last === -1 || last + 1 === lengths.length) return null;
  const kept = lengths.subarray(last + 1);
  const lostBytes = lengths.subarray(0, last + 1).reduce((sum, length) => sum + length, 0);
  const header = new Uint8Array(fixedHeaderBytes + kept.length);
  header.set(page.subarray(0, fixedHeaderBytes));
  header[5] = (page[5] ?? 0) & ~continuedFlag;
  header[26] = kept.length;
  header.set(kept, fixedHeaderBytes);
  const audio = page.subarray(headerBytes + lostBytes);
  const result = new Uint8Array(header.length + audio.length);
  result.set(header);
  result.set(audio, header.length);
  new DataView(result.buffer).setUint32(22, checksumOf(result), true);
  return result;
}

/** How to convert positions in a stream to seconds. */
export interface OggClock {
  readonly stream: number;
  readonly unitsPerSecond: number;
  /** Units before the start of the recording. */
  readonly leadUnits: number;
}

/**
 * Reads the clock of a stream with Opus (RFC 7845, part 5.1) or Vorbis (Vorbis I, part 4.2.2) from its first page; `null`
 * for any other codec.
 */
export function readOggClock(page: Uint8Array): OggClock | null {
  const view = new DataView(page.buffer, page.byteOffset, page.length);
  const packet = fixedHeaderBytes + (page[26] ?? 0);
  const name = (length: number): string => String.fromCharCode(...page.subarray(packet, packet + length));
  if (packet + 19 > page.length) return null;
  const stream = view.getUint32(14, true);
  if (name(8) === 'OpusHead')
    return { stream, unitsPerSecond: 48_000, leadUnits: view.getUint16(packet + 10, true) };
  const unitsPerSecond = name(7) === '\u0001vorbis' ? view.getUint32(packet + 12, true) : 0;
  return unitsPerSecond === 0 ? null : { stream, unitsPerSecond, leadUnits: 0 };
}

/** The remainder of each byte when divided by the polynomial 0x04c11db7. */
const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 24;
  for (let bit = 0; bit < 8; bit++)
    remainder = remainder < 0 ? (remainder << 1) ^ 0x04c1_1db7 : remainder << 1;
  return remainder;
});

/** Returns the checksum of a page: of its bytes with zeros in the place of the checksum. */
function checksumOf(page: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < page.length; i++) {
    const byte = i >= 22 && i < 26 ? 0 : (page[i] ?? 0);
    sum = (sum << 8) ^ (remainders[(sum >>> 24) ^ byte] ?? 0);
  }
  return sum >>> 0;
}
