import { readAdtsFrame, readMpegFrame, type Frame, type ReadFrame } from './media-signature.ts';

/** How to recognize the frames of a file. */
export interface FrameFormat {
  /** A byte that each frame has, and where it is in the frame. */
  readonly sync: number;
  readonly syncOffset: number;
  readonly frameAt: ReadFrame;
  /** By how many bytes a frame may be shorter than its header says, as some encoders write it. */
  readonly slackBytes: 0 | 1;
  /**
   * Called with each frame of the runs, once and in order.
   *
   * @param at where it starts in `bytes`
   * @param offset where it starts in the file
   */
  readonly onFrame?: (bytes: Uint8Array, at: number, offset: number) => void;
}

/** MPEG audio, such as MP3. */
export const mpegFrames: FrameFormat = { sync: 0xff, syncOffset: 0, frameAt: readMpegFrame, slackBytes: 1 };
/** AAC without a container. */
export const adtsFrames: FrameFormat = { sync: 0xff, syncOffset: 0, frameAt: readAdtsFrame, slackBytes: 0 };

/** A file that is read from its start to its end. */
export interface FrameSource {
  readonly sizeBytes: number;
  /** Returns the bytes from an offset, at least `length` of them except at the end of the file. */
  from(offset: number, length: number): Promise<Uint8Array>;
}

/** Returns a source for a file, or a part of one, that is in memory. */
export const sourceOf = (bytes: Uint8Array): FrameSource => ({
  sizeBytes: bytes.length,
  from: async (offset) => bytes.subarray(offset),
});

/** Consecutive frames of one kind, in bytes of the file. */
export interface FrameRun {
  readonly start: number;
  readonly end: number;
  /** How long its audio is. */
  readonly seconds: number;
  /** The last of its frames. */
  readonly last: Frame;
  /** How many of the bytes before it had audio that is lost. */
  readonly lostBytes: number;
}

/** The frames of a file. */
export interface FramesInFile {
  readonly runs: readonly FrameRun[];
  /** How many of the bytes after the last run had audio that is lost. */
  readonly lostBytes: number;
}

/** How many frames in a row are not a coincidence. */
const framesInRow = 3;
/** Enough for some frames in a row. */
const windowBytes = 32 * 1024;
/** Maximum runs: what follows is so damaged that it is not worth the time. */
const maxRuns = 100_000;
/** Maximum bytes before the first frame that are not part of the recording. The window's player skips as many. */
const maxStrayBytes = 64 * 1024;
/**
 * The beginnings of tags, which precede, separate or follow audio and may contain a cover: ID3 versions 1 and 2, APE,
 * Lyrics3.
 */
const tagName = /^(?:TAG|ID3|APETAGEX|LYRICSBEGIN)/;
const maxTagNameBytes = 11;

/**
 * Finds the runs of frames in a file that consists of frames.
 *
 * @param offset where the frames should start
 * @param isStart whether the recording starts there, so that stray bytes may precede its frames
 */
export async function findFrameRuns(
  source: FrameSource,
  offset: number,
  format: FrameFormat,
  isStart = true,
): Promise<FramesInFile> {
  const runs: FrameRun[] = [];
  let end = offset;
  let isTag = startsWithTag(await source.from(offset, maxTagNameBytes));
  for (let at = offset; at < source.sizeBytes;) {
    const bytes = await source.from(at, windowBytes);
    const found = findFrames(bytes, format);
    if (found === -1) {
      if (at + bytes.length === source.sizeBytes) break;
      at += bytes.length - windowBytes / 2;
      continue;
    }
    if (runs.length === maxRuns) break;
    const start = at + found;
    const isStray = isStart && runs.length === 0 && start - offset <= maxStrayBytes;
    const lostBytes = isTag || isStray ? 0 : start - end;
    const { isBeforeTag, ...run } = await readRun(source, start, format);
    runs.push({ ...run, lostBytes });
    at = end = run.end;
    isTag = isBeforeTag;
  }
  return { runs, lostBytes: isTag || runs.length === 0 ? 0 : source.sizeBytes - end };
}

/** Reads consecutive frames of one kind, from an offset at which a frame starts. */
async function readRun(
  source: FrameSource,
  start: number,
  { frameAt, slackBytes, onFrame }: FrameFormat,
): Promise<Omit<FrameRun, 'lostBytes'> & { readonly isBeforeTag: boolean }> {
  let end = start;
  let seconds = 0;
  let last: Frame | null = null;
  const frameOfKind = (bytes: Uint8Array, at: number): Frame | null => {
    const frame = frameAt(bytes, at);
    return frame?.kind === (last ?? frame)?.kind ? frame : null;
  };
  for (;;) {
    const from = Math.max(start, end - slackBytes);
    const bytes = await source.from(from, windowBytes);
    let at = end - from;
    for (;;) {
      let frame = frameOfKind(bytes, at);
      if (frame === null && at >= slackBytes && last !== null) {
        frame = frameOfKind(bytes, at - slackBytes);
        if (frame !== null) at -= slackBytes;
      }
      if (frame === null || at + frame.length > bytes.length) break;
      last = frame;
      onFrame?.(bytes, at, from + at);
      seconds += frame.seconds;
      at += frame.length;
    }
    if (from + at > end) {
      end = from + at;
      continue;
    }
    if (last === null) throw new RangeError(`no frame starts at ${start}`);
    return { start, end, seconds, last, isBeforeTag: startsWithTag(bytes.subarray(at)) };
  }
}

const startsWithTag = (bytes: Uint8Array): boolean =>
  tagName.test(String.fromCharCode(...bytes.subarray(0, maxTagNameBytes)));

/** Returns the offset of the first frame that others of its kind follow; -1 if there is none. */
function findFrames(bytes: Uint8Array, { sync, syncOffset, frameAt }: FrameFormat): number {
  for (let at = bytes.indexOf(sync, syncOffset); at !== -1; at = bytes.indexOf(sync, at + 1)) {
    const start = at - syncOffset;
    const first = frameAt(bytes, start);
    let next = start;
    let frames = 0;
    for (
      let frame = first;
      frame !== null && frame.kind === first?.kind && frames < framesInRow;
      frame = frameAt(bytes, next)
    ) {
      next += frame.length;
      frames++;
    }
    if (frames === framesInRow) return start;
  }
  return -1;
}

/** Lost audio of at most this many seconds is skipped instead of becoming a gap, so that the decoder is not interrupted. */
const minGapSeconds = 0.1;

/** Runs that are heard one after the other, and when they start in the recording, in seconds. */
export interface TimedRuns {
  readonly runs: readonly FrameRun[];
  readonly startSeconds: number;
}

/** When the frames of a file are heard. */
export interface TimedFrames {
  readonly parts: readonly TimedRuns[];
  readonly endSeconds: number;
  /** The duration of the lost audio after the end. */
  readonly lostSeconds: number;
}

/**
 * Returns when runs of frames are heard, which have no times: lost bytes are assumed to last as long as the same number of
 * bytes in the runs on both sides. That is exact at a constant bit rate. At a variable one, it is closer than the average
 * of the whole file, which may consist of recordings with different rates. The last frame before a gap is usually damaged
 * as well, and left out.
 */
export function timeFrames({ runs, lostBytes }: FramesInFile): TimedFrames {
  const parts: { readonly runs: FrameRun[]; readonly startSeconds: number }[] = [];
  let endSeconds = 0;
  /** The duration of the lost audio that was skipped since the last gap. */
  let lostSeconds = 0;
  for (const [index, run] of runs.entries()) {
    const previous = runs[index - 1];
    lostSeconds += run.lostBytes / bytesPerSecond(previous, run);
    const isGap = lostSeconds > minGapSeconds;
    const part = parts.at(-1);
    if (part !== undefined && !isGap && previous?.last.kind === run.last.kind) part.runs.push(run);
    else {
      if (isGap) {
        if (run.lostBytes > 0) dropLastFrame(part?.runs);
        endSeconds += lostSeconds;
        lostSeconds = 0;
      }
      parts.push({ runs: [run], startSeconds: endSeconds });
    }
    endSeconds += run.seconds;
  }
  const lostAtEnd = lostBytes / bytesPerSecond(runs.at(-1));
  const droppedSeconds = lostAtEnd > minGapSeconds ? dropLastFrame(parts.at(-1)?.runs) : 0;
  return { parts, endSeconds: endSeconds - droppedSeconds, lostSeconds: lostAtEnd + droppedSeconds };
}

/** Removes the last frame of the last run, and returns how long it is. */
function dropLastFrame(runs: FrameRun[] | undefined): number {
  const run = runs?.pop();
  if (run === undefined) return 0;
  const { end, seconds, last } = run;
  runs?.push({ ...run, end: end - last.length, seconds: seconds - last.seconds });
  return last.seconds;
}

/** Returns how many bytes a second of runs has; for none, infinitely many. */
function bytesPerSecond(...runs: readonly (FrameRun | undefined)[]): number {
  let bytes = 0;
  let seconds = 0;
  for (const run of runs) {
    bytes += run === undefined ? 0 : run.end - run.start;
    seconds += run?.seconds ?? 0;
  }
  return seconds > 0 ? bytes / seconds : Infinity;
}
