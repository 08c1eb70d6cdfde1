import {
  ADTS,
  AudioSampleSink,
  CustomSource,
  FLAC,
  Input,
  MATROSKA,
  MP3,
  MP4,
  MPEG_TS,
  OGG,
  QTFF,
  WAVE,
  WEBM,
  type AudioSample,
  type InputAudioTrack,
} from 'mediabunny';
import type { DecodeFailure, RecordedSound } from '../../electron/contract/decoder.ts';
import { readingUnfinishedWave } from './unfinished-wave.ts';

/** The containers that are read. Playlists are not among them: they lead to other files. */
const containers = [MP4, QTFF, MATROSKA, WEBM, WAVE, OGG, FLAC, MP3, ADTS, MPEG_TS];

/** How much of the file to keep in memory. */
const cacheBytes = 16 * 1024 * 1024;
/** How much sound to give at once. */
const pieceSeconds = 1;
/** Samples further than this from where the ones before them end do not belong to the same piece. */
const joinSeconds = 0.05;
/** How far to go on in a recording where it cannot be decoded, and how often in a row to try. */
const skipSeconds = 1;
const mostSkips = 10;

/** Gives the bytes of the file from `start` to before `end`. */
export type ReadBytes = (start: number, end: number) => Promise<Uint8Array>;

/** The file gives no sound; `message` says why in words for a person. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
  readonly reason: DecodeFailure;

  constructor(reason: DecodeFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A recording of which the first sound could be decoded. */
export interface OpenRecording {
  readonly durationSeconds: number;
  readonly hasVideo: boolean;
  readonly codec: string;
  readonly pieces: AsyncGenerator<RecordedSound>;
  close(): void;
}

/** @throws RecordingError when the file gives no sound. */
export async function openRecording(sizeBytes: number, read: ReadBytes): Promise<OpenRecording> {
  if (sizeBytes === 0) throw new RecordingError('broken', 'This file is empty.');
  const source = new CustomSource({
    getSize: () => sizeBytes,
    read: await readingUnfinishedWave(sizeBytes, read),
    maxCacheSize: cacheBytes,
    prefetchProfile: 'network',
  });
  const input = new Input({ formats: containers, source });
  try {
    return await openInput(input);
  } catch (error) {
    input.dispose();
    throw error;
  }
}

async function openInput(input: Input): Promise<OpenRecording> {
  if (!(await input.canRead())) {
    throw new RecordingError(
      'unknown-container',
      'This is not a kind of recording that Longhand can read by itself.',
    );
  }
  const { track, hasVideo } = await chooseTrack(input);
  const origin = await originOf(input);
  const pieces = decodePieces(track, origin);
  const first = await firstOf(pieces);
  return {
    durationSeconds: Math.max(0, (await endOf(track)) - origin),
    hasVideo,
    codec: await codecName(track),
    pieces: startingWith(first, pieces),
    close: () => input.dispose(),
  };
}

async function chooseTrack(
  input: Input,
): Promise<{ readonly track: InputAudioTrack; readonly hasVideo: boolean }> {
  let tracks: InputAudioTrack[];
  let hasVideo: boolean;
  try {
    tracks = await input.getAudioTracks();
    hasVideo = (await input.getVideoTracks()).length > 0;
  } catch (cause) {
    const kind = unknownWaveKind(cause);
    if (kind !== null) throw unsupported(kind, cause);
    throw new RecordingError('broken', 'This recording is damaged: its contents cannot be found.', { cause });
  }
  const [anyTrack] = tracks;
  if (anyTrack === undefined) {
    throw hasVideo
      ? new RecordingError('no-audio', 'This recording has no sound.')
      : new RecordingError('broken', 'This recording is damaged: its contents cannot be found.');
  }
  // Another track that can be decoded is no substitute: it may be a commentary, or silence.
  const track = (await input.getPrimaryAudioTrack()) ?? anyTrack;
  if (!(await track.canDecode())) throw unsupported(await codecName(track));
  return { track, hasVideo };
}

const unsupported = (codec: string, cause?: unknown): RecordingError =>
  new RecordingError(
    'unsupported-codec',
    `This recording uses ${codec} sound, which Longhand cannot read by itself.`,
    { cause },
  );

/** Kinds of sound in WAV files that are not read, by their tags (RFC 2361), as people call them. */
const waveKinds: Readonly<Record<number, string>> = {
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

/** What a WAV file holds that its reader does not know, which is all that it says; `null` for any other trouble. */
function unknownWaveKind(error: unknown): string | null {
  if (!(error instanceof Error) || !error.message.startsWith('Unsupported WAVE')) return null;
  const [, tag] = /format tag (\d+)/.exec(error.message) ?? [];
  return waveKinds[Number(tag)] ?? 'an unknown kind of';
}

async function firstOf(pieces: AsyncGenerator<RecordedSound>): Promise<RecordedSound> {
  let first: IteratorResult<RecordedSound>;
  try {
    first = await pieces.next();
  } catch (cause) {
    throw new RecordingError('broken', 'This recording is damaged: its sound cannot be decoded.', { cause });
  }
  if (first.done === true) {
    throw new RecordingError('broken', 'This recording is damaged: there is no sound in what is left of it.');
  }
  return first.value;
}

async function* startingWith<T>(first: T, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

/** The time that the recording begins with: broadcasts begin at any, everything else at zero. */
async function originOf(input: Input): Promise<number> {
  return (await input.getFormat()) === MPEG_TS ? input.getFirstTimestamp() : 0;
}

/** The time that the sound ends with; 0 when it cannot be told. */
async function endOf(track: InputAudioTrack): Promise<number> {
  try {
    return await track.computeDuration();
  } catch {
    return (await track.getDurationFromMetadata()) ?? 0;
  }
}

/** The codec as people write it. */
async function codecName(track: InputAudioTrack): Promise<string> {
  const codec = (await track.getCodec()) ?? (await track.getInternalCodecId());
  if (typeof codec !== 'string') return 'an unknown kind of';
  const name = codec.replace(/^A_/, '').trim().toUpperCase();
  return name === 'SAMR' || name === 'SAWB' ? 'AMR' : name;
}

/** Decodes a track from its start, in pieces of about a second; their times count from `origin`. */
async function* decodePieces(track: InputAudioTrack, origin: number): AsyncGenerator<RecordedSound> {
  let joined: AudioSample[] = [];
  let joinedSeconds = 0;
  for await (const sample of decodeWhatCanBe(track)) {
    const [first] = joined;
    if (first !== undefined && (joinedSeconds >= pieceSeconds || !continues(first, joinedSeconds, sample))) {
      yield toPiece(joined, origin);
      joined = [];
      joinedSeconds = 0;
    }
    joined.push(sample);
    joinedSeconds += sample.duration;
  }
  if (joined.length > 0) yield toPiece(joined, origin);
}

/** The samples of a track. Places that cannot be decoded are left out, unless there is nothing before them. */
async function* decodeWhatCanBe(track: InputAudioTrack): AsyncGenerator<AudioSample> {
  const sink = new AudioSampleSink(track);
  let position: number | undefined;
  let skips = 0;
  for (;;) {
    try {
      for await (const sample of sink.samples(position)) {
        skips = 0;
        position = sample.timestamp + sample.duration;
        yield sample;
      }
      return;
    } catch (error) {
      if (position === undefined) throw error;
      if (track.input.disposed || skips === mostSkips) return;
      skips++;
      position += skipSeconds;
    }
  }
}

function continues(first: AudioSample, seconds: number, next: AudioSample): boolean {
  return (
    next.sampleRate === first.sampleRate &&
    next.numberOfChannels === first.numberOfChannels &&
    Math.abs(next.timestamp - (first.timestamp + seconds)) < joinSeconds
  );
}

/** Puts samples together and lets go of the decoder's memory. */
function toPiece(parts: readonly AudioSample[], origin: number): RecordedSound {
  const [first] = parts;
  const channels = first?.numberOfChannels ?? 1;
  const frames = parts.reduce((sum, part) => sum + part.numberOfFrames, 0);
  const samples = new Float32Array(frames * channels);
  let position = 0;
  for (const part of parts) {
    const length = part.numberOfFrames * channels;
    part.copyTo(samples.subarray(position, position + length), { format: 'f32', planeIndex: 0 });
    position += length;
    part.close();
  }
  return {
    startSeconds: (first?.timestamp ?? origin) - origin,
    sampleRate: first?.sampleRate ?? 0,
    channels,
    samples,
  };
}
