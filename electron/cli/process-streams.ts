import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { TextInput, TextOutput } from './system.ts';

const usualColumns = 80;

/** One of this process's outputs. A reader that leaves early (`| head`) is no error. */
export function processOutput(stream: NodeJS.WriteStream): TextOutput {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return {
    isTerminal: stream.isTTY,
    get columns() {
      return stream.columns ?? usualColumns;
    },
    write: (written) => void stream.write(written),
  };
}

/** This process's input. */
export function processInput(stream: NodeJS.ReadStream): TextInput {
  return {
    isTerminal: stream.isTTY,
    readAll: () => text(stream),
    readHidden: async (signal) => {
      const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
      const lines = createInterface({ input: stream, output: nowhere, terminal: true });
      try {
        return await lines.question('', { signal });
      } finally {
        lines.close();
      }
    },
  };
}
