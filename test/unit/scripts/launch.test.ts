import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mayOpenWindow } from '../../../scripts/launch.mjs';

const scripts = resolve(import.meta.dirname, '../../../scripts');

/** Starts Node as a shell without a display would. */
function startNode(args: readonly string[]): ChildProcess {
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env;
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Runs `program` the way the scripts run Electron. */
function startThroughScripts(program: string): ChildProcess {
  const launch = JSON.stringify(pathToFileURL(resolve(scripts, 'launch.mjs')).href);
  const driver = `
    import { runProcess } from ${launch};
    const { code, signal } = await runProcess(process.execPath, ['--eval', ${JSON.stringify(program)}], process.env);
    console.log(JSON.stringify([code, signal]));
  `;
  return startNode(['--input-type=module', '--eval', driver]);
}

describe('running a program to its end', () => {
  it('gives it the standard streams and tells its exit code', async () => {
    const child = startThroughScripts('console.log("words"); process.exitCode = 3');
    expect(await text(child.stdout!)).toBe('words\n[3,null]\n');
  });

  it.runIf(process.platform !== 'win32').each(['SIGINT', 'SIGTERM'] as const)(
    'passes %s on, and waits for the program to end',
    async (signal) => {
      const child = startThroughScripts(
        `process.on('${signal}', () => process.exit(7)); setInterval(() => {}, 1000); console.log('ready')`,
      );
      await once(child.stdout!, 'data');
      child.kill(signal);
      expect(await text(child.stdout!)).toBe('[7,null]\n');
    },
  );
});

describe('the command line in a checkout', () => {
  it.each([
    [['/season/talk.mp3'], true],
    [['https://a.example/talk'], true],
    [['scripts'], true],
    [['transcribe', 'talk.mp3'], false],
    [['--help'], false],
    [[], false],
  ])('may open the window for %j: %s', (args, expected) => {
    expect(mayOpenWindow(args)).toBe(expected);
  });
});

describe('npm start', () => {
  it.runIf(process.platform === 'linux')('says what to type where there is no display', async () => {
    const child = startNode([resolve(scripts, 'start.mjs')]);
    const said = text(child.stderr!);
    expect(await once(child, 'close')).toEqual([2, null]);
    expect(await said).toContain('npm start -- PATH...');
  });
});
