import {
  adtsFrameLength,
  detectContainer,
  findFrames,
  id3TagLength,
  mpegFrameLength,
  signatureBytes,
  type FrameLengthAt,
} from '../../electron/core/media/media-signature.ts';
import { FileWindow, joinPieces, type FilePart } from './file-part.ts';
import { flacParts } from './flac-parts.ts';
import { matroskaParts } from './matroska-parts.ts';
import { oggParts } from './ogg-parts.ts';
import type { ReadBytes } from './read-bytes.ts';

/** What can be read of a file. */
export interface ReadableParts {
  /** Empty if the file is to be read as it is. */
  readonly parts: readonly FilePart[];
  /** How much was cut out between the parts without leaving a gap in their times, as a fraction of what was kept. */
  readonly lostShare: number;
}

/** Maximum bytes of a Matroska file that is searched for damage: reading a long video once more takes minutes. */
const maxMatroskaBytes = { sequential: 1024 ** 3, random: 128 * 1024 ** 2 };

const wholeFile: ReadableParts = { parts: [], lostShare: 0 };

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
  if (container === 'ogg') return { parts: await oggParts(sizeBytes, read), lostShare: 0 };
  if (container === 'matroska') {
    const isSearched = sizeBytes <= maxMatroskaBytes[access];
    return { parts: isSearched ? await matroskaParts(sizeBytes, read) : [], lostShare: 0 };
  }
  if (container === 'mpeg-ts') return joinRuns(await packetRuns(sizeBytes, read, head), read, 0);
  if (access === 'random') return wholeFile;
  switch (container) {
    case 'flac':
      return { parts: tagLength === 0 ? await flacParts(sizeBytes, read) : [], lostShare: 0 };
    case 'adts':
      return joinRuns(await frameRuns(sizeBytes, read, tagLength, adtsFrameLength), read);
    case 'mpeg-audio':
      // The parser finds the next frame itself, but does not report what it skips.
      return {
        parts: [],
        lostShare: lostShareOf(await frameRuns(sizeBytes, read, tagLength, mpegFrameLength)),
      };
    default:
      return wholeFile;
  }
}

/** Consecutive bytes that can be read. */
interface Run {
  readonly start: number;
  end: number;
}

/** Returns the bytes between the runs as a fraction of those in the runs. */
function lostShareOf(runs: readonly Run[]): number {
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const readBytes = runs.reduce((sum, run) => sum + run.end - run.start, 0);
  return (last.end - first.start) / readBytes - 1;
}

/** Joins the runs without what is between them: players play the rest without a pause. */
function joinRuns(runs: readonly Run[], read: ReadBytes, lostShare = lostShareOf(runs)): ReadableParts {
  return runs.length <= 1
    ? wholeFile
    : { parts: [{ ...joinPieces(runs, read), times: 'recording' }], lostShare };
}

/** Maximum runs: what follows is so damaged that it is not worth the time. */
const maxRuns = 10_000;
/** Enough for some frames in a row. */
const frameWindowBytes = 32 * 1024;

/** Finds the runs of frames in a file that consists of frames, from an offset. */
async function frameRuns(
  sizeBytes: number,
  read: ReadBytes,
  offset: number,
  lengthAt: FrameLengthAt,
): Promise<readonly Run[]> {
  const window = new FileWindow(sizeBytes, read);
  const runs: Run[] = [];
  for (let at = offset; at < sizeBytes;) {
    const bytes = await window.from(at, frameWindowBytes);
    const run = runs.at(-1);
    const length = lengthAt(bytes, 0);
    if (run?.end === at && length !== null && length <= bytes.length) {
      run.end += length;
      at += length;
      continue;
    }
    const start = findFrames(bytes, 0, lengthAt);
    if (start === -1) {
      at += Math.max(1, bytes.length - frameWindowBytes / 2);
      continue;
    }
    if (runs.length === maxRuns) break;
    at += start;
    runs.push({ start: at, end: at });
  }
  return runs.filter(({ start, end }) => end > start);
}

const packetSync = 0x47;

/** Finds the runs of packets in a transport stream (ISO 13818-1), each of which begins with the same byte. */
async function packetRuns(sizeBytes: number, read: ReadBytes, head: Uint8Array): Promise<readonly Run[]> {
  const [prefix, step] = head[0] === packetSync && head[188] === packetSync ? [0, 188] : [4, 192];
  const window = new FileWindow(sizeBytes, read);
  const runs: Run[] = [];
  for (let at = 0; at + step <= sizeBytes && runs.length < maxRuns; at += step) {
    const bytes = await window.from(at, step);
    if (bytes[prefix] !== packetSync) continue;
    const run = runs.at(-1);
    if (run?.end === at) run.end += step;
    else runs.push({ start: at, end: at + step });
  }
  return runs;
}
