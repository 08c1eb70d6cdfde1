import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';

/** A stream of the process that text is written to. */
export function terminalOutput(stream: NodeJS.WriteStream) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // That nobody reads any more is no error: a reader that has seen enough (`| head`), a terminal that was closed.
    const isUnread = error.code === 'EPIPE' || (error.code === 'EIO' && stream.isTTY);
    if (!isUnread) throw error;
  });
  return {
    get isTerminal(): boolean {
      return stream.isTTY === true;
    },
    get columns(): number {
      return stream.columns ?? 80;
    },
    write(words: string): void {
      stream.write(words);
    },
  };
}

/** What the user types, or what a script pipes in. */
export const terminalInput = {
  get isTerminal(): boolean {
    return process.stdin.isTTY === true;
  },

  readAll: (): Promise<string> => text(process.stdin),

  /**
   * One line, with nothing of it shown.
   *
   * @throws the signal's reason when the user gives up, the system's when the terminal was closed.
   */
  readHidden: (signal: AbortSignal): Promise<string> => {
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
    return new Promise((resolve, reject) => {
      lines.once('SIGINT', () => reject(new Error('stopped by the user')));
      lines.once('error', reject);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      lines.question('', resolve);
    }).finally(() => lines.close()) as Promise<string>;
  },
};

/** Resolves when all that was written has left, or nobody reads it any more: an exit would cut off the rest. */
export function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write('', () => resolve());
  });
}
