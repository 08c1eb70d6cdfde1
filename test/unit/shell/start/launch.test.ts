import { describe, expect, it } from 'vitest';
import { isCommand } from '../../../../electron/cli/command-table.ts';
import { userArguments, parseLaunch } from '../../../../electron/shell/start/launch-arguments.ts';

const among =
  (...files: readonly string[]) =>
  (first: string): boolean =>
    isCommand(first, (path) => files.includes(path));

describe('a start of the program', () => {
  it.each([
    [[], { kind: 'window', recordings: [] }],
    [
      ['a.mp3', 'season', 'https://example.org/b.mp3'],
      { kind: 'window', recordings: ['a.mp3', 'season', 'https://example.org/b.mp3'] },
    ],
    [['--no-sandbox', '--disable-gpu', 'a.mp3'], { kind: 'window', recordings: ['a.mp3'] }],
    [
      ['transcribe', 'a.mp3', '--to', 'srt'],
      { kind: 'command', args: ['transcribe', 'a.mp3', '--to', 'srt'] },
    ],
    [['--no-sandbox', '--log-level=3', 'status'], { kind: 'command', args: ['status'] }],
    [
      ['--high-dpi-support=1', '--wayland-text-input-version=3', '--lang=de', 'status'],
      { kind: 'command', args: ['status'] },
    ],
    [['--version'], { kind: 'command', args: ['--version'] }],
    [['speakers', 'talk'], { kind: 'command', args: ['speakers', 'talk'] }],
    [['-V'], { kind: 'command', args: ['-V'] }],
  ])('with %j', (args, launch) => {
    expect(parseLaunch(args, true, among())).toEqual(launch);
  });

  it('with a mistyped command is a command, unless a file has its name', () => {
    const args = ['transcrib', 'a.mp3'];
    expect(parseLaunch(args, true, among())).toEqual({ kind: 'command', args });
    expect(parseLaunch(args, true, among('transcrib'))).toEqual({ kind: 'window', recordings: args });
  });

  it.each([[[]], [['dance']], [['a.mp3']]])('with %j is a command when no window can be shown', (args) => {
    expect(parseLaunch(['--ozone-platform=headless', ...args], false, among())).toEqual({
      kind: 'command',
      args,
    });
  });

  it('has its own arguments after the executable, and in a checkout after the project', () => {
    expect(userArguments(['longhand', 'a.mp3'], true)).toEqual(['a.mp3']);
    expect(userArguments(['electron', '--no-sandbox', '/project', 'a.mp3'], false)).toEqual(['a.mp3']);
  });
});
