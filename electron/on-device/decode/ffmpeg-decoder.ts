import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { speechSampleRate } from '../../contract/decoder-protocol.ts';
import type { Clock } from '../../core/ports.ts';
import { isComputerFault } from '../../contract/errors.ts';
import { DecodeError, DecoderUnavailableError, type DecodedRecording, type Decoder } from './decoder.ts';
import { SilenceWatch } from './silence-watch.ts';

/**
 * The formats that may be opened. Playlists and scripts are excluded: they lead to other files and to the network.
 */
const containers =
  'aac,ac3,aiff,amr,ape,asf,au,avi,caf,dts,dtshd,eac3,flac,flv,matroska,mov,mp3,mpc,mpc8,mpeg,mpegts,ogg,rm,truehd,tta,' +
  'voc,w64,wav,wv,xwma';

/** How many characters of ffmpeg's messages (stderr) are kept. */
const maxMessagesLength = 20_000;

/** What ffmpeg needs of the environment: where programs, libraries and temporary files are. The rest may be secret. */
const inheritedVariables = [
  'PATH',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'HOME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
] as const;

/**
 * Starts the program after it has started a process that kills their group once the pipe 3 ends: this process ends it,
 * even if it is killed, while an ffmpeg that hangs would live on. Neither is a match by ID that might hit another process.
 */
const guardedStart = '(read _; kill -9 0) <&3 >/dev/null 2>&1 & exec "$@" 3<&-';

/** The exit codes of the shell if there is no such program. */
const notFoundCodes: ReadonlySet<number | null> = new Set([126, 127]);

/** There is no ffmpeg at the given path. */
export class NoFfmpegError extends Error {
  override readonly name = 'NoFfmpegError';
}

/** Decodes with the user's ffmpeg, which supports formats that browsers do not. */
export class FfmpegDecoder implements Decoder {
  readonly #command: string;
  readonly #clock: Clock;

  /**
   * @param command the program's name, looked for on the PATH, or its path
   * @param clock detects an ffmpeg that is stuck
   */
  constructor(command: string, clock: Clock) {
    this.#command = command;
    this.#clock = clock;
  }

  /**
   * @throws NoFfmpegError when there is no ffmpeg
   * @throws DecoderUnavailableError when it cannot be started now
   * @throws DecodeError when it cannot read the recording
   */
  async open(path: string, signal: AbortSignal): Promise<DecodedRecording> {
    signal.throwIfAborted();
    const run = new FfmpegRun(this.#command, path, this.#clock);
    const stop = (): void => run.stop();
    signal.addEventListener('abort', stop);
    const close = async (): Promise<void> => {
      signal.removeEventListener('abort', stop);
      await run.end();
    };
    try {
      const chunks = run.chunks();
      const first = await chunks.next();
      signal.throwIfAborted();
      if (first.done === true) throw await run.noAudioError();
      return {
        // ffmpeg only reports what the header claims, which is no basis for a charge.
        durationSeconds: null,
        hasVideo: run.hasVideo,
        samples: () => startingWith(first.value, chunks),
        damage: () => null,
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  }
}

/** One run of the program over one recording. */
class FfmpegRun {
  readonly #process: ChildProcess;
  /** The signal that ended it; `null` when it exited normally. */
  readonly #exited: Promise<NodeJS.Signals | null>;
  /** A recording can make ffmpeg loop without an end. */
  readonly #watch: SilenceWatch;
  #stopped = false;
  #isKilled = false;
  /** Whether it and its output have ended. */
  #isOver = false;
  #startError: Error | null = null;
  #exitCode: number | null = null;
  #messages = '';

  constructor(command: string, path: string, clock: Clock) {
    this.#watch = new SilenceWatch(clock, () => this.#kill());
    const isWindows = process.platform === 'win32';
    const ffmpeg = [command, ...argumentsFor(path)] as const;
    // Windows ends the children of a process with it.
    const [program, ...programArguments] = isWindows
      ? ffmpeg
      : (['/bin/sh', '-c', guardedStart, 'sh', ...ffmpeg] as const);
    this.#process = spawn(program, programArguments, {
      stdio: isWindows ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // In a process group of its own, which is killed as a whole.
      detached: !isWindows,
      env: Object.fromEntries(inheritedVariables.map((name) => [name, process.env[name]])),
    });
    this.#process.on('error', (error) => {
      this.#startError = error;
    });
    this.#exited = new Promise<NodeJS.Signals | null>((resolve) => {
      this.#process.once('close', (code, signal) => {
        this.#exitCode = code;
        resolve(signal);
      });
      this.#process.once('error', () => resolve(null));
    }).finally(() => (this.#isOver = true));
    // Nothing else writes to the output: the process that kills the group is not needed any more.
    this.#process.stdout?.once('close', () => this.#process.stdio[3]?.destroy());
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#messages = (this.#messages + text).slice(0, maxMessagesLength);
    });
  }

  /** Known once there are samples. */
  get hasVideo(): boolean {
    return this.#messages.split('\n').some((line) => {
      const stream = line.indexOf('Stream #');
      return stream !== -1 && line.includes(': Video:', stream) && !line.includes('(attached pic)', stream);
    });
  }

  async *chunks(): AsyncGenerator<Float32Array> {
    // Without free file handles it has none, whatever its type says.
    const stdout: Readable | null | undefined = this.#process.stdout;
    if (!stdout) return;
    let remainder: Uint8Array = new Uint8Array(0);
    this.#watch.start();
    for await (const data of this.#output(stdout)) {
      if (!(data instanceof Uint8Array)) continue;
      const bytes = new Uint8Array(remainder.length + data.length);
      bytes.set(remainder);
      bytes.set(data, remainder.length);
      const sampleCount = Math.floor(bytes.length / Float32Array.BYTES_PER_ELEMENT);
      remainder = bytes.slice(sampleCount * Float32Array.BYTES_PER_ELEMENT);
      // Nothing is expected while the caller uses these.
      this.#watch.stop();
      if (sampleCount > 0) yield new Float32Array(bytes.buffer, 0, sampleCount);
      this.#watch.start();
    }
    // A recording that was decoded only in part must not count as complete.
    const signal = await this.#exited;
    this.#watch.stop();
    if ((signal !== null || this.#isKilled) && !this.#stopped)
      throw new DecodeError(
        'broken',
        'This recording could not be decoded to its end: ffmpeg crashed or hung.',
      );
  }

  /** Yields what it writes, up to its end or until it is killed. */
  async *#output(stdout: Readable): AsyncGenerator<unknown> {
    try {
      yield* stdout;
    } catch (error) {
      if (!this.#isKilled) throw error;
    }
  }

  /** Returns the error for a run that yielded no audio. */
  async noAudioError(): Promise<Error> {
    await this.#exited;
    if (isComputerFault(this.#startError))
      return new DecoderUnavailableError('ffmpeg cannot be started now.', { cause: this.#startError });
    if (this.#startError !== null || notFoundCodes.has(this.#exitCode)) {
      return new NoFfmpegError('There is no ffmpeg.', { cause: this.#startError });
    }
    if (/does not contain any stream/.test(this.#messages)) {
      return new DecodeError('no-audio', 'This recording has no sound.');
    }
    return new DecodeError('broken', 'This recording is damaged: its sound cannot be decoded.', {
      cause: new Error(this.#messages.trim()),
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#kill();
  }

  /**
   * Kills it and its children, and stops waiting for its output: if it is a script or a shim, the real ffmpeg is a child,
   * which may have left the group and would keep the pipes open.
   */
  #kill(): void {
    const { pid, stdout, stderr } = this.#process;
    // Its ID may be that of another process now. One that did not start for lack of file handles has the ID 0 for Node:
    // the signal would go to all processes of our own group.
    if (this.#isOver || pid === undefined) return;
    this.#isKilled = true;
    // Old builds ignore gentler signals while their output is not read.
    if (process.platform === 'win32') this.#process.kill('SIGKILL');
    else killGroup(pid);
    stdout?.destroy();
    stderr?.destroy();
  }

  async end(): Promise<void> {
    this.#watch.stop();
    this.stop();
    await this.#exited;
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}

function argumentsFor(path: string): readonly string[] {
  const input = `-protocol_whitelist file -format_whitelist ${containers}`;
  // Of several tracks ffmpeg takes the one that the file marks as the default.
  const track = '-vn -sn -dn';
  // Gaps become silence, so that times stay correct.
  const samples = `-af aresample=async=1:first_pts=0 -ac 1 -ar ${speechSampleRate} -f f32le`;
  return [
    ...`-nostdin -hide_banner -nostats ${input}`.split(' '),
    '-i',
    `file:${path}`,
    ...`${track} ${samples} pipe:1`.split(' '),
  ];
}

async function* startingWith<T>(first: T, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}
