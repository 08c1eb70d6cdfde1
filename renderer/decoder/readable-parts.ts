import {
  adtsFrames,
  findFrameRuns,
  mpegFrames,
  timeFrames,
  type FrameFormat,
} from '../../electron/core/media/frame-runs.ts';
import { detectContainer, id3TagLength, signatureBytes } from '../../electron/core/media/media-signature.ts';
import { FileWindow, joinPieces, wholeFile, type FilePiece, type ReadableParts } from './file-part.ts';
import { flacParts } from './flac-parts.ts';
import { matroskaParts } from './matroska-parts.ts';
import { oggParts } from './ogg-parts.ts';
import type { ReadBytes } from './read-bytes.ts';

/** Maximum bytes of a Matroska file that is searched for damage: reading a long video once more takes minutes. */
const maxMatroskaBytes = { sequential: 1024 ** 3, random: 128 * 1024 ** 2 };

/**
 * Finds what can be read of a file where the parser would stop at damage: it expects the next frame, packet or element
 * exactly where the previous one ends. MP4, whose index says where everything is, and formats whose parser searches on are
 * read as they are.
 *
 * @param access with `random`, formats whose frames can be found from any offset are read as they are: the reader skips damage
 *   itself, and the whole file need not be read first
 */
export async function readableParts(
  sizeBytes: number,
  read: ReadBytes,
  access: 'sequential' | 'random',
): Promise<ReadableParts> {
  const head = await read(0, Math.min(sizeBytes, signatureBytes));
  const tagLength = id3TagLength(head);
  const container = detectContainer(head);
  if (container === 'ogg') return oggParts(sizeBytes, read);
  if (container === 'matroska') {
    return sizeBytes <= maxMatroskaBytes[access] ? matroskaParts(sizeBytes, read) : wholeFile;
  }
  if (container === 'mpeg-ts' || container === null) {
    const format = packetFormat(head);
    if (format !== null) return packetParts(sizeBytes, read, format);
  }
  if (access === 'random') return wholeFile;
  switch (container) {
    case 'flac':
      return tagLength === 0 ? flacParts(sizeBytes, read) : wholeFile;
    case 'adts':
      return frameParts(sizeBytes, read, tagLength, adtsFrames);
    case 'mpeg-audio':
      return frameParts(sizeBytes, read, tagLength, mpegFrames);
    default:
      return wholeFile;
  }
}

/** Finds the parts of a file that consists of frames, which have no times. */
async function frameParts(
  sizeBytes: number,
  read: ReadBytes,
  tagLength: number,
  format: FrameFormat,
): Promise<ReadableParts> {
  const frames = await findFrameRuns(new FileWindow(sizeBytes, read), tagLength, format);
  const [first, ...others] = frames.runs;
  if (first === undefined) return wholeFile;
  if (first.start === tagLength && others.length === 0 && frames.lostBytes === 0) return wholeFile;
  const { parts, endSeconds, lostSeconds } = timeFrames(frames);
  return {
    parts: parts.map(({ runs, startSeconds }) => ({
      ...joinPieces(runs, read),
      times: { seconds: startSeconds },
    })),
    lostShare: lostSeconds / endSeconds,
  };
}

/** Joins the packets of a transport stream, which have times, without those of units that are too long. */
async function packetParts(sizeBytes: number, read: ReadBytes, format: FrameFormat): Promise<ReadableParts> {
  const units = new PacketUnits(format.syncOffset);
  const { runs, lostBytes } = await findFrameRuns(new FileWindow(sizeBytes, read), 0, {
    ...format,
    onFrame: (bytes, at, offset) => units.add(bytes, at, offset),
  });
  const excesses = units.excesses(sizeBytes);
  if (runs.length === 0 || (runs.length === 1 && lostBytes === 0 && excesses.length === 0)) return wholeFile;
  const pieces = excesses.reduce<readonly FileRange[]>(without, runs);
  const readBytes = pieces.reduce((sum, { start, end }) => sum + end - start, 0);
  const lostAtEnd = lostBytes + (units.isInExcess ? (runs.at(-1)?.end ?? 0) - (pieces.at(-1)?.end ?? 0) : 0);
  return { parts: [{ ...joinPieces(pieces, read), times: 'recording' }], lostShare: lostAtEnd / readBytes };
}

type FileRange = Exclude<FilePiece, Uint8Array>;

/** Returns what is left of ranges without another one. */
const without = (ranges: readonly FileRange[], { start, end }: FileRange): readonly FileRange[] =>
  ranges.flatMap((range) =>
    [
      { start: range.start, end: Math.min(range.end, start) },
      { start: Math.max(range.start, end), end: range.end },
    ].filter((rest) => rest.start < rest.end),
  );

/**
 * Maximum bytes of packets in a unit of a transport stream, such as a frame of video. The parser holds a unit in memory;
 * its length is not limited where packets that would start the next one are missing.
 */
const maxUnitBytes = 64 * 1024 ** 2;
const packetBytes = 188;

/** In the order in which the parser tries them. */
const packetLayouts = [
  { syncOffset: 0, length: packetBytes },
  { syncOffset: 0, length: packetBytes + 16 },
  { syncOffset: 4, length: packetBytes + 4 },
] as const;

/** Finds the excess of units in a transport stream: the packets from the limit of a unit to the start of the next one. */
class PacketUnits {
  readonly #syncOffset: number;
  /** The bytes of the current unit, by packet identifier; -1 before the first start. */
  readonly #unitBytes = new Int32Array(0x2000).fill(-1);
  readonly #excesses: FileRange[] = [];
  #current: { readonly pid: number; readonly start: number } | null = null;

  constructor(syncOffset: number) {
    this.#syncOffset = syncOffset;
  }

  /** Whether the last unit is too long. */
  get isInExcess(): boolean {
    return this.#current !== null;
  }

  add(bytes: Uint8Array, at: number, offset: number): void {
    const header = at + this.#syncOffset;
    const flags = bytes[header + 1] ?? 0;
    const pid = ((flags & 0x1f) << 8) | (bytes[header + 2] ?? 0);
    const isStart = (flags & 0x40) !== 0;
    if (this.#current !== null) {
      if (!isStart || pid !== this.#current.pid) return;
      this.#excesses.push({ start: this.#current.start, end: offset });
      this.#current = null;
    }
    const before = isStart ? 0 : (this.#unitBytes[pid] ?? -1);
    if (before === -1) return;
    const hasPayload = ((bytes[header + 3] ?? 0) & 0x10) !== 0;
    const after = before + (hasPayload ? packetBytes : 0);
    if (after > maxUnitBytes) this.#current = { pid, start: offset };
    else this.#unitBytes[pid] = after;
  }

  /** Returns the excesses in order, the last one up to the end of the file if it has no end. */
  excesses(sizeBytes: number): readonly FileRange[] {
    if (this.#current === null) return this.#excesses;
    return [...this.#excesses, { start: this.#current.start, end: sizeBytes }];
  }
}

/**
 * Packets of a transport stream (ISO 13818-1), which all have the same length; M2TS puts 4 bytes before each, and error
 * correction 16 bytes after it. `null` if the parser does not take the file for one.
 */
function packetFormat(head: Uint8Array): FrameFormat | null {
  const sync = 0x47;
  const layout = packetLayouts.find(
    ({ syncOffset, length }) => head[syncOffset] === sync && head[syncOffset + length] === sync,
  );
  if (layout === undefined) return null;
  const { syncOffset, length } = layout;
  const packet = { length, seconds: 0, kind: 0 };
  return {
    sync,
    syncOffset,
    frameAt: (bytes, offset) => (bytes[offset + syncOffset] === sync ? packet : null),
    slackBytes: 0,
  };
}
