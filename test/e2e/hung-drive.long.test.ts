import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { exitCode } from '../../electron/cli/exit-code.ts';
import { runCommand } from '../support/built-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startProgram } from '../support/built-program.ts';

it.skipIf(process.platform === 'win32')(
  'the program quits although a drive hangs, and has lost nothing at the next start',
  async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const data = join(folder.path, 'data');
    const pipe = join(folder.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const program = await startProgram(data);
    onTestFinished(() => program.close());
    await program.page.getByRole('button', { name: 'Start' }).click();
    await program.page.getByRole('heading', { name: 'Drop recordings here' }).waitFor();

    // Like a read from such a drive: it never returns.
    await program.app.evaluate((_electron, path) => {
      void process.getBuiltinModule('node:fs').promises.open(path, 'r');
    }, pipe);
    const ended = once(program.app.process(), 'exit');
    await program.app.evaluate(({ app }) => app.quit()).catch(() => undefined);
    await ended;

    const restarted = await startProgram(data);
    onTestFinished(() => restarted.close());
    await restarted.page.getByRole('heading', { name: 'Drop recordings here' }).waitFor();
    expect(restarted.app.process().exitCode).toBeNull();
  },
);

it.skipIf(process.platform === 'win32')(
  'a command exits with its exit code although a drive hangs',
  async () => {
    const { path: folder, remove } = await temporaryFolder();
    onTestFinished(remove);
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const preload = join(folder, 'preload.cjs');
    // In a worker thread as well, where recordings are read.
    const read = `require('node:fs').open(${JSON.stringify(pipe)}, 'r', () => {})`;
    await writeFile(
      preload,
      `${read}; new (require('node:worker_threads').Worker)(${JSON.stringify(read)}, { eval: true }).unref();`,
    );
    const { code, output } = await runCommand(['status'], {
      dataFolder: join(folder, 'data'),
      folder,
      environment: { NODE_OPTIONS: `--require=${preload}` },
    });
    expect(code).toBe(exitCode.done);
    expect(output).toContain('Service: On this computer');
  },
);
