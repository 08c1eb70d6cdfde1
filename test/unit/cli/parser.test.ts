import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import english from '../../../resources/locales/en.json' with { type: 'json' };
import type { CliCommand } from '../../../electron/cli/cli-command.ts';
import { commandFromInvocation } from '../../../electron/cli/command-from-invocation.ts';
import {
  type CliCommandName,
  type CommandSpec,
  commandNames,
  commands,
  optionName,
  options,
} from '../../../electron/cli/command-table.ts';
import { parse } from '../../../electron/cli/parser.ts';
import { UsageError } from '../../../electron/cli/usage-error.ts';
import { exportFormats } from '../../../electron/contract/choices.ts';
import { Translator } from '../../../electron/core/translator.ts';

const translator = await Translator.load();
const read = (args: readonly string[]) => parse(args, { translator, version: '1.2.3', columns: 80 });

/** The command that the arguments ask for. */
function parseCommand(args: readonly string[]): CliCommand {
  const parsed = read(args);
  if (parsed.kind !== 'invocation') throw new Error(`a text: ${args.join(' ')}`);
  return commandFromInvocation(parsed.invocation);
}

/** The text that the arguments ask for. */
function textOf(...args: readonly string[]): string {
  const parsed = read(args);
  if (parsed.kind !== 'text') throw new Error(`a command: ${args.join(' ')}`);
  return parsed.text;
}

function refusal(...args: readonly string[]): string {
  try {
    parseCommand(args);
  } catch (error) {
    if (error instanceof UsageError) return error.key;
    throw error;
  }
  throw new Error(`understood: ${args.join(' ')}`);
}

/** The values of the message that refuses the arguments. */
function valuesOf(...args: readonly string[]): UsageError['values'] {
  try {
    parseCommand(args);
  } catch (error) {
    if (error instanceof UsageError) return error.values;
  }
  return {};
}

/** Whether only a UsageError was thrown. */
function isUnderstoodOrRefused(args: readonly string[]): boolean {
  try {
    const parsed = read(args);
    return parsed.kind === 'text' || 'kind' in commandFromInvocation(parsed.invocation);
  } catch (error) {
    return error instanceof UsageError;
  }
}

describe('transcribe', () => {
  it('accepts recordings without options', () => {
    expect(parseCommand(['transcribe', 'a.mp3', 'season', 'https://example.org/b.mp3'])).toEqual({
      kind: 'transcribe',
      recordings: ['a.mp3', 'season', 'https://example.org/b.mp3'],
      service: null,
      options: {},
      exportRequest: { formats: null, folder: null, overrides: {} },
      termsFile: null,
      tags: [],
      again: false,
      dryRun: false,
      partial: false,
      json: false,
    });
  });

  it('accepts every option before, between and after the recordings', () => {
    const args =
      'transcribe --service https://api.example.org/ a.mp3 --language DE --accuracy=accurate --translate --speakers 3 --terms names.txt --tag a --tag b --again --to srt,TXT,srt --out subs --partial --json';
    expect(parseCommand([...args.split(' '), '--', '--odd name.mp3'])).toEqual({
      kind: 'transcribe',
      recordings: ['a.mp3', '--odd name.mp3'],
      service: 'https://api.example.org',
      options: { language: 'de', accuracy: 'accurate', translateToEnglish: true, speakers: 3 },
      exportRequest: { formats: ['srt', 'txt'], folder: 'subs', overrides: {} },
      termsFile: 'names.txt',
      tags: ['a', 'b'],
      again: true,
      dryRun: false,
      partial: true,
      json: true,
    });
  });

  it.each([
    ['a --speakers', 'automatic', ['a']],
    ['--speakers auto a', 'automatic', ['a']],
    ['--speakers a 2', 'automatic', ['a', '2']],
    ['--speakers=off a', 'off', ['a']],
  ])('reads %s', (args, speakers, recordings) => {
    expect(parseCommand(['transcribe', ...args.split(' ')])).toMatchObject({
      recordings,
      options: { speakers },
    });
  });

  it('rejects more speakers than a transcript can have', () => {
    expect(refusal('transcribe', 'a', '--speakers', '101')).toBe('notNumber');
    expect(refusal('transcribe', 'a', '--speakers', '0')).toBe('notNumber');
  });

  it('accepts the names of files, the layout of subtitles and the times of words', () => {
    expect(parseCommand(['transcribe', 'a', '--template', '{date}/{name}', '--preset', 'web'])).toMatchObject(
      {
        exportRequest: { overrides: { template: '{date}/{name}', subtitles: 'web' } },
      },
    );
    expect(parseCommand(['export', '--all', '--words'])).toMatchObject({
      exportRequest: { overrides: { words: true } },
    });
    expect(refusal('transcribe', 'a', '--preset', 'cinema')).toBe('notOneOf');
    expect(refusal('transcribe', 'a', '--template', ' ')).toBe('emptyValue');
    expect(refusal('transcribe', 'a', '--template', '{date} {nme}')).toBe('unknownField');
  });

  it('accepts this computer as local', () => {
    expect(parseCommand(['transcribe', 'a', '--service', 'local'])).toMatchObject({ service: 'on-device' });
  });
});

describe('the other commands', () => {
  it.each([
    [
      ['resume'],
      {
        kind: 'resume',
        names: null,
        exportRequest: { formats: null, folder: null, overrides: {} },
        partial: false,
        json: false,
      },
    ],
    [
      ['resume', 'a.mp3', '--out', 'x', '--json'],
      {
        kind: 'resume',
        names: ['a.mp3'],
        exportRequest: { formats: null, folder: 'x', overrides: {} },
        partial: false,
        json: true,
      },
    ],
    [
      ['serve'],
      {
        kind: 'serve',
        host: '127.0.0.1',
        port: 0,
        dataFolder: null,
        key: null,
        credits: null,
        requestsPerMinute: null,
      },
    ],
    [
      [
        'serve',
        '--host',
        '::1',
        '--port',
        '8080',
        '--data',
        'd',
        '--key',
        'k',
        '--credits',
        '0',
        '--rate',
        '600',
      ],
      {
        kind: 'serve',
        host: '::1',
        port: 8080,
        dataFolder: 'd',
        key: 'k',
        credits: 0,
        requestsPerMinute: 600,
      },
    ],
    [['status', '--json'], { kind: 'status', json: true }],
    [['key', 'set'], { kind: 'key', action: 'set', service: null, json: false }],
    [
      ['key', 'remove', '--service', 'http://localhost:8080'],
      { kind: 'key', action: 'remove', service: 'http://localhost:8080', json: false },
    ],
    [
      ['speakers', 'a', 'b', '--count', '2', '--models', 'm'],
      { kind: 'speakers', names: ['a', 'b'], count: 2, modelsFolder: 'm', json: false },
    ],
  ])('%j', (args, command) => {
    expect(parseCommand(args)).toEqual(command);
  });
});

describe('help and version', () => {
  it.each([[], ['help'], ['--help'], ['-h']])('%j lists every command', (...args: readonly string[]) => {
    const text = textOf(...args);
    const shown = commandNames.filter((name) => (commands[name] as CommandSpec).isHidden !== true);
    for (const name of shown) expect(text).toMatch(new RegExp(`^  ${name.split(' ')[0]}\\b`, 'm'));
    expect(text).not.toContain('man-page');
  });

  it.each(commandNames)('of %s lists its options, each with a text', (name: CliCommandName) => {
    const text = textOf(...name.split(' '), '--help');
    expect(text).toContain(`Usage: longhand ${name} `);
    for (const id of commands[name].options)
      expect(text).toMatch(new RegExp(`--${optionName(id)}\\b.* [a-z("]`));
    expect(text).not.toContain('cli.');
  });

  it('names every choice', () => {
    const text = textOf('help', 'transcribe').replaceAll(/\s+/g, ' ');
    expect(text).toContain(exportFormats.join(', '));
    expect(text.split(' ')).toContain('vertical,');
  });

  it('says which version it is', () => {
    expect(textOf('--version')).toBe('1.2.3');
    expect(textOf('-V')).toBe('1.2.3');
  });

  it('has a use for every option', () => {
    const used = new Set(commandNames.flatMap((name): readonly string[] => commands[name].options));
    expect([...used].toSorted()).toEqual(Object.keys(options).toSorted());
  });
});

describe('wrong usage', () => {
  it.each([
    [['juggle'], 'unknownCommand'],
    [['transcrib', 'a'], 'unknownCommandSuggested'],
    [['library', 'restor', 'a'], 'unknownCommandSuggested'],
    [['library'], 'actionMissing'],
    [['library', 'backup'], 'missing.backup'],
    [['speakers'], 'missing.transcript'],
    [['speakers', 'a', '--count', '0'], 'notNumber'],
    [['export'], 'chooseOneWay'],
    [['retry'], 'chooseQueued'],
    [['cancel', 'a', '--all'], 'chooseQueued'],
    [['search', '-a'], 'unknownOption'],
    [['search', '--', '-a'], 'searchEmpty'],
    [['show', 'a', '--format', 'docx'], 'notOneOf'],
    [['import'], 'missing.file'],
    [['transcribe', 'a', '--tag', ' '], 'emptyValue'],
    [['transcribe'], 'missing.recording'],
    // An unset variable of a script, not the working folder.
    [['transcribe', 'a', ''], 'missing.recording'],
    [['watch', ''], 'missing.folder'],
    [['import', ''], 'missing.file'],
    [['library', 'backup', ''], 'missing.backup'],
    [['retry', ''], 'missing.queued'],
    [['export', ''], 'missing.transcript'],
    [['search', ''], 'missing.word'],
    [['models', 'use', ''], 'missing.model'],
    [['transcribe', 'a', '--to', 'srt,odt'], 'notOneOf'],
    [['transcribe', 'a', '--to', ''], 'notOneOf'],
    [['transcribe', 'a', '--to'], 'valueMissing'],
    [['transcribe', 'a', '--out='], 'emptyValue'],
    [['transcribe', 'a', '--loudness'], 'unknownOption'],
    [['transcribe', 'a', '--temlate', 'x'], 'unknownOptionSuggested'],
    [['transcribe', '-dash.wav'], 'unknownOption'],
    [['transcribe', 'a', '--json=yes'], 'unknownOption'],
    [['transcribe', 'a', '--service', 'http://example.org'], 'badService'],
    [['transcribe', 'a', '--service', 'cloud'], 'badService'],
    [['transcribe', 'a', '--service', 'https://me:secret@example.org'], 'badService'],
    [['transcribe', 'a', '--language', 'german'], 'badLanguage'],
    [['transcribe', 'a', '--language', 'xx'], 'badLanguage'],
    [['transcribe', 'a', '--accuracy', 'perfect'], 'notOneOf'],
    [['serve', '--port', '70000'], 'notNumber'],
    [['serve', '--port', '-1'], 'notNumber'],
    [['serve', '--credits', '1e3'], 'notNumber'],
    [['status', 'now'], 'surplus'],
    [['key'], 'actionMissing'],
    [['key', 'show'], 'unknownCommand'],
    [['key', 'set', 'sk-123'], 'surplus'],
  ])('reports %j', (args, key) => {
    expect(refusal(...args)).toBe(key);
    expect(english.cli.usage).toHaveProperty(key);
  });

  it('names what was meant', () => {
    expect(valuesOf('transcrib')).toMatchObject({ command: 'transcrib', meant: 'transcribe' });
    expect(valuesOf('export', 'a', '--exsting', 'skip')).toMatchObject({ meant: '--existing' });
    expect(valuesOf('status', "it's", 'b')).toMatchObject({ value: "it's" });
    expect(valuesOf('transcribe', "-a'b.wav")).toMatchObject({ option: "-a'b.wav" });
  });

  it('is reported for any arguments', () => {
    const word = fc.oneof(
      fc.constantFrom(
        'transcribe',
        'resume',
        'serve',
        'status',
        'key',
        '--to',
        '--out',
        '--json',
        '--',
        '-h',
        '-',
        'srt',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (args) => {
        expect(isUnderstoodOrRefused(args)).toBe(true);
      }),
    );
  });
});
