import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/** Returns a stream of the process as an output. A failed write is an uncaught exception, because nobody waits for it. */
export function terminalOutput(stream: NodeJS.WriteStream) {
  let failure: Error | null = null;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that stopped reading (`| head`) and a closed terminal are not errors.
    const isReaderGone = error.code === 'EPIPE' || (error.code === 'EIO' && stream.isTTY);
    if (isReaderGone) return;
    failure = error;
    throw error;
  });
  return {
    get isTerminal(): boolean {
      return stream.isTTY === true;
    },
    get columns(): number {
      return stream.columns ?? 80;
    },
    write(content: string): void {
      stream.write(content);
    },
    clearLine(): void {
      stream.write('\r\u001b[K');
    },
    /**
     * Resolves when everything written is flushed, or its reader is gone: an exit would truncate it.
     *
     * @throws the error of a write that failed
     */
    async flush(): Promise<void> {
      if (!stream.destroyed) await new Promise<void>((resolve) => stream.write('', () => resolve()));
      // A stream emits the error of a write after its callback.
      await setImmediate();
      if (failure !== null) throw failure;
    },
  };
}

/** Standard input: typed by the user, or piped in by a script. */
export const terminalInput = {
  get isTerminal(): boolean {
    return process.stdin.isTTY === true;
  },

  readAll: (): Promise<string> => text(process.stdin),

  /**
   * Reads one line without echo.
   *
   * @throws the signal's reason when the user cancels, the system's error when the terminal was closed.
   */
  readHidden: (signal: AbortSignal): Promise<string> => {
    const silentOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({ input: process.stdin, output: silentOutput, terminal: true });
    return new Promise((resolve, reject) => {
      lines.once('SIGINT', () => reject(new Error('stopped by the user')));
      lines.once('error', reject);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      lines.question('', resolve);
    }).finally(() => lines.close()) as Promise<string>;
  },
};
