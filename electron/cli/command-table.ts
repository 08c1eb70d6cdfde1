import type { ValueKind } from './option-values.ts';

/**
 * All commands of the command line with their arguments and options: the parser, the help, the man page and the
 * completions are derived from it. The texts are in the locale, under `cli.command`, `cli.argument` and `cli.option`. It
 * is loaded at every start, so it imports nothing.
 */

export interface OptionSpec {
  /** Without the dashes, if it is not the key in the table. */
  readonly name?: string;
  /** What it takes; absent: it is a switch. */
  readonly value?: ValueKind;
  /** The value if none follows. */
  readonly implied?: string;
}

export const options = {
  accuracy: { value: 'accuracy' },
  'add-tag': { name: 'tag', value: 'tags' },
  again: {},
  all: {},
  count: { value: 'speakerCount' },
  credits: { value: 'credits' },
  data: { value: 'folder' },
  'dry-run': {},
  existing: { value: 'existing' },
  highlights: {},
  host: { value: 'text' },
  json: {},
  key: { value: 'text' },
  language: { value: 'language' },
  limit: { value: 'limit' },
  models: { value: 'folder' },
  notes: {},
  out: { value: 'folder' },
  partial: {},
  port: { value: 'port' },
  preset: { value: 'preset' },
  quiet: {},
  rate: { value: 'rate' },
  replace: {},
  search: { value: 'text' },
  service: { value: 'service' },
  speakers: { value: 'speakers', implied: 'auto' },
  tag: { value: 'text' },
  format: { value: 'textFormat' },
  sort: { value: 'sort' },
  template: { value: 'template' },
  terms: { value: 'file' },
  to: { value: 'formats' },
  translate: {},
  verbose: {},
  wait: {},
  words: {},
} as const satisfies Readonly<Record<string, OptionSpec>>;

export type OptionId = keyof typeof options;

/** What a shell completes an argument with. */
type ArgumentKind = 'path' | 'shell' | 'text';

export interface ArgumentSpec {
  /** Its text is `cli.argument.NAME`. */
  readonly name: string;
  readonly kind: ArgumentKind;
  readonly many?: boolean;
}

export interface CommandSpec {
  /** Required unless the command is among {@link optionalArguments}; no command has two. */
  readonly argument?: ArgumentSpec;
  readonly options: readonly OptionId[];
  /** For packages, not for people: it is not in the help. */
  readonly isHidden?: boolean;
}

const exportOptions = ['to', 'out', 'template', 'preset', 'words'] as const;

/** Each command by its name; the second word of a name is a command of the group that the first word names. */
export const commands = {
  transcribe: {
    argument: { name: 'recording', kind: 'path', many: true },
    options: [
      ...exportOptions,
      'service',
      'language',
      'accuracy',
      'translate',
      'terms',
      'speakers',
      'add-tag',
      'again',
      'dry-run',
      'wait',
      'partial',
      'quiet',
      'verbose',
      'json',
    ],
  },
  watch: {
    argument: { name: 'folder', kind: 'path', many: true },
    options: [
      ...exportOptions,
      'service',
      'language',
      'accuracy',
      'add-tag',
      'wait',
      'quiet',
      'verbose',
      'json',
    ],
  },
  resume: {
    argument: { name: 'queued', kind: 'text', many: true },
    options: [...exportOptions, 'wait', 'partial', 'quiet', 'verbose', 'json'],
  },
  status: { options: ['json'] },
  retry: {
    argument: { name: 'queued', kind: 'text', many: true },
    options: ['all', 'wait', 'partial', 'quiet', 'verbose', 'json'],
  },
  cancel: {
    argument: { name: 'queued', kind: 'text', many: true },
    options: ['all', 'wait', 'quiet', 'verbose', 'json'],
  },
  import: {
    argument: { name: 'file', kind: 'path', many: true },
    options: ['add-tag', 'wait', 'quiet', 'verbose', 'json'],
  },
  list: { options: ['tag', 'sort', 'limit', 'json'] },
  search: { argument: { name: 'word', kind: 'text', many: true }, options: ['tag', 'limit', 'json'] },
  show: { argument: { name: 'transcript', kind: 'text' }, options: ['format', 'notes'] },
  export: {
    argument: { name: 'transcript', kind: 'text', many: true },
    options: [
      'search',
      'tag',
      'all',
      ...exportOptions,
      'highlights',
      'notes',
      'existing',
      'quiet',
      'verbose',
      'json',
    ],
  },
  speakers: {
    argument: { name: 'transcript', kind: 'text', many: true },
    options: ['count', 'models', 'wait', 'quiet', 'verbose', 'json'],
  },
  'models list': { options: ['json'] },
  'models download': { argument: { name: 'model', kind: 'text' }, options: ['verbose', 'json'] },
  'models remove': { argument: { name: 'model', kind: 'text' }, options: ['json'] },
  'models use': { argument: { name: 'model', kind: 'text' }, options: ['accuracy', 'verbose', 'json'] },
  'library backup': {
    argument: { name: 'backup', kind: 'path' },
    options: ['replace', 'quiet', 'verbose', 'json'],
  },
  'library restore': {
    argument: { name: 'backup', kind: 'path' },
    options: ['wait', 'quiet', 'verbose', 'json'],
  },
  'key set': { options: ['service', 'json'] },
  'key remove': { options: ['service', 'json'] },
  'key status': { options: ['service', 'json'] },
  doctor: { options: ['json'] },
  completion: { argument: { name: 'shell', kind: 'shell' }, options: [] },
  'man-page': { options: [], isHidden: true },
  serve: { options: ['host', 'port', 'data', 'key', 'credits', 'rate'] },
} as const satisfies Readonly<Record<string, CommandSpec>>;

export type CliCommandName = keyof typeof commands;

/** The commands whose argument may be left out: options can take its place, or the command is about all without it. */
export const optionalArguments: ReadonlySet<CliCommandName> = new Set([
  'export',
  'resume',
  'retry',
  'cancel',
]);

export const commandNames = Object.keys(commands) as readonly CliCommandName[];

/** Returns the second words of the commands of a group. */
export const actionsOf = (group: string): readonly string[] =>
  commandNames.flatMap((name) => (name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : []));

/** The first words of all commands, including `help`, which the parser adds. */
export const firstWords: ReadonlySet<string> = new Set([
  ...commandNames.map((name) => name.split(' ')[0] ?? name),
  'help',
]);

/** Options that take the place of a command. */
const topLevelOptions: ReadonlySet<string> = new Set(['--help', '-h', '--version', '-V']);

/** A word that looks like a command and not like a file. */
const bareWord = /^[a-z]+(?:-[a-z]+)*$/;

/**
 * Whether a first argument begins a command and does not name a recording for the window. A mistyped command does, unless
 * a file has its name.
 */
export const isCommand = (first: string, exists: (path: string) => boolean): boolean =>
  firstWords.has(first) || topLevelOptions.has(first) || (bareWord.test(first) && !exists(first));

/** Returns an option's name as it is written after the dashes. */
export const optionName = (id: OptionId): string => (options[id] as OptionSpec).name ?? id;

/** The names of all options, including those that take the place of a command. */
export const optionNames: ReadonlySet<string> = new Set([
  ...(Object.keys(options) as OptionId[]).map(optionName),
  'help',
  'version',
]);
