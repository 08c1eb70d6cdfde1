import { FileWindow, joinPieces, wholeFile, type ReadableParts } from './file-part.ts';
import type { ReadBytes } from './read-bytes.ts';

/** The blocks before the frames (RFC 9639, part 8), as far as they matter. */
interface FlacHeader {
  /** What every part begins with: the name of the format and the block STREAMINFO. */
  readonly bytes: Uint8Array;
  readonly framesStart: number;
  readonly sampleRate: number;
  /** Samples per frame, if all frames but the last have the same number. */
  readonly blockSize: number;
}

/** The header of a frame (RFC 9639, part 9.1). */
interface FlacFrame {
  /** The number of its first sample. */
  readonly sample: number;
  readonly samples: number;
}

const streamInfoBytes = 34;
const blockHeaderBytes = 4;
const maxFrameHeaderBytes = 16;
/** The last frame has at most this many times the bytes of others on average; what follows is lost. */
const maxLastFrames = 16;
/** Maximum parts: what follows is so damaged that it is not worth the time. */
const maxParts = 1000;

/**
 * Returns the parts of a damaged FLAC file; none for an intact file, which is read as it is. The parser expects the next
 * frame within the size of the largest one, and counts the samples instead of reading their numbers.
 */
export async function flacParts(sizeBytes: number, read: ReadBytes): Promise<ReadableParts> {
  const window = new FileWindow(sizeBytes, read);
  const header = await readHeader(window);
  if (header === null) return wholeFile;
  const starts: { readonly at: number; readonly sample: number }[] = [];
  /** The number of the sample that should come next. */
  let nextSample = -1;
  /** A frame that does not start there: real only if the next frame follows it, otherwise a coincidence. */
  let candidate: (FlacFrame & { readonly at: number }) | null = null;
  /** How many frames were found, and where the last one starts. */
  let frames = 0;
  let lastAt = header.framesStart;
  for await (const frame of framesOf(window, header)) {
    const end = frame.sample + frame.samples;
    if (frame.sample === nextSample) {
      nextSample = end;
      candidate = null;
      frames++;
      lastAt = frame.at;
    } else if (candidate !== null && candidate.sample + candidate.samples === frame.sample) {
      starts.push({ at: candidate.at, sample: candidate.sample });
      if (starts.length === maxParts) break;
      nextSample = end;
      candidate = null;
    } else candidate = frame;
  }
  const readBytes = lastAt - header.framesStart;
  const isEndLost = sizeBytes - lastAt > maxLastFrames * (readBytes / frames);
  const lostShare = isEndLost ? (sizeBytes - lastAt) / readBytes : 0;
  if (starts.length <= 1 && (starts[0]?.at ?? header.framesStart) === header.framesStart)
    return { parts: [], lostShare };
  return {
    parts: starts.map(({ at, sample }, index) => ({
      ...joinPieces([header.bytes, { start: at, end: starts[index + 1]?.at ?? sizeBytes }], read),
      times: { seconds: sample / header.sampleRate },
    })),
    lostShare,
  };
}

async function readHeader(window: FileWindow): Promise<FlacHeader | null> {
  const infoEnd = 4 + blockHeaderBytes + streamInfoBytes;
  const bytes = (await window.from(0, infoEnd)).slice(0, infoEnd);
  const view = new DataView(bytes.buffer);
  if (bytes.length < infoEnd || (view.getUint8(4) & 0x7f) !== 0) return null;
  let at = 4;
  for (let isLast = false; !isLast;) {
    const block = await window.from(at, blockHeaderBytes);
    if (block.length < blockHeaderBytes) return null;
    const [kind = 0, high = 0, middle = 0, low = 0] = block;
    isLast = (kind & 0x80) !== 0;
    at += blockHeaderBytes + ((high << 16) | (middle << 8) | low);
  }
  // No other block follows in the parts.
  bytes[4] = 0x80;
  const info = 4 + blockHeaderBytes;
  const sampleRate = view.getUint32(info + 10) >>> 12;
  return sampleRate === 0 ? null : { bytes, framesStart: at, sampleRate, blockSize: view.getUint16(info) };
}

/** Yields all that looks like the header of a frame. */
async function* framesOf(
  window: FileWindow,
  { framesStart, blockSize }: FlacHeader,
): AsyncGenerator<FlacFrame & { readonly at: number }> {
  for (let start = framesStart; start < window.sizeBytes;) {
    const bytes = await window.from(start, maxFrameHeaderBytes);
    const isEnd = start + bytes.length === window.sizeBytes;
    const last = isEnd ? bytes.length : bytes.length - maxFrameHeaderBytes;
    for (let at = bytes.indexOf(0xff); at !== -1 && at <= last; at = bytes.indexOf(0xff, at + 1)) {
      const frame = readFrameHeader(bytes, at, blockSize);
      if (frame !== null) yield { ...frame, at: start + at };
    }
    start += last + 1;
  }
}

/** Reads the header of a frame; `null` if there is none. */
function readFrameHeader(bytes: Uint8Array, at: number, blockSize: number): FlacFrame | null {
  const [sync = 0, sizes = 0, channels = 0] = bytes.subarray(at + 1, at + 4);
  const sizeCode = sizes >> 4;
  const rateCode = sizes & 15;
  const isReserved = sizeCode === 0 || rateCode === 15 || channels >> 4 > 10 || (channels & 1) === 1;
  if ((sync & 0xfe) !== 0xf8 || isReserved) return null;
  let end = at + 4;
  const lead = bytes[end++] ?? 0;
  // Like UTF-8: as many bytes as the first one has leading ones.
  const ones = Math.clz32(~(lead << 24));
  let number = ones === 0 ? lead : lead & (0x7f >> ones);
  for (let i = 1; i < ones; i++) number = number * 64 + ((bytes[end++] ?? 0) & 0x3f);
  let samples = samplesByCode[sizeCode] ?? 256 << (sizeCode - 8);
  if (sizeCode === 6) samples = (bytes[end++] ?? 0) + 1;
  if (sizeCode === 7) samples = (((bytes[end++] ?? 0) << 8) | (bytes[end++] ?? 0)) + 1;
  end += rateCode === 12 ? 1 : rateCode >= 13 ? 2 : 0;
  if (end >= bytes.length || checksumOf(bytes.subarray(at, end)) !== bytes[end]) return null;
  return { sample: (sync & 1) === 1 ? number : number * blockSize, samples };
}

/** Samples per frame by code; of the other codes, they follow in the header or are a power of two. */
const samplesByCode = [0, 192, 576, 1152, 2304, 4608, 0, 0];

/** Returns the checksum with the polynomial 0x07. */
function checksumOf(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum & 0x80) === 0 ? sum << 1 : ((sum << 1) ^ 0x07) & 0xff;
  }
  return sum;
}
