import { DecodeError, type DecodedRecording, type Decoder } from './decoder.ts';
import { FfmpegDecoder, NoFfmpegError } from './ffmpeg-decoder.ts';
import { PageDecoder, type PageWatchdog } from './page-decoder.ts';
import type { PagePort } from './page-port.ts';

export interface DecoderOptions {
  /** Makes a new port to the off-screen decoder page. */
  readonly connectPage: () => Promise<PagePort>;
  /** Looks after the page; nobody does when absent. */
  readonly watch?: PageWatchdog;
  /** The user's ffmpeg: a path, or a name to look for on the PATH. */
  readonly ffmpeg?: string;
}

/**
 * Opens recordings of any kind: with the browser's decoders first, since they are always there, and what those do not
 * know with ffmpeg where the user has one.
 */
export function createDecoder({ connectPage, watch, ffmpeg = 'ffmpeg' }: DecoderOptions): Decoder {
  const page = new PageDecoder(connectPage, watch);
  const program = new FfmpegDecoder(ffmpeg);

  return {
    async open(path: string, signal: AbortSignal): Promise<DecodedRecording> {
      try {
        return await page.open(path, signal);
      } catch (error) {
        if (!(error instanceof DecodeError) || error.reason === 'no-audio') throw error;
        try {
          return await program.open(path, signal);
        } catch (programError) {
          throw inWords(error, programError);
        }
      }
    },
  };
}

/** What to tell the user when the page could not read the recording and ffmpeg could not either. */
function inWords(error: DecodeError, programError: unknown): unknown {
  if (error.reason === 'broken') return error;
  if (programError instanceof NoFfmpegError) {
    return new DecodeError(error.reason, `${error.message} Install ffmpeg and try again.`, { cause: error });
  }
  const unreadable = programError instanceof DecodeError && programError.reason === 'broken';
  if (error.reason === 'unknown-container' && unreadable) {
    return new DecodeError(error.reason, 'This file is not a recording that can be read.', {
      cause: programError,
    });
  }
  return programError;
}
