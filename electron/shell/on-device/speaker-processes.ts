import { utilityProcess } from 'electron';
import { ProblemError } from '../../contract/problem.ts';
import type { DescribeVoices } from '../../core/library/remembered-voices.ts';
import type { Diarize } from '../../core/library/speaker-identification.ts';
import type { Logger } from '../../core/ports.ts';
import type { SpeakerModelSource } from '../../on-device/speakers/speaker-models.ts';
import type { FromSpeakerProcess, ToSpeakerProcess } from '../../on-device/speakers/speaker-protocol.ts';
import { CancelledError } from '../../workers/protocol.ts';
import { DecoderPage } from '../pages/decoder-page.ts';
import type { AppPaths } from '../start/app-paths.ts';
import { connectDecoder, forwardLog, UtilityChannel } from './utility-channel.ts';

export interface SpeakerProcessesOptions {
  readonly appPaths: Pick<AppPaths, 'speakersEntry' | 'pages' | 'decoderPreload'>;
  readonly logger: Logger;
}

/** The last message of a process that has done its work. */
type LastMessage = Extract<FromSpeakerProcess, { readonly kind: 'done' | 'described' }>;

interface ProcessTask {
  readonly message: ToSpeakerProcess;
  readonly signal: AbortSignal;
  readonly onProgress?: (secondsDone: number) => void;
}

/**
 * Identifies speakers and describes voices: for each of the two, one recording at a time, in a process of its own that can
 * be killed at any time.
 */
export class SpeakerProcesses {
  readonly #options: SpeakerProcessesOptions;
  readonly #closed = new AbortController();
  #lastIdentification: Promise<unknown> = Promise.resolve();
  #lastDescription: Promise<unknown> = Promise.resolve();

  constructor(options: SpeakerProcessesOptions) {
    this.#options = options;
  }

  /** Returns the function that diarizes recordings with these models. */
  createDiarizer(models: SpeakerModelSource): Diarize {
    return ({ recording, speakerCount, signal, onProgress }) => {
      const message = { kind: 'identify', recording, models, speakerCount } as const;
      const result = this.#lastIdentification.then(() => this.#run({ message, signal, onProgress }));
      this.#lastIdentification = result.catch(() => undefined);
      return result.then((last) => (last.kind === 'done' ? last.turns : []));
    };
  }

  /**
   * Returns the function that describes voices with these models. Takes seconds and does not queue behind diarization.
   */
  createVoiceDescriber(models: SpeakerModelSource): DescribeVoices {
    return ({ recording, spans, signal }) => {
      const message = { kind: 'describe', recording, models, spans } as const;
      const result = this.#lastDescription.then(() => this.#run({ message, signal }));
      this.#lastDescription = result.catch(() => undefined);
      return result.then((last) =>
        last.kind === 'described' ? last.described : { model: '', voices: new Map() },
      );
    };
  }

  /** Kills the process in progress; its request rejects. */
  close(): void {
    this.#closed.abort();
  }

  async #run({ message: task, signal, onProgress }: ProcessTask): Promise<LastMessage> {
    const stop = AbortSignal.any([signal, this.#closed.signal]);
    if (stop.aborted) throw new CancelledError();
    const { appPaths, logger } = this.#options;
    // Its own page: a crash of the service's page would count against the recordings that the service has open.
    const decoder = new DecoderPage(appPaths);
    const child = utilityProcess.fork(appPaths.speakersEntry, [], {
      serviceName: 'Longhand speakers',
      stdio: 'pipe',
    });
    const channel = new UtilityChannel<ToSpeakerProcess>(child);
    const { promise, resolve, reject } = Promise.withResolvers<LastMessage>();
    const cancel = (): void => reject(new CancelledError());
    stop.addEventListener('abort', cancel, { once: true });
    child.stdout?.resume();
    if (child.stderr !== null) void forwardLog('identifying speakers', child.stderr, logger);
    child.on('message', (message: FromSpeakerProcess) => {
      switch (message.kind) {
        case 'progress':
          onProgress?.(message.secondsDone);
          return;
        case 'done':
        case 'described':
          resolve(message);
          return;
        case 'failed':
          reject(new ProblemError(message.problem));
          return;
        case 'decoder-stuck':
          logger.warn('the decoder page does not respond and is reopened');
          void decoder.kill();
          return;
        case 'decoder-wanted':
          void connectDecoder(channel, decoder, message.request);
      }
    });
    child.once('exit', (code) => {
      channel.close();
      // Not before: the process may request the page until then.
      decoder.close();
      const detail = `the process ended with code ${code}`;
      reject(new ProblemError({ code: 'speakers_not_identified', detail }));
    });
    channel.send(task);
    try {
      return await promise;
    } finally {
      stop.removeEventListener('abort', cancel);
      // A process that is still starting has no pid yet: kill it on `spawn`.
      if (child.pid === undefined) child.once('spawn', () => channel.kill());
      else channel.kill();
    }
  }
}
