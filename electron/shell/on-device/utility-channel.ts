import { createInterface } from 'node:readline';
import type { MessagePortMain, UtilityProcess } from 'electron';
import { z } from 'zod';
import type { Logger } from '../../core/ports.ts';
import type { DecoderPage } from '../pages/decoder-page.ts';

/** The responses of the main process to a request for a port to the decoder page. */
type DecoderResponse =
  | { readonly kind: 'decoder'; readonly request: number }
  | { readonly kind: 'decoder-unavailable'; readonly request: number; readonly message: string };

/**
 * The channel to a utility process while it exists: until Electron has noticed its exit, a message to a killed process
 * crashes this one (electron#53293).
 */
export class UtilityChannel<Message> {
  readonly #child: UtilityProcess;
  #isOpen = true;

  constructor(child: UtilityProcess) {
    this.#child = child;
  }

  send(message: Message, port?: MessagePortMain): void {
    if (this.#isOpen) this.#child.postMessage(message, port === undefined ? [] : [port]);
    else port?.close();
  }

  close(): void {
    this.#isOpen = false;
  }

  kill(): void {
    this.close();
    try {
      if (this.#child.pid !== undefined) process.kill(this.#child.pid, 'SIGKILL');
    } catch {
      // It has exited meanwhile.
    }
  }
}

/** Sends a process a new port to the decoder page, or why there is none. */
export async function connectDecoder(
  channel: UtilityChannel<DecoderResponse>,
  decoder: DecoderPage,
  request: number,
): Promise<void> {
  try {
    channel.send({ kind: 'decoder', request }, await decoder.connect());
  } catch (error) {
    channel.send({ kind: 'decoder-unavailable', request, message: String(error) });
  }
}

const logLineSchema = z.looseObject({ level: z.enum(['info', 'warn', 'error']), message: z.string() });

/** Forwards a process's log: one line of JSON per message. Any other line is logged as a warning. */
export async function forwardLog(name: string, lines: NodeJS.ReadableStream, logger: Logger): Promise<void> {
  for await (const line of createInterface({ input: lines })) {
    const parsed = logLineSchema.safeParse(parseJson(line));
    if (!parsed.success) logger.warn(name, { line });
    else {
      const { level, message, ...details } = parsed.data;
      logger[level](`${name}: ${message}`, details);
    }
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
