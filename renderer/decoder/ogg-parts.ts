import {
  findOggPage,
  maxOggPageBytes,
  readOggPage,
  withoutContinuedPacket,
  type OggPage,
} from '../../electron/core/media/ogg-page.ts';
import { FileWindow, joinPieces, wholeFile, type FilePiece, type ReadableParts } from './file-part.ts';
import type { ReadBytes } from './read-bytes.ts';

/** Maximum positions that look like a page but are not, and maximum parts: what follows is not worth the time. */
const maxFalsePages = 10_000;
const maxParts = 1000;

/** A page and its bytes in the file. */
interface PageInFile extends OggPage {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/** Consecutive pages. */
interface Run {
  /** What replaces the first page if that starts in the middle of a packet. */
  readonly first: Uint8Array | null;
  /** Where the other pages start, and end. */
  readonly start: number;
  end: number;
}

/** A recording; a file may contain several, one after the other. */
interface Recording {
  readonly start: number;
  /** The end of the pages with the headers of its codecs, which every part needs. */
  headerEnd: number;
  readonly runs: Run[];
}

/**
 * Returns the parts of an Ogg file that is damaged or that consists of several recordings; none for an intact file, which
 * is read as it is, and for any other file. The parser stops at the first byte that it does not expect.
 */
export async function oggParts(sizeBytes: number, read: ReadBytes): Promise<ReadableParts> {
  const recordings: Recording[] = [];
  let isInHeader = false;
  let parts = 0;
  let previous: PageInFile | null = null;
  for await (const page of pagesOf(sizeBytes, read)) {
    if (previous === null && (page.start > 0 || !page.isFirst)) return wholeFile;
    // The headers are needed in any case, and most damage in them is harmless: the title of a recording is there.
    const mayBeHeader = previous === null || (isInHeader && page.position <= 0);
    if (!page.isIntact && !mayBeHeader) continue;
    if (page.isFirst && previous?.isFirst !== true) {
      recordings.push({ start: page.start, headerEnd: page.start, runs: [] });
      isInHeader = true;
    }
    const recording = recordings.at(-1);
    const run = recording?.runs.at(-1);
    previous = page;
    const end = page.start + page.length;
    if (recording === undefined) continue;
    if (run?.end === page.start) run.end = end;
    else {
      const first = page.isContinued ? withoutContinuedPacket(page.bytes) : null;
      if (page.isContinued && first === null) continue;
      if (++parts > maxParts) break;
      recording.runs.push({ first, start: first === null ? page.start : end, end });
    }
    // Header pages have the granule position 0.
    isInHeader &&= page.position <= 0 && recording.runs.length === 1;
    if (isInHeader) recording.headerEnd = end;
  }
  // A page that is cut off at the end confuses the parser as well.
  const readEnd = previous === null ? 0 : previous.start + previous.length;
  if (readEnd === 0 || (parts <= 1 && readEnd === sizeBytes)) return wholeFile;
  return {
    parts: recordings.flatMap((recording, index) =>
      recording.runs.map((run, runIndex) => ({
        ...joinPieces(piecesOf(recording, run, runIndex > 0), read),
        times: index > 0 && runIndex === 0 ? 'appended' : 'recording',
      })),
    ),
    lostShare: sizeBytes / readEnd - 1,
  };
}

/** Yields the pages of a file: those that are intact, and damaged ones if another follows. */
async function* pagesOf(sizeBytes: number, read: ReadBytes): AsyncGenerator<PageInFile> {
  const window = new FileWindow(sizeBytes, read);
  for (let start = 0, falsePages = 0; start < sizeBytes && falsePages < maxFalsePages;) {
    const bytes = await window.from(start, maxOggPageBytes);
    const page = readOggPage(bytes, 0);
    if (page !== null && (page.isIntact || (await isPageAt(window, start + page.length)))) {
      yield { ...page, start, bytes: bytes.subarray(0, page.length) };
      start += page.length;
      continue;
    }
    const next = findOggPage(bytes, 1);
    // The capture pattern of a page (`OggS`) may straddle two windows.
    start += next === -1 ? Math.max(1, bytes.length - 3) : next;
    falsePages++;
  }
}

async function isPageAt(window: FileWindow, at: number): Promise<boolean> {
  return at < window.sizeBytes && findOggPage(await window.from(at, 4), 0) === 0;
}

function piecesOf(recording: Recording, run: Run, needsHeader: boolean): readonly FilePiece[] {
  const header = { start: recording.start, end: recording.headerEnd };
  return [...(needsHeader ? [header] : []), ...(run.first === null ? [] : [run.first]), run];
}
