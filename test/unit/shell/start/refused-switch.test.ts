import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { optionNames } from '../../../../electron/cli/command-table.ts';
import { refusedSwitch } from '../../../../electron/shell/start/launch-arguments.ts';

const refusedIn = (...args: readonly string[]): string | null => refusedSwitch(args, optionNames, true);

describe('a package', () => {
  it.each([
    '--remote-debugging-port',
    '--remote-debugging-pipe',
    '--remote-allow-origins',
    '--inspect',
    '--inspect-brk',
    '--js-flags',
    '--require',
    '-r',
    '--disable-web-security',
    '--disable-site-isolation-trials',
    '--disable-features',
    '--enable-features',
    '--enable-blink-features',
    '--load-extension',
    '--renderer-cmd-prefix',
    '--utility-cmd-prefix',
    '--browser-subprocess-path',
    '--gpu-launcher',
    '--host-resolver-rules',
    '--host-rules',
    '--proxy-server',
    '--proxy-pac-url',
    '--ignore-certificate-errors',
    '--log-net-log',
    '--log-file',
    '--auth-server-whitelist',
    '--allow-file-access-from-files',
    '--unsafely-treat-insecure-origin-as-secure',
    '--type',
    '--no-sandbox-and-elevated',
  ])('refuses %s wherever and however it is written', (name) => {
    expect(refusedSwitch([name], optionNames, false)).toBeNull();
    expect(refusedIn('--no-sandbox', 'transcribe', 'a.mp3', `${name}=9`)).toBe(name);
    expect(refusedIn(` ${name}\n`)).toBe(name);
    const singleDash = name.replace('--', '-');
    expect(refusedIn(`${singleDash}=9`)).toBe(singleDash);
    expect(refusedIn(name.toUpperCase())).toBe(name.toUpperCase());
  });

  it('names it without control characters', () => {
    expect(refusedIn('--\u001b[2J\u0007\u009b')).toBe('--\ufffd[2J\ufffd\ufffd');
  });

  it('refuses every switch that it does not know', () => {
    const known = /^(no-|ozone|disable-|use-|gtk|enable-|wayl|high|force-|lang$|log-)/;
    const name = fc
      .stringMatching(/^[a-z][a-z-]{3,30}$/)
      .filter((one) => !optionNames.has(one) && !known.test(one));
    fc.assert(
      fc.property(name, fc.constantFrom('-', '--'), (one, dashes) => {
        expect(refusedIn(`${dashes}${one}`)).toBe(`${dashes}${one}`);
      }),
    );
  });

  it.each([
    [[]],
    [['/music/a.mp3', 'https://example.org/-/b.mp3', 'file:///c.mp3']],
    [['--no-sandbox', '--ozone-platform=wayland', '--force-device-scale-factor=1.5', 'a.mp3']],
    [['--ozone-platform=headless', '--disable-gpu', '--log-level=3', 'serve', '--key', '-', '--port', '1']],
    [['transcribe', 'a.mp3', '--to', 'srt', '--out=x', '--json']],
    [['transcribe', '--', '--inspect.mp3']],
    [['--version']],
    [['-h']],
    [['-V']],
    [['-psn_0_12345']],
  ])('starts with %j', (args) => {
    expect(refusedIn(...args)).toBeNull();
  });
});
