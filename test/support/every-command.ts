import { expect } from 'vitest';

export interface ShellResult {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/**
 * Runs a line of `sh` as a user would type it: `longhand` is the program to test, without a display, and
 * the folder contains `jfk.wav`. The library is empty at first, and all lines share it.
 */
export type Shell = (line: string) => Promise<ShellResult>;

/** Returns a line that runs a command in the background, interrupts it once `condition` holds, and shows its output. */
const interruptOnce = (command: string, condition: string): string =>
  `${command} > printed 2>&1 & pid=$!; until ${condition}; do kill -0 $pid || break; sleep 0.2; done; ` +
  'kill -INT $pid; wait $pid; code=$?; cat printed; exit $code';

interface Step {
  /** The command of the help that the line checks. */
  readonly command: string;
  readonly line: string;
  readonly code: number;
  /** Occurs in its standard output or standard error. */
  readonly printed: RegExp;
}

const account = '--service https://api.example.com';
const noModels = /models that tell voices apart are not on this computer/;

/** A user's session with every command, in an order in which each finds something to do. */
const session: readonly Step[] = [
  { command: 'doctor', line: 'longhand doctor', code: 0, printed: /service on this computer starts/ },
  {
    command: 'watch',
    line: `mkdir inbox && cp jfk.wav inbox; ${interruptOnce('longhand watch inbox --verbose --to txt', 'test -s inbox/jfk.txt')}`,
    code: 0,
    // The log has each step, the output only the file.
    printed: /debug an item advanced \{"service":"on-device"[^]*inbox\/jfk\.txt/,
  },
  // The content is in the library already, so it is not transcribed again.
  {
    command: 'transcribe',
    line: 'longhand transcribe jfk.wav --to txt --out texts && cat texts/jfk.txt',
    code: 0,
    printed: /ask not what your country can do for you/,
  },
  {
    command: 'status',
    line: 'longhand status',
    code: 0,
    printed: /0 in progress, 0 waiting, 0 need attention/,
  },
  { command: 'list', line: 'longhand list', code: 0, printed: /0:11 {2}jfk/ },
  { command: 'search', line: 'longhand search country', code: 0, printed: /what your country can do/ },
  { command: 'search', line: 'longhand search submarine', code: 0, printed: /^Nothing found\.\n$/ },
  { command: 'show', line: 'longhand show jfk --format srt', code: 0, printed: /^1\n00:00:\d\d,\d{3} --> / },
  {
    command: 'export',
    line: 'longhand export jfk --to vtt --out texts',
    code: 0,
    printed: /texts\/jfk\.vtt\n/,
  },
  { command: 'export', line: 'longhand export gone', code: 1, printed: /gone/ },
  {
    command: 'import',
    line: "printf 'Bridges over troubled water.\\n' > talk.txt && longhand import talk.txt && longhand show talk",
    code: 0,
    printed: /Bridges over troubled water\./,
  },
  { command: 'speakers', line: 'longhand speakers jfk', code: 3, printed: noModels },
  { command: 'resume', line: 'longhand resume', code: 0, printed: /nothing left to do/ },
  { command: 'retry', line: 'longhand retry --all', code: 0, printed: /nothing left to do/ },
  { command: 'cancel', line: 'longhand cancel --all', code: 0, printed: /nothing left to do/ },
  {
    command: 'models list',
    line: 'longhand models list',
    code: 0,
    printed: /^tiny +\d+ MB +Whisper tiny: Ready, used for fast\n/,
  },
  {
    command: 'models download',
    line: 'longhand models download base',
    code: 0,
    printed: /Whisper base: Ready/,
  },
  {
    command: 'models download',
    line: 'longhand models download gone',
    code: 2,
    printed: /Available: tiny, base/,
  },
  {
    command: 'models use',
    line: 'longhand models use base --accuracy fast',
    code: 0,
    printed: /Whisper base: Ready, used for fast, used for balanced/,
  },
  {
    command: 'models remove',
    line: 'longhand models remove small',
    code: 0,
    printed: /Whisper small: Ready/,
  },
  {
    command: 'library backup',
    line: 'longhand library backup all.longhand && test -s all.longhand',
    code: 0,
    printed: /2 transcripts are in the backup/,
  },
  {
    command: 'library backup',
    line: 'longhand library backup all.longhand',
    code: 1,
    printed: /all\.longhand/,
  },
  {
    command: 'library restore',
    line: 'LONGHAND_DATA=$PWD/restored longhand library restore all.longhand && LONGHAND_DATA=$PWD/restored longhand list',
    code: 0,
    printed: /0:11 {2}jfk/,
  },
  {
    command: 'key set',
    // Without a keychain it exits with 1.
    line: `if printf secret | longhand key set ${account}; then longhand key status ${account}; else test $? = 1; fi`,
    code: 0,
    printed: /is stored in the keychain|no keychain .* LONGHAND_API_KEY/,
  },
  {
    command: 'key remove',
    line: `longhand key remove ${account}`,
    code: 0,
    printed: /api\.example\.com/,
  },
  {
    command: 'key status',
    line: `longhand key status ${account}`,
    code: 0,
    printed: /no key for https:\/\/api\.example\.com/,
  },
  {
    command: 'completion',
    line: 'longhand completion bash > completion && bash -n completion && grep -c transcribe completion',
    code: 0,
    printed: /^[1-9]\d*\n$/,
  },
  {
    command: 'serve',
    line: interruptOnce('longhand serve --port 0', 'grep -q ^http://127 printed'),
    code: 0,
    printed: /^http:\/\/127\.0\.0\.1:\d+\n/m,
  },
];

/** Returns the names that a help lists below "Commands:", without `help`. */
const listedIn = (help: string): readonly string[] =>
  [...(help.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z-]+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');

/** Runs every command that `--help` lists, checks its exit code and what it prints, and returns their names. */
export async function runEveryCommand(shell: Shell): Promise<readonly string[]> {
  const names: string[] = [];
  for (const first of listedIn((await shell('longhand --help')).output)) {
    const { code, output } = await shell(`longhand ${first} --help`);
    expect({ first, code, output }).toEqual({
      first,
      code: 0,
      output: expect.stringContaining(`Usage: longhand ${first}`),
    });
    const actions = listedIn(output);
    names.push(...(actions.length === 0 ? [first] : actions.map((action) => `${first} ${action}`)));
  }
  // A new command cannot be left out.
  expect(names.toSorted()).toEqual([...new Set(session.map(({ command }) => command))].toSorted());
  for (const { line, code, printed } of session) {
    const result = await shell(line);
    const text = result.output + result.errors;
    expect({ line, ...result }).toEqual({ line, ...result, code });
    expect({ line, text }).toEqual({ line, text: expect.stringMatching(printed) });
    // Plain text in a pipe, and no error that the program does not know.
    const isPlain = !text.includes('\u001b');
    const hasStack = /\n +at .*\.[jt]s:\d+/.test(text);
    expect({ line, isPlain, hasStack, text }).toEqual({ line, isPlain: true, hasStack: false, text });
  }
  return names;
}
