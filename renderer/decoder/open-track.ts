import {
  CustomSource,
  Input,
  MPEG_TS,
  type InputAudioTrack,
  type InputFormat,
  type InputVideoTrack,
} from 'mediabunny';
import type { DecodeFailure } from '../../electron/contract/decoder-protocol.ts';
import { readableFormats } from '../../electron/core/media/readable-formats.ts';
import type { FilePart } from './file-part.ts';
import type { ReadBytes } from './read-bytes.ts';
import { readableParts } from './readable-parts.ts';

/** Bytes of the file to cache when it is read from start to end, and when any slice of it is. */
const cacheBytes = { sequential: 16 * 1024 * 1024, random: 1024 * 1024 };

/** The file has no audio that can be decoded; `message` gives the reason for the user. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
  readonly reason: DecodeFailure;

  constructor(reason: DecodeFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A part of a recording, which must be closed. */
export interface OpenPart {
  readonly track: InputAudioTrack;
  close(): void;
}

/** A part of a recording that follows an interruption. */
export interface LaterPart extends Pick<FilePart, 'times'> {
  /** @throws Error when its track cannot be found */
  open(): Promise<OpenPart>;
}

/** The audio track that is decoded, with facts about its file. */
export interface OpenTrack extends OpenPart {
  /** What the times of the track are relative to. */
  readonly times: FilePart['times'];
  /** What follows the track: a damaged file may consist of several parts, which are read one by one. */
  readonly laterParts: readonly LaterPart[];
  /** The duration of the audio that is lost at the end, as a fraction of the duration up to there; estimated. */
  readonly lostShare: number;
  readonly format: InputFormat;
  readonly video: InputVideoTrack | null;
  /** The time at which the recording starts, in seconds. Broadcasts start at any time, everything else at zero. */
  readonly originSeconds: number;
}

/**
 * Opens the primary audio track of a file.
 *
 * @param access `sequential` to read the whole recording from start to end; with `random` nothing is read ahead.
 * @throws RecordingError when the file has no audio that can be decoded.
 */
export async function openTrack(
  sizeBytes: number,
  read: ReadBytes,
  access: 'sequential' | 'random' = 'sequential',
): Promise<OpenTrack> {
  if (sizeBytes === 0) throw new RecordingError('broken', 'This file is empty.');
  const { parts, lostShare } = await readableParts(sizeBytes, read, access);
  const [
    part = { sizeBytes, read: await repairWaveHeader(sizeBytes, read), times: 'recording' } as const,
    ...laterParts
  ] = parts;
  const input = inputOf(part, access);
  try {
    if (!(await input.canRead())) {
      throw new RecordingError(
        'unknown-container',
        'This is not a kind of recording that Longhand can read on its own.',
      );
    }
    const { track, video } = await chooseTrack(input);
    const format = await input.getFormat();
    const originSeconds = format === MPEG_TS ? await input.getFirstTimestamp() : 0;
    return {
      track,
      laterParts: laterParts.map((later) => ({
        times: later.times,
        open: () => openPart(later, access),
      })),
      times: part.times,
      lostShare,
      format,
      video,
      originSeconds,
      close: () => input.dispose(),
    };
  } catch (error) {
    input.dispose();
    throw error;
  }
}

function inputOf({ sizeBytes, read }: FilePart, access: 'sequential' | 'random'): Input {
  const source = new CustomSource({
    getSize: () => sizeBytes,
    read,
    maxCacheSize: cacheBytes[access],
    prefetchProfile: access === 'sequential' ? 'network' : 'fileSystem',
    // A failed read-ahead is repeated when the bytes are needed, and fails then if the error persists.
    handleUnhandledError: () => undefined,
  });
  return new Input({ formats: readableFormats, source });
}

async function openPart(part: FilePart, access: 'sequential' | 'random'): Promise<OpenPart> {
  const input = inputOf(part, access);
  try {
    const { track } = await chooseTrack(input);
    return { track, close: () => input.dispose() };
  } catch (error) {
    input.dispose();
    throw error;
  }
}

async function chooseTrack(
  input: Input,
): Promise<{ readonly track: InputAudioTrack; readonly video: InputVideoTrack | null }> {
  let tracks: InputAudioTrack[];
  let video: InputVideoTrack | null;
  try {
    tracks = await input.getAudioTracks();
    [video = null] = await input.getVideoTracks();
  } catch (cause) {
    const encoding = unsupportedWaveEncoding(cause);
    if (encoding !== null) throw unsupportedCodec(encoding, cause);
    throw new RecordingError('broken', 'This recording is damaged: its contents cannot be found.', { cause });
  }
  const [anyTrack] = tracks;
  if (anyTrack === undefined) {
    throw video !== null
      ? new RecordingError('no-audio', 'This recording has no sound.')
      : new RecordingError('broken', 'This recording is damaged: its contents cannot be found.');
  }
  // Another track is not a substitute, even if it can be decoded: it may be a commentary, or silence.
  const track = (await input.getPrimaryAudioTrack()) ?? anyTrack;
  if (!(await track.canDecode())) throw unsupportedCodec(await codecName(track));
  return { track, video };
}

const unsupportedCodec = (codec: string, cause?: unknown): RecordingError =>
  new RecordingError(
    'unsupported-codec',
    `This recording uses ${codec} sound, which Longhand cannot read on its own.`,
    { cause },
  );

/** The common names of WAV encodings that are not supported, by format tag (RFC 2361). */
const waveEncodings: Readonly<Record<number, string>> = {
  0x02: 'ADPCM',
  0x11: 'ADPCM',
  0x20: 'ADPCM',
  0x31: 'GSM',
  0x45: 'G.726',
  0x50: 'MP2',
  0x55: 'MP3',
  0x64: 'G.726',
  0x65: 'G.722',
  0x160: 'WMA',
  0x161: 'WMA',
  0x2000: 'AC-3',
};

/** Returns the name of the encoding of a WAV file that the reader does not support; `null` for any other error. */
function unsupportedWaveEncoding(error: unknown): string | null {
  if (!(error instanceof Error) || !error.message.startsWith('Unsupported WAVE')) return null;
  const [, tag] = /format tag (\d+)/.exec(error.message) ?? [];
  return waveEncodings[Number(tag)] ?? 'an unknown kind of';
}

/** Returns the common name of a track's codec. */
export async function codecName(track: InputAudioTrack): Promise<string> {
  const codec = (await track.getCodec()) ?? (await track.getInternalCodecId());
  if (typeof codec !== 'string') return 'an unknown kind of';
  const name = codec.replace(/^A_/, '').trim().toUpperCase();
  return name === 'SAMR' || name === 'SAWB' ? 'AMR' : name;
}

/** Maximum bytes before the audio of a WAV file. */
const maxHeaderBytes = 64 * 1024;
/**
 * The byte of a size field that means "to the end of the file", as written by programs that do not know the size yet.
 */
const unknownSizeByte = 0xff;

/**
 * Repairs a WAV file whose size fields were never written, for example because a battery ran out: where they are zero
 * although audio follows, they are read as "to the end of the file". Any other file is read unchanged.
 */
async function repairWaveHeader(sizeBytes: number, read: ReadBytes): Promise<ReadBytes> {
  const head = await read(0, Math.min(sizeBytes, maxHeaderBytes));
  const sizeFields = unwrittenSizeFields(head, sizeBytes);
  if (sizeFields.length === 0) return read;
  return async (start, end) => {
    const bytes = (await read(start, end)).slice();
    for (const offset of sizeFields) {
      const from = Math.max(0, offset - start);
      const to = Math.max(0, offset + 4 - start);
      bytes.fill(unknownSizeByte, from, to);
    }
    return bytes;
  };
}

/** Returns the offsets of the size fields to replace, of the file and of its audio; empty when they are valid. */
function unwrittenSizeFields(head: Uint8Array, sizeBytes: number): readonly number[] {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const nameAt = (offset: number): string => String.fromCharCode(...head.subarray(offset, offset + 4));
  if (nameAt(0) !== 'RIFF' || nameAt(8) !== 'WAVE') return [];
  for (let at = 12; at + 8 <= head.length;) {
    const length = view.getUint32(at + 4, true);
    if (nameAt(at) === 'data') return length === 0 && at + 8 < sizeBytes ? [4, at + 4] : [];
    at += 8 + length + (length % 2);
  }
  return [];
}
