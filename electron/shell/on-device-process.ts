import { randomBytes } from 'node:crypto';
import { utilityProcess, type UtilityProcess } from 'electron';
import type { Problem } from '../contract/problem.ts';
import type { Clock, Logger } from '../core/ports.ts';
import type { FromService, ServiceOptions, ToService } from '../on-device/protocol.ts';
import type { DecoderPage } from './decoder-page.ts';

const firstRestMs = 1_000;
const longestRestMs = 60_000;
/** After so many ends in a row the user is told; it is still started again. */
const endsBeforeTelling = 3;

export interface OnDeviceProcessOptions {
  /** Path of the built service. */
  readonly entry: string;
  readonly service: Omit<ServiceOptions, 'key'> & { readonly key?: string };
  readonly decoder: DecoderPage;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onListening: (baseUrl: string, key: string) => void;
  /** The service is not there for now; with a problem when it keeps ending. */
  readonly onLeft: (problem: Problem | null) => void;
}

/** Keeps the on-device service's own process running: a crash there costs neither the window nor the queue. */
export class OnDeviceProcess {
  readonly #options: OnDeviceProcessOptions;
  #process: UtilityProcess | null = null;
  #ends = 0;
  #cancelRestart: (() => void) | null = null;
  #stopping = false;

  constructor(options: OnDeviceProcessOptions) {
    this.#options = options;
  }

  start(): void {
    const { entry, service, logger } = this.#options;
    // Nobody else on this computer can guess it, and it is a new one at each start.
    const key = service.key ?? randomBytes(32).toString('base64url');
    const child = utilityProcess.fork(entry, [], {
      serviceName: 'Longhand on-device service',
      stdio: 'pipe',
    });
    this.#process = child;
    let failure: string | null = null;
    child.stderr?.on('data', (text: Buffer) =>
      logger.warn('on-device service', { text: text.toString().trim() }),
    );
    child.stdout?.resume();
    child.on('message', (message: FromService) => {
      switch (message.kind) {
        case 'listening':
          this.#ends = 0;
          this.#options.onListening(message.baseUrl, key);
          return;
        case 'failed':
          failure = message.message;
          return;
        case 'decoder-wanted':
          void this.#connectDecoder(child, message.request);
      }
    });
    child.once('exit', (code) => this.#ended(failure ?? `it ended with code ${code}`));
    send(child, { kind: 'start', options: { ...service, key } });
  }

  /** Ends the service and waits for it. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#cancelRestart?.();
    const child = this.#process;
    if (child === null) return;
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
    });
    send(child, { kind: 'stop' });
    await ended;
  }

  async #connectDecoder(child: UtilityProcess, request: number): Promise<void> {
    try {
      const port = await this.#options.decoder.connect();
      child.postMessage({ kind: 'decoder', request } satisfies ToService, [port]);
    } catch (error) {
      send(child, { kind: 'decoder-unavailable', request, message: String(error) });
    }
  }

  #ended(reason: string): void {
    const { clock, logger, onLeft } = this.#options;
    this.#process = null;
    if (this.#stopping) return;
    this.#ends += 1;
    logger.error('the on-device service ended', { reason, ends: this.#ends });
    onLeft(this.#ends < endsBeforeTelling ? null : { code: 'engine_stopped', detail: reason });
    const restMs = Math.min(longestRestMs, firstRestMs * 2 ** (this.#ends - 1));
    this.#cancelRestart = clock.schedule(restMs, () => this.start());
  }
}

function send(child: UtilityProcess, message: ToService): void {
  child.postMessage(message);
}
