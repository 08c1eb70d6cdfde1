import {
  adtsFormat,
  detectContainer,
  findFrames,
  id3TagLength,
  mpegFrameLength,
  signatureBytes,
  type FrameFormat,
} from '../../electron/core/media/media-signature.ts';
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
    const runs = await frameRuns(sizeBytes, read, 0, packetFormat(head));
    return joinRuns(runs, read, shareBehind(runs, sizeBytes));
  }
  if (access === 'random') return wholeFile;
  switch (container) {
    case 'flac':
      return tagLength === 0 ? flacParts(sizeBytes, read) : wholeFile;
    case 'adts': {
      const runs = await frameRuns(sizeBytes, read, tagLength, adtsFormat(head, tagLength));
      return joinRuns(runs, read, await lostShareOf(runs, sizeBytes, read));
    }
    case 'mpeg-audio': {
      // The parser finds the next frame itself, but does not report what it skips.
      const runs = await frameRuns(sizeBytes, read, tagLength, mpegFormat);
      return { parts: [], lostShare: await lostShareOf(runs, sizeBytes, read) };
    }
    default:
      return wholeFile;
  }
}

/** Consecutive bytes that can be read. */
interface Run {
  readonly start: number;
  end: number;
}

const readBytesOf = (runs: readonly Run[]): number =>
  runs.reduce((sum, { start, end }) => sum + end - start, 0);

/** Bytes behind the last run, as a share of those of the runs. */
function shareBehind(runs: readonly Run[], sizeBytes: number): number {
  const last = runs.at(-1);
  return last === undefined ? 0 : (sizeBytes - last.end) / readBytesOf(runs);
}

/** How tags begin that follow the sound, for example with the cover: ID3 versions 1 and 2, APE, Lyrics3. */
const tagAtEnd = /^(?:TAG|ID3|APETAGEX|LYRICSBEGIN)/;
const maxTagNameBytes = 11;

/** Bytes between the runs and behind the last one, unless it is a tag, as a share of those of the runs. */
async function lostShareOf(runs: readonly Run[], sizeBytes: number, read: ReadBytes): Promise<number> {
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const between = (last.end - first.start) / readBytesOf(runs) - 1;
  const next = await read(last.end, Math.min(sizeBytes, last.end + maxTagNameBytes));
  const isTag = tagAtEnd.test(String.fromCharCode(...next));
  return between + (isTag ? 0 : shareBehind(runs, sizeBytes));
}

/** Joins the runs without what is between them: players play the rest without a pause. */
function joinRuns(runs: readonly Run[], read: ReadBytes, lostShare: number): ReadableParts {
  if (runs.length <= 1 && lostShare === 0) return wholeFile;
  return { parts: [{ ...joinPieces(runs, read), times: 'recording' }], lostShare };
}

/** Maximum runs: what follows is so damaged that it is not worth the time. */
const maxRuns = 10_000;
/** Enough for some frames in a row. */
const frameWindowBytes = 32 * 1024;
const mpegFormat: FrameFormat = { sync: 0xff, syncOffset: 0, lengthAt: mpegFrameLength };

/** Packets of a transport stream (ISO 13818-1), which all have the same length; M2TS puts 4 bytes before each. */
function packetFormat(head: Uint8Array): FrameFormat {
  const sync = 0x47;
  const [syncOffset, length] = head[0] === sync && head[188] === sync ? [0, 188] : [4, 192];
  return {
    sync,
    syncOffset,
    lengthAt: (bytes, offset) => (bytes[offset + syncOffset] === sync ? length : null),
  };
}

/** Finds the runs of frames in a file that consists of frames, from an offset. */
async function frameRuns(
  sizeBytes: number,
  read: ReadBytes,
  offset: number,
  format: FrameFormat,
): Promise<readonly Run[]> {
  const window = new FileWindow(sizeBytes, read);
  const runs: Run[] = [];
  for (let at = offset; at < sizeBytes;) {
    const bytes = await window.from(at, frameWindowBytes);
    const run = runs.at(-1);
    const length = format.lengthAt(bytes, 0);
    if (run?.end === at && length !== null && length <= bytes.length) {
      run.end += length;
      at += length;
      continue;
    }
    const start = findFrames(bytes, 0, format);
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
