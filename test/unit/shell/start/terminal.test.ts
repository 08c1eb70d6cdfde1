import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { terminalInput, terminalOutput } from '../../../../electron/shell/start/terminal.ts';

const failure = (code: string): Error => Object.assign(new Error(code), { code });

/** Output that fails with a system error. */
function breaking(code: string, isTTY: boolean): () => void {
  const stream = Object.assign(new PassThrough(), { isTTY });
  terminalOutput(stream as unknown as NodeJS.WriteStream);
  return () => void stream.emit('error', failure(code));
}

describe('output', () => {
  it('may lose its reader', () => {
    expect(breaking('EPIPE', false)).not.toThrow();
    expect(breaking('EIO', true)).not.toThrow();
  });

  it('reports other errors', () => {
    expect(breaking('ENOSPC', false)).toThrow('ENOSPC');
    expect(breaking('EIO', false)).toThrow('EIO');
  });
});

it('says after its last write that a write failed, so that nothing exits before that is reported', async () => {
  const stream = new PassThrough();
  const output = terminalOutput(stream as unknown as NodeJS.WriteStream);
  await output.flush();
  expect(() => stream.emit('error', failure('ENOSPC'))).toThrow('ENOSPC');
  await expect(output.flush()).rejects.toThrow('ENOSPC');
});

describe('input', () => {
  it('ends with the terminal', async () => {
    const stdin = new PassThrough();
    const own = Object.getOwnPropertyDescriptor(process, 'stdin');
    onTestFinished(() => void Object.defineProperty(process, 'stdin', own!));
    Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
    const line = terminalInput.readHidden(new AbortController().signal);
    stdin.destroy(failure('EIO'));
    await expect(line).rejects.toThrow('EIO');
  });
});
