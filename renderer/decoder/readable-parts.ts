import {
  adtsFrames,
  findFrameRuns,
  mpegFrames,
  timeFrames,
  type FrameFormat,
} from '../../electron/core/media/frame-runs.ts';
import { detectContainer, id3TagLength, signatureBytes } from '../../electron/core/media/media-signature.ts';
import { FileWindow, joinPieces, wholeFile, type ReadableParts } from './file-part.ts';
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
  if (container === 'mpeg-ts') {
    return packetParts(sizeBytes, read, packetFormat(head));
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

/** Joins the packets of a transport stream, which have times. */
async function packetParts(sizeBytes: number, read: ReadBytes, format: FrameFormat): Promise<ReadableParts> {
  const { runs, lostBytes } = await findFrameRuns(new FileWindow(sizeBytes, read), 0, format);
  if (runs.length === 0 || (runs.length === 1 && lostBytes === 0)) return wholeFile;
  const readBytes = runs.reduce((sum, { start, end }) => sum + end - start, 0);
  return { parts: [{ ...joinPieces(runs, read), times: 'recording' }], lostShare: lostBytes / readBytes };
}

/** Packets of a transport stream (ISO 13818-1), which all have the same length; M2TS puts 4 bytes before each. */
function packetFormat(head: Uint8Array): FrameFormat {
  const sync = 0x47;
  const [syncOffset, length] = head[0] === sync && head[188] === sync ? [0, 188] : [4, 192];
  const packet = { length, seconds: 0, kind: 0 };
  return {
    sync,
    syncOffset,
    frameAt: (bytes, offset) => (bytes[offset + syncOffset] === sync ? packet : null),
    slackBytes: 0,
  };
}
