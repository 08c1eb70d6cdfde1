import { expect, it } from 'vitest';
import { refusedSwitch } from '../../../../electron/shell/start/launch.ts';

const startedWith = (...given: readonly string[]) => ({ hasSwitch: (name: string) => given.includes(name) });

it.each(['renderer-cmd-prefix', 'browser-subprocess-path', 'remote-debugging-port'])(
  'a package refuses --%s, which a checkout accepts',
  (name) => {
    expect(refusedSwitch(startedWith('no-sandbox', name), true)).toBe(name);
    expect(refusedSwitch(startedWith(name), false)).toBeNull();
  },
);
