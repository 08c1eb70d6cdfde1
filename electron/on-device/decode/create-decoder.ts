import { documentedLimits } from '../service-options.ts';
import {
  DecodeError,
  DecoderUnavailableError,
  withinDuration,
  type DecodedRecording,
  type Decoder,
} from './decoder.ts';
import { FfmpegDecoder, NoFfmpegError } from './ffmpeg-decoder.ts';
import { BrowserDecoder, noWatchdog, type PageWatchdog } from './browser-decoder.ts';
import type { PagePort } from './page-port.ts';
import { withinRange } from './speech-samples.ts';

export interface DecoderOptions {
  /** Opens a new port to the off-screen decoder page. */
  readonly connectPage: () => Promise<PagePort>;
  /** Detects that the page or ffmpeg is stuck. Without it, they are waited for forever. */
  readonly watchdog?: PageWatchdog;
  /** The user's ffmpeg: a path, or a name on the PATH. */
  readonly ffmpeg?: string;
  /** Maximum seconds of sound of any recording, whatever duration it states. Tests use less. */
  readonly maxSeconds?: number;
}

/** Beyond the maximum duration of a recording: its stated duration may be slightly too short. */
const defaultMaxSeconds = documentedLimits.maxSeconds + 3600;

/**
 * Creates a decoder for recordings of any kind: first the browser's decoders, which are always there, then the user's
 * ffmpeg for what those do not support.
 */
export function createDecoder({
  connectPage,
  watchdog = noWatchdog,
  ffmpeg = 'ffmpeg',
  maxSeconds = defaultMaxSeconds,
}: DecoderOptions): Decoder {
  const page = new BrowserDecoder(connectPage, watchdog);
  const ffmpegDecoder = new FfmpegDecoder(ffmpeg, watchdog.clock);

  const open = async (path: string, signal: AbortSignal): Promise<DecodedRecording> => {
    try {
      return await page.open(path, signal);
    } catch (error) {
      if (!(error instanceof DecodeError) || error.reason === 'no-audio') throw error;
      try {
        return await ffmpegDecoder.open(path, signal);
      } catch (ffmpegError) {
        throw errorToReport(error, ffmpegError);
      }
    }
  };
  return {
    async open(path: string, signal: AbortSignal): Promise<DecodedRecording> {
      const recording = await open(path, signal);
      return {
        ...recording,
        samples: () => withinRange(withinDuration(recording.samples(), maxSeconds, endlessError)),
      };
    },
  };
}

const endlessError = (): DecodeError =>
  new DecodeError('broken', 'This recording is damaged: its sound does not end.');

/** Returns the error for a recording that neither the page nor ffmpeg could read. */
function errorToReport(error: DecodeError, ffmpegError: unknown): unknown {
  if (ffmpegError instanceof DecoderUnavailableError) return ffmpegError;
  if (error.reason === 'broken') return error;
  if (ffmpegError instanceof NoFfmpegError) {
    return new DecodeError(error.reason, `${error.message} Install ffmpeg and try again.`, { cause: error });
  }
  const isUnreadable = ffmpegError instanceof DecodeError && ffmpegError.reason === 'broken';
  if (error.reason === 'unknown-container' && isUnreadable) {
    return new DecodeError(error.reason, 'This file is not a recording that can be read.', {
      cause: ffmpegError,
    });
  }
  return ffmpegError;
}
