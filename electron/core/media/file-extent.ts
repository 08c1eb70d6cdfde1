import type { FileHandle } from 'node:fs/promises';
import { readElement, segmentId } from './ebml-element.ts';
import { adtsFrames, findFrameRuns, sourceOf, timeFrames } from './frame-runs.ts';
import { detectContainer, id3TagLength, signatureBytes } from './media-signature.ts';
import { findOggPage, maxOggPageBytes, readOggClock, readOggPage } from './ogg-page.ts';

/** What is known about the whole file before its audio is parsed: from its header or, in some formats, its frames or end. */
export interface FileExtent {
  /** The part of the stated bytes that the file has, from 0 to 1; `null` if the header does not state them. */
  readonly presentFraction: number | null;
  /** Whether the header states how much audio the file has, regardless of what follows the header. */
  readonly statesDuration: boolean;
  /** The duration in seconds. Only for formats whose parser does not look for it after damage. */
  readonly endSeconds?: number;
  /** Whether the file ends in the middle of something, so that it is incomplete although its header states nothing. */
  readonly isCut?: boolean;
}

const nothingKnown: FileExtent = { presentFraction: null, statesDuration: false };

/** A program that writes to a pipe does not know the size of a WAVE file, and states the most that fits, or nearly. */
const minUnknownWaveBytes = 0x7fff_0000;

/** More top-level boxes than an intact MP4 file has, unless it is fragmented. */
const maxBoxes = 256;

/** Reads the extent of a file. @throws the error of the disk */
export async function readFileExtent(handle: FileHandle, sizeBytes: number): Promise<FileExtent> {
  const head = await readAt(handle, 0, signatureBytes);
  const tagLength = id3TagLength(head);
  const audio = tagLength === 0 ? head : await readAt(handle, tagLength, signatureBytes);
  switch (detectContainer(head)) {
    case 'mpeg-audio':
      return statedByMp3(audio, sizeBytes - tagLength);
    case 'wave':
      return statedByWave(head, sizeBytes);
    case 'mp4':
      return { presentFraction: await presentPartOfMp4(handle, sizeBytes), statesDuration: true };
    case 'matroska':
      return statedByMatroska(head, sizeBytes);
    case 'flac':
      return { presentFraction: null, statesDuration: true };
    case 'adts':
      return sizeBytes > maxAdtsBytes ? nothingKnown : measuredInAdts(await readAt(handle, 0, sizeBytes));
    case 'ogg':
      return statedByOgg(head, await readAt(handle, Math.max(0, sizeBytes - oggTailBytes), oggTailBytes));
    default:
      return nothingKnown;
  }
}

/** Larger ADTS files, in bytes, are not read for their duration: all frames would have to be counted. */
const maxAdtsBytes = 2 * 1024 * 1024;

/** Adds up the frames of a file and the gaps where it is damaged, as the service does. */
async function measuredInAdts(bytes: Buffer): Promise<FileExtent> {
  const { endSeconds } = timeFrames(await findFrameRuns(sourceOf(bytes), id3TagLength(bytes), adtsFrames));
  return endSeconds > 0 ? { ...nothingKnown, endSeconds } : nothingKnown;
}

/** Enough of the end of an Ogg file for its last whole page, after which another one may be cut off. */
const oggTailBytes = 2 * maxOggPageBytes;

/** Reads the position in the last page, which is counted from the start of the recording, whatever is damaged between. */
function statedByOgg(head: Uint8Array, tail: Uint8Array): FileExtent {
  const clock = readOggPage(head, 0) === null ? null : readOggClock(head);
  if (clock === null) return nothingKnown;
  let position = -1;
  let pagesEnd = 0;
  let isLast = false;
  for (let at = findOggPage(tail, 0); at !== -1; at = findOggPage(tail, at + 1)) {
    const page = readOggPage(tail, at);
    if (page?.isIntact !== true) continue;
    pagesEnd = at + page.length;
    isLast = page.isLast;
    if (page.stream === clock.stream && page.position >= 0) position = page.position;
  }
  if (pagesEnd === 0) return { ...nothingKnown, isCut: true };
  const endSeconds = (position - clock.leadUnits) / clock.unitsPerSecond;
  if (endSeconds <= 0) return nothingKnown;
  return {
    presentFraction: null,
    statesDuration: true,
    endSeconds,
    isCut: !isLast && pagesEnd < tail.length,
  };
}

/** Reads the size of the segment that makes up the file (RFC 9559, part 4); programs that record live do not state it. */
function statedByMatroska(head: Buffer, sizeBytes: number): FileExtent {
  const header = readElement(head, 0);
  const segment = header === null ? null : readElement(head.subarray(header.end), header.end);
  if (segment?.id !== segmentId || segment.end === Infinity) return nothingKnown;
  const presentFraction = fractionOf(sizeBytes, segment.end);
  // A video may be longer than its sound: the duration of the file only counts if something is missing.
  return { presentFraction, statesDuration: presentFraction !== null && presentFraction < 1 };
}

/** Reads the tag in the first frame: https://www.codeproject.com/Articles/8295/MPEG-Audio-Frame-Header, 2.3. */
function statedByMp3(audio: Buffer, sizeBytes: number): FileExtent {
  for (const name of ['Xing', 'Info', 'VBRI']) {
    const tag = audio.indexOf(name, 0, 'latin1');
    // The tag follows the side information, whose length depends on the version and the channels.
    const frame = (name === 'VBRI' ? [36] : [36, 21, 13])
      .map((offset) => tag - offset)
      .find((start) => audio[start] === 0xff && ((audio[start + 1] ?? 0) & 0xe6) === 0xe2);
    if (tag === -1 || frame === undefined || tag + 18 > audio.length) continue;
    const isVbri = name === 'VBRI';
    const flags = isVbri ? 0 : audio.readUInt32BE(tag + 4);
    const hasFrames = (flags & 1) !== 0;
    const hasBytes = isVbri || (flags & 2) !== 0;
    const statedBytes = hasBytes ? audio.readUInt32BE(tag + (isVbri ? 10 : hasFrames ? 12 : 8)) : 0;
    return { presentFraction: fractionOf(sizeBytes - frame, statedBytes), statesDuration: hasFrames };
  }
  return nothingKnown;
}

/** Reads the size of the chunk `data`, which is in the chunk `ds64` of a file that may exceed 4 GB (EBU Tech 3306). */
function statedByWave(head: Buffer, sizeBytes: number): FileExtent {
  let longBytes: number | null = null;
  for (let chunk = 12; chunk + 24 <= head.length;) {
    const name = head.toString('latin1', chunk, chunk + 4);
    const length = head.readUInt32LE(chunk + 4);
    if (name === 'ds64') longBytes = Number(head.readBigUInt64LE(chunk + 16));
    if (name === 'data') {
      const isLong = length === 0xffff_ffff && longBytes !== null;
      const stated = isLong ? (longBytes ?? 0) : length >= minUnknownWaveBytes ? 0 : length;
      const presentFraction = fractionOf(sizeBytes - chunk - 8, stated);
      return { presentFraction, statesDuration: presentFraction !== null };
    }
    chunk += 8 + length + (length & 1);
  }
  return nothingKnown;
}

/** Returns the fraction of the file that is present if a top-level box ends after the file; otherwise `null`. */
async function presentPartOfMp4(handle: FileHandle, sizeBytes: number): Promise<number | null> {
  let box = 0;
  for (let count = 0; count < maxBoxes && box + 8 <= sizeBytes; count++) {
    const header = await readAt(handle, box, 16);
    if (header.length < 8 || !/^[\w ]{4}$/.test(header.toString('latin1', 4, 8))) return null;
    const short = header.readUInt32BE(0);
    // 0: up to the end of the file. 1: a longer number follows.
    if (short === 0 || (short === 1 && header.length < 16)) return null;
    const length = short === 1 ? Number(header.readBigUInt64BE(8)) : short;
    if (length < 8) return null;
    box += length;
    if (box > sizeBytes) return fractionOf(sizeBytes, box);
  }
  return null;
}

const fractionOf = (present: number, stated: number): number | null =>
  stated <= 0 ? null : Math.min(1, Math.max(0, present / stated));

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, position);
  return bytes.subarray(0, bytesRead);
}
