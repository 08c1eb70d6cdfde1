import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import english from '../../../resources/locales/en.json' with { type: 'json' };
import { parseCommand, UsageError } from '../../../electron/cli/arguments.ts';

function refusal(...args: readonly string[]): string {
  try {
    parseCommand(args);
  } catch (error) {
    if (error instanceof UsageError) return error.key;
    throw error;
  }
  throw new Error(`understood: ${args.join(' ')}`);
}

/** Whether only a UsageError was thrown. */
function isUnderstoodOrRefused(args: readonly string[]): boolean {
  try {
    return 'kind' in parseCommand(args);
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
      exporting: { formats: null, folder: null, style: {} },
      termsFile: null,
      partial: false,
      json: false,
    });
  });

  it('accepts every option before, between and after the recordings', () => {
    const args =
      'transcribe --service https://api.example.org/ a.mp3 --language DE --accuracy=accurate --translate --terms names.txt --to srt,TXT,srt --out subs --partial --json';
    expect(parseCommand([...args.split(' '), '--', '--odd name.mp3'])).toEqual({
      kind: 'transcribe',
      recordings: ['a.mp3', '--odd name.mp3'],
      service: 'https://api.example.org',
      options: { language: 'de', accuracy: 'accurate', translateToEnglish: true },
      exporting: { formats: ['srt', 'txt'], folder: 'subs', style: {} },
      termsFile: 'names.txt',
      partial: true,
      json: true,
    });
  });

  it('accepts the names of files, the layout of subtitles and the times of words', () => {
    expect(parseCommand(['transcribe', 'a', '--template', '{date}/{name}', '--preset', 'web'])).toMatchObject(
      {
        exporting: { style: { template: '{date}/{name}', subtitles: 'web' } },
      },
    );
    expect(parseCommand(['export', '--all', '--words'])).toMatchObject({
      exporting: { style: { words: true } },
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
      { kind: 'resume', exporting: { formats: null, folder: null, style: {} }, partial: false, json: false },
    ],
    [
      ['resume', '--out', 'x', '--json'],
      { kind: 'resume', exporting: { formats: null, folder: 'x', style: {} }, partial: false, json: true },
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
    [[], { kind: 'help' }],
    [['help'], { kind: 'help' }],
    [['transcribe', '--help'], { kind: 'help' }],
    [['--version'], { kind: 'version' }],
  ])('%j', (args, command) => {
    expect(parseCommand(args)).toEqual(command);
  });
});

describe('wrong usage', () => {
  it.each([
    [['dance'], 'unknownCommand'],
    [['transcribe'], 'nothingNamed'],
    [['transcribe', 'a', '--to', 'srt,odt'], 'notOneOf'],
    [['transcribe', 'a', '--to', ''], 'notOneOf'],
    [['transcribe', 'a', '--to'], 'badOption'],
    [['transcribe', 'a', '--out='], 'emptyValue'],
    [['transcribe', 'a', '--loud'], 'unknownOption'],
    [['transcribe', 'a', '--json=yes'], 'badOption'],
    [['transcribe', 'a', '--service', 'http://example.org'], 'badService'],
    [['transcribe', 'a', '--service', 'cloud'], 'badService'],
    [['transcribe', 'a', '--service', 'https://me:secret@example.org'], 'badService'],
    [['transcribe', 'a', '--language', 'german'], 'badLanguage'],
    [['transcribe', 'a', '--accuracy', 'perfect'], 'notOneOf'],
    [['resume', 'a.mp3'], 'surplus'],
    [['serve', '--port', '70000'], 'notNumber'],
    [['serve', '--port', '-1'], 'badOption'],
    [['serve', '--credits', '1e3'], 'notNumber'],
    [['status', 'now'], 'surplus'],
    [['key'], 'notOneOf'],
    [['key', 'show'], 'notOneOf'],
    [['key', 'set', 'sk-123'], 'surplus'],
  ])('reports %j', (args, key) => {
    expect(refusal(...args)).toBe(key);
    expect(english.cli.usage).toHaveProperty(key);
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
