/** The container format of a media file. */
export type Container =
  | 'wave'
  | 'aiff'
  | 'caf'
  | 'au'
  | 'flac'
  | 'ogg'
  | 'mpeg-audio'
  | 'adts'
  | 'mp4'
  | 'matroska'
  | 'avi'
  | 'asf'
  | 'amr'
  | 'ac3'
  | 'wavpack'
  | 'ape'
  | 'mpeg-ts'
  | 'mpeg-ps'
  | 'flv'
  | 'realmedia';

/** How many of the first bytes {@link detectContainer} needs. */
export const signatureBytes = 64 * 1024;

/** Brands of images in MP4 containers: HEIF, AVIF, Canon's raw files. */
const imageBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'mif1', 'msf1', 'avif', 'avis', 'crx '];

/** Detects the container of a file from its first {@link signatureBytes}; `null` if it is unknown. */
export function detectContainer(head: Uint8Array): Container | null {
  return detectByMagic(head) ?? detectAfterTag(head) ?? detectByFrames(head);
}

function detectByMagic(head: Uint8Array): Container | null {
  const at = (offset: number, text: string): boolean => hasText(head, offset, text);
  const starts = (...bytes: readonly number[]): boolean => bytes.every((byte, i) => head[i] === byte);
  if ((at(0, 'RIFF') || at(0, 'RF64') || at(0, 'BW64')) && at(8, 'WAVE')) return 'wave';
  if (at(0, 'riff') && starts(0x72, 0x69, 0x66, 0x66, 0x2e, 0x91, 0xcf, 0x11)) return 'wave';
  if (at(0, 'RIFF') && at(8, 'AVI ')) return 'avi';
  if (at(0, 'FORM') && (at(8, 'AIFF') || at(8, 'AIFC'))) return 'aiff';
  if (at(0, 'caff')) return 'caf';
  if (at(0, '.snd')) return 'au';
  if (at(0, 'fLaC')) return 'flac';
  if (at(0, 'OggS')) return 'ogg';
  if (at(0, '#!AMR')) return 'amr';
  if (at(0, 'wvpk')) return 'wavpack';
  if (at(0, 'MAC ')) return 'ape';
  if (at(0, 'FLV')) return 'flv';
  if (at(0, '.RMF') || starts(0x2e, 0x72, 0x61, 0xfd)) return 'realmedia';
  if (starts(0x1a, 0x45, 0xdf, 0xa3)) return 'matroska';
  if (starts(0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11)) return 'asf';
  if (starts(0x00, 0x00, 0x01, 0xba)) return 'mpeg-ps';
  if (at(4, 'ftyp')) return imageBrands.some((brand) => at(8, brand)) ? null : 'mp4';
  if (['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].some((box) => at(4, box))) return 'mp4';
  if (starts(0x0b, 0x77)) return 'ac3';
  return isTransportStream(head) ? 'mpeg-ts' : null;
}

/** Returns the length in bytes of the ID3v2 tag (id3.org, part 3.1) that a file begins with; 0 if there is none. */
export function id3TagLength(head: Uint8Array): number {
  if (!hasText(head, 0, 'ID3')) return 0;
  const [version = 0xff, revision = 0xff, , ...size] = head.subarray(3, 10);
  if (version === 0xff || revision === 0xff || size.length < 4 || size.some((byte) => byte > 0x7f)) return 0;
  return 10 + size.reduce((sum, byte) => (sum << 7) | byte, 0);
}

/** An ID3v2 tag precedes MPEG audio, and sometimes other audio; what follows the tag decides. */
function detectAfterTag(head: Uint8Array): Container | null {
  const end = id3TagLength(head);
  if (end === 0) return null;
  // A cover image may be longer than `head`.
  if (end >= head.length) return 'mpeg-audio';
  const afterTag = head.subarray(end);
  return detectByMagic(afterTag) ?? detectByFrames(afterTag) ?? 'mpeg-audio';
}

/** Raw frames begin with a sync word, sometimes after a few stray bytes; two in a row are not a coincidence. */
function detectByFrames(head: Uint8Array): Container | null {
  for (let i = 0; i + 6 < head.length; i++) {
    if (head[i] !== 0xff) continue;
    if (isFollowedByFrame(head, i, readMpegFrame)) return 'mpeg-audio';
    if (isFollowedByFrame(head, i, readAdtsFrame)) return 'adts';
  }
  return null;
}

function isFollowedByFrame(head: Uint8Array, offset: number, frameAt: ReadFrame): boolean {
  const frame = frameAt(head, offset);
  if (frame === null) return false;
  const nextOffset = offset + frame.length;
  // A recording of a single frame ends where the second would begin.
  return nextOffset === head.length ? offset === 0 : frameAt(head, nextOffset) !== null;
}

/** A frame of a file that consists of frames. */
export interface Frame {
  /** In bytes. */
  readonly length: number;
  /** How long its audio is. */
  readonly seconds: number;
  /** What a parser expects to be the same in all frames: one number for the version, the sample rate and the like. */
  readonly kind: number;
}

/** Returns the frame at an offset; `null` if there is none. */
export type ReadFrame = (bytes: Uint8Array, offset: number) => Frame | null;

const bitratesV1L1 = [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448];
const bitratesV1L2 = [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384];
const bitratesV1L3 = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const bitratesV2L1 = [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256];
const bitratesV2L23 = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

/** Reads an MPEG audio frame (ISO 11172-3, 13818-3). */
export function readMpegFrame(bytes: Uint8Array, offset: number): Frame | null {
  const second = bytes[offset + 1] ?? 0;
  if (bytes[offset] !== 0xff || (second & 0xe0) !== 0xe0) return null;
  const third = bytes[offset + 2] ?? 0;
  const version = (second >> 3) & 3; // 0: 2.5, 2: 2, 3: 1
  const layer = 4 - ((second >> 1) & 3);
  const bitrateIndex = third >> 4;
  const rateIndex = (third >> 2) & 3;
  if (version === 1 || layer === 4 || bitrateIndex === 0 || bitrateIndex === 15 || rateIndex === 3)
    return null;
  const isVersion1 = version === 3;
  const isMono = (bytes[offset + 3] ?? 0) >> 6 === 3;
  const table = isVersion1
    ? [bitratesV1L1, bitratesV1L2, bitratesV1L3][layer - 1]
    : [bitratesV2L1, bitratesV2L23, bitratesV2L23][layer - 1];
  const bits = (table?.[bitrateIndex - 1] ?? 0) * 1000;
  const rate = ([44_100, 48_000, 32_000][rateIndex] ?? 1) / (isVersion1 ? 1 : version === 2 ? 2 : 4);
  const padding = (third >> 1) & 1;
  const samples = layer === 1 ? 384 : layer === 3 && !isVersion1 ? 576 : 1152;
  const length =
    layer === 1
      ? (Math.floor((12 * bits) / rate) + padding) * 4
      : Math.floor(((samples / 8) * bits) / rate) + padding;
  const infoAt = offset + (isVersion1 ? (isMono ? 21 : 36) : isMono ? 13 : 21);
  // The first frame may describe the others instead of having audio.
  const isInfo = hasText(bytes, infoAt, 'Xing') || hasText(bytes, infoAt, 'Info');
  return {
    length,
    seconds: isInfo ? 0 : samples / rate,
    kind: ((second & 0x1e) << 8) | (third & 0x0c) | (isMono ? 1 : 0),
  };
}

const adtsRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];

/**
 * Reads an ADTS frame (ISO 13818-7, part 6.2). Its kind combines the bits of the header up to the number of channels with
 * the number of blocks: the parser throws if any of these change.
 */
export function readAdtsFrame(bytes: Uint8Array, offset: number): Frame | null {
  const second = bytes[offset + 1] ?? 0;
  const third = bytes[offset + 2] ?? 0;
  const rate = adtsRates[(third >> 2) & 15];
  if (bytes[offset] !== 0xff || (second & 0xf6) !== 0xf0 || rate === undefined) return null;
  const [fourth = 0, fifth = 0, sixth = 0, seventh = 0] = bytes.subarray(offset + 3, offset + 7);
  const length = ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
  if (length <= 7) return null;
  const blocks = seventh & 3;
  return {
    length,
    seconds: (1024 * (blocks + 1)) / rate,
    kind: (second << 16) | (third << 8) | (fourth & 0xc0) | blocks,
  };
}

/** Whether there are packets of 188 bytes that begin with 0x47; M2TS puts 4 bytes before each. */
function isTransportStream(head: Uint8Array): boolean {
  return [
    { first: 0, step: 188 },
    { first: 4, step: 192 },
  ].some(({ first, step }) => [0, 1, 2].every((n) => head[first + n * step] === 0x47));
}

function hasText(head: Uint8Array, offset: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (head[offset + i] !== text.charCodeAt(i)) return false;
  }
  return true;
}
