import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCode } from '../../../electron/cli/exit-code.ts';
import type { Longhand } from '../../../electron/core/longhand.ts';
import { startCommandLine, type CommandLine } from '../../support/command-line-here.ts';
import { add, openCore, rowsOf } from '../../support/core.ts';
import { silentWav } from '../../support/speech/quick-speech.ts';

/** Adds recordings to the queue in a window, which then does `work` and is closed before it has sent anything. */
async function queueInWindow(
  { folder, dataFolder }: CommandLine,
  names: readonly string[],
  work: (longhand: Longhand) => void,
): Promise<void> {
  for (const [index, name] of names.entries())
    await writeFile(join(folder, name), silentWav(1 + index / 100));
  const longhand = openCore(dataFolder, { program: 'window' });
  await add(
    longhand,
    names.map((name) => join(folder, name)),
  );
  work(longhand);
  await longhand.close();
}

const pauseFirst = (longhand: Longhand): void => longhand.queue.pause([rowsOf(longhand)[0]!.id]);

/** The states of the queue by name. */
async function statesOf({ dataFolder }: CommandLine): Promise<Readonly<Record<string, string>>> {
  const longhand = openCore(dataFolder);
  const states = rowsOf(longhand).map(({ name, state }) => [name, state.kind]);
  await longhand.close();
  return Object.fromEntries(states);
}

describe('a recording that was paused individually', () => {
  it('stays paused by resume, which says so, until its name is given', async () => {
    const line = await startCommandLine();
    await queueInWindow(line, ['secret.wav', 'open.wav'], pauseFirst);
    const all = await line.run(['resume']);
    expect(all.code).toBe(exitCode.done);
    expect(all.stderr).toContain('1 recording was paused and stays so');
    expect(all.stderr).toContain('longhand resume NAME');
    expect(await statesOf(line)).toEqual({ 'secret.wav': 'paused', 'open.wav': 'done' });
    const again = await line.run(['resume', '--json']);
    expect(again.json[0]).toEqual({ type: 'paused', count: 1 });

    const named = await line.run(['resume', 'secret', 'unknown']);
    expect(named.stderr).toContain('unknown: No recording with this name');
    expect(named.code).toBe(exitCode.someFailed);
    expect(await statesOf(line)).toEqual({ 'secret.wav': 'done', 'open.wav': 'done' });
  });

  it.each([
    ['transcribe', exitCode.someFailed],
    ['watch', exitCode.done],
  ])('stays paused by %s of its folder', async (command, code) => {
    const line = await startCommandLine();
    await queueInWindow(line, ['secret.wav', 'open.wav'], pauseFirst);
    const stop = new AbortController();
    const end = {
      isTerminal: false,
      columns: 80,
      write: (text: string) => void (command === 'watch' && /1 done/.test(text) && stop.abort()),
      clearLine: () => undefined,
    };
    const { code: exited } = await line.run([command, '.'], { stderr: end, interrupted: stop.signal });
    expect(exited).toBe(code);
    expect(await statesOf(line)).toEqual({ 'secret.wav': 'paused', 'open.wav': 'done' });
  });
});

it('a paused queue starts nothing before resume', async () => {
  const line = await startCommandLine();
  await queueInWindow(line, ['queued.wav', 'retried.wav'], ({ queue }) => {
    queue.setPaused(true);
    queue.cancel([2]);
  });
  await writeFile(join(line.folder, 'new.wav'), silentWav(3));
  for (const command of [
    ['transcribe', 'new.wav'],
    ['retry', '--all'],
    ['resume', 'new.wav'],
  ]) {
    const { code, stderr } = await line.run(command);
    expect(stderr).toContain('The queue is paused');
    expect(code).toBe(exitCode.needsUser);
  }
  expect(new Set(Object.values(await statesOf(line)))).toEqual(new Set(['waiting']));
  expect((await line.run(['resume'])).stderr).toContain('3 done.');
});
