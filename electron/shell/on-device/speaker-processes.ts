import { utilityProcess } from 'electron';
import { ProblemError } from '../../contract/problem.ts';
import type { IdentifiedTurn } from '../../contract/transcript.ts';
import type { FindTurns, TurnRequest } from '../../core/library/speaker-identification.ts';
import type { Logger } from '../../core/ports.ts';
import type { SpeakerModelSource } from '../../on-device/speakers/speaker-models.ts';
import type { FromSpeakerProcess, ToSpeakerProcess } from '../../on-device/speakers/speaker-protocol.ts';
import { CancelledError } from '../../workers/protocol.ts';
import type { DecoderPage } from '../pages/decoder-page.ts';
import { connectDecoder, forwardLog, UtilityChannel } from './utility-channel.ts';

export interface SpeakerProcessesOptions {
  /** Path of the built process. */
  readonly entry: string;
  readonly decoder: DecoderPage;
  readonly logger: Logger;
}

/** Identifies the speakers of recordings, one at a time, each in a process of its own: it can be killed at any time. */
export class SpeakerProcesses {
  readonly #options: SpeakerProcessesOptions;
  readonly #closed = new AbortController();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: SpeakerProcessesOptions) {
    this.#options = options;
  }

  /** Returns the function that finds the turns of recordings with these models. */
  with(models: SpeakerModelSource): FindTurns {
    return (request) => {
      const result = this.#last.then(() => this.#run(models, request));
      this.#last = result.catch(() => undefined);
      return result;
    };
  }

  /** Kills the process in progress; its request rejects. */
  close(): void {
    this.#closed.abort();
  }

  async #run(
    models: SpeakerModelSource,
    { recording, speakerCount, signal, onProgress }: TurnRequest,
  ): Promise<readonly IdentifiedTurn[]> {
    const stop = AbortSignal.any([signal, this.#closed.signal]);
    if (stop.aborted) throw new CancelledError();
    const { entry, decoder, logger } = this.#options;
    const child = utilityProcess.fork(entry, [], { serviceName: 'Longhand speakers', stdio: 'pipe' });
    const channel = new UtilityChannel<ToSpeakerProcess>(child);
    const { promise, resolve, reject } = Promise.withResolvers<readonly IdentifiedTurn[]>();
    const cancel = (): void => reject(new CancelledError());
    stop.addEventListener('abort', cancel, { once: true });
    child.stdout?.resume();
    if (child.stderr !== null) void forwardLog('identifying speakers', child.stderr, logger);
    child.on('message', (message: FromSpeakerProcess) => {
      switch (message.kind) {
        case 'progress':
          onProgress(message.secondsDone);
          return;
        case 'done':
          resolve(message.turns);
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
      const detail = `the process ended with code ${code}`;
      reject(new ProblemError({ code: 'speakers_not_identified', detail }));
    });
    channel.send({ kind: 'identify', recording, models, speakerCount });
    try {
      return await promise;
    } finally {
      stop.removeEventListener('abort', cancel);
      // A started process has a number; one that is starting is killed as soon as it has.
      if (child.pid === undefined) child.once('spawn', () => channel.kill());
      else channel.kill();
    }
  }
}
