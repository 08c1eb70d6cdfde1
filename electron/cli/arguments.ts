import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import {
  collisionPolicies,
  exportFormats,
  type ExportFormat,
  accuracies,
  nameFields,
} from '../contract/choices.ts';
import type { ServiceAddress } from '../contract/service.ts';
import { subtitlePresets } from '../contract/subtitle-rules.ts';
import { jobOptionsSchema } from '../contract/options.ts';
import { maxSpeakers } from '../contract/limits.ts';
import { ProblemError } from '../contract/problem.ts';
import { parseBaseUrl } from '../core/api/base-url.ts';
import type { TranscriptChoice } from '../core/library/choose-transcripts.ts';
import { parseQuery } from '../core/library/search/search-query.ts';
import type { Command, ExportRequest } from './cli-command.ts';
import { options } from './cli-options.ts';

/** Invalid arguments: a key below `cli.usage` in the locales, and its values. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly key: string;
  readonly values: Readonly<Record<string, string | number>>;

  constructor(key: string, values: Readonly<Record<string, string | number>> = {}) {
    super(key);
    this.key = key;
    this.values = values;
  }
}

/**
 * Reads the arguments that follow the program's name.
 *
 * @throws UsageError
 */
export function parseCommand(args: readonly string[]): Command {
  const [name = 'help', ...rest] = args;
  if (rest.includes('--help') || rest.includes('-h')) return { kind: 'help' };
  switch (name) {
    case 'transcribe':
      return parseTranscribe(rest);
    case 'resume': {
      const { values } = read(rest, options.resume, 0);
      const { partial = false, json = false } = values;
      return { kind: 'resume', exporting: exportRequestOf(values), partial, json };
    }
    case 'serve':
      return parseServe(rest);
    case 'status':
      return { kind: 'status', json: read(rest, options.status, 0).values.json ?? false };
    case 'key':
      return parseKey(rest);
    case 'export':
      return parseExport(rest);
    case 'library':
      return parseLibrary(rest);
    case 'speakers':
      return parseSpeakers(rest);
    case 'help':
    case '--help':
    case '-h':
      return { kind: 'help' };
    case '--version':
      return { kind: 'version' };
    default:
      throw new UsageError('unknownCommand', { command: name });
  }
}

function parseTranscribe(args: readonly string[]): Command {
  const { values, positionals } = read(args, options.transcribe, Infinity);
  if (positionals.length === 0) throw new UsageError('nothingNamed');
  const { service, language, accuracy, translate, terms } = values;
  return {
    kind: 'transcribe',
    recordings: positionals,
    service: service === undefined ? null : serviceOf(service),
    options: {
      ...(language === undefined ? {} : { language: languageOf(language) }),
      ...(accuracy === undefined ? {} : { accuracy: oneOf('accuracy', accuracy, accuracies) }),
      ...(translate === undefined ? {} : { translateToEnglish: translate }),
    },
    termsFile: terms === undefined ? null : nonEmpty('terms', terms),
    exporting: exportRequestOf(values),
    partial: values.partial ?? false,
    json: values.json ?? false,
  };
}

function parseServe(args: readonly string[]): Command {
  const { values } = read(args, options.serve, 0);
  const { host = '127.0.0.1', port, data, key, credits, rate } = values;
  return {
    kind: 'serve',
    host: nonEmpty('host', host),
    port: port === undefined ? 0 : wholeNumber('port', port, 65_535),
    dataFolder: data === undefined ? null : nonEmpty('data', data),
    key: key === undefined ? null : nonEmpty('key', key),
    credits: credits === undefined ? null : wholeNumber('credits', credits, Number.MAX_SAFE_INTEGER),
    requestsPerMinute: rate === undefined ? null : Math.max(1, wholeNumber('rate', rate, 1_000_000_000)),
  };
}

function parseKey(args: readonly string[]): Command {
  const { values, positionals } = read(args, options.key, 1);
  const [action = ''] = positionals;
  const { service, json = false } = values;
  return {
    kind: 'key',
    action: oneOf('key', action, ['set', 'remove', 'status'] as const),
    service: service === undefined ? null : serviceOf(service),
    json,
  };
}

function parseExport(args: readonly string[]): Command {
  const { values, positionals } = read(args, options.export, Infinity);
  const { existing = 'number', json = false } = values;
  return {
    kind: 'export',
    transcripts: choiceOf(positionals, values),
    exporting: exportRequestOf(values),
    existing: oneOf('existing', existing, collisionPolicies),
    json,
  };
}

interface ChoiceValues {
  readonly all?: boolean;
  readonly search?: string;
  readonly tag?: string;
}

/** All, what a search or a tag finds, or names: exactly one of these, so that no more is exported than intended. */
function choiceOf(names: readonly string[], { all = false, search, tag }: ChoiceValues): TranscriptChoice {
  const ways = [all, search !== undefined || tag !== undefined, names.length > 0];
  if (ways.filter((way) => way).length !== 1) throw new UsageError('chooseOneWay');
  if (names.length > 0) return { kind: 'named', names: names.map((name) => nonEmpty('NAME', name)) };
  // A search with only exclusions would find everything.
  if (search !== undefined && parseQuery(search).wanted.length === 0) throw new UsageError('searchEmpty');
  return { kind: 'found', query: search ?? '', tag: tag === undefined ? null : nonEmpty('tag', tag) };
}

function parseLibrary([action = '', ...args]: readonly string[]): Command {
  const kind = oneOf('library', action, ['backup', 'restore'] as const);
  const { values, positionals } = read(args, options.library, 1);
  const [file] = positionals;
  if (file === undefined || file === '') throw new UsageError('noBackupNamed');
  const { json = false, replace = false } = values;
  if (kind === 'restore' && replace) throw new UsageError('surplus', { value: '--replace' });
  return kind === 'backup' ? { kind, file, replace, json } : { kind, file, json };
}

function parseSpeakers(args: readonly string[]): Command {
  const { values, positionals } = read(args, options.speakers, Infinity);
  if (positionals.length === 0) throw new UsageError('noTranscriptNamed');
  const { count, models, json = false } = values;
  return {
    kind: 'speakers',
    names: positionals.map((name) => nonEmpty('NAME', name)),
    count: count === undefined ? null : Math.max(1, wholeNumber('count', count, maxSpeakers)),
    modelsFolder: models === undefined ? null : nonEmpty('models', models),
    json,
  };
}

/**
 * Reads the address of a service: `local`, or the base address of an account.
 *
 * @throws UsageError
 */
export function serviceOf(given: string): ServiceAddress {
  if (given === 'local') return 'on-device';
  try {
    return parseBaseUrl(given);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    throw new UsageError('badService', { value: given, reason: error.problem.detail ?? '' });
  }
}

interface ExportValues {
  readonly to?: string;
  readonly out?: string;
  readonly template?: string;
  readonly preset?: string;
  readonly words?: boolean;
}

function exportRequestOf({ to, out, template, preset, words }: ExportValues): ExportRequest {
  return {
    formats: to === undefined ? null : formatsOf(to),
    folder: out === undefined ? null : nonEmpty('out', out),
    style: {
      ...(template === undefined ? {} : { template: templateOf(template.trim()) }),
      ...(preset === undefined ? {} : { subtitles: oneOf('preset', preset, subtitlePresets) }),
      ...(words === undefined ? {} : { words }),
    },
  };
}

function templateOf(given: string): string {
  const known = nameFields.map((name) => `{${name}}`);
  const unknown = given.match(/\{[^{}]*\}/g)?.find((field) => !known.includes(field));
  if (unknown !== undefined)
    throw new UsageError('unknownField', { field: unknown, fields: known.join(', ') });
  return nonEmpty('template', given);
}

function formatsOf(list: string): readonly ExportFormat[] {
  const formats = list.split(',').map((format) => oneOf('to', format.trim().toLowerCase(), exportFormats));
  return [...new Set(formats)];
}

function languageOf(given: string): string {
  const { success, data } = jobOptionsSchema.shape.language.safeParse(given.toLowerCase());
  if (!success) throw new UsageError('badLanguage', { value: given });
  return data;
}

function oneOf<T extends string>(option: string, given: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === given);
  if (found === undefined)
    throw new UsageError('notOneOf', { option, value: given, allowed: allowed.join(', ') });
  return found;
}

function wholeNumber(option: string, given: string, max: number): number {
  const number = Number(given);
  if (!/^\d+$/.test(given) || number > max) throw new UsageError('notNumber', { option, value: given, max });
  return number;
}

function nonEmpty(option: string, given: string): string {
  if (given === '') throw new UsageError('emptyValue', { option });
  return given;
}

/** Reads options and at most `maxPositionals` other arguments. */
function read<T extends ParseArgsOptionsConfig>(args: readonly string[], known: T, maxPositionals: number) {
  try {
    const parsed = parseArgs({ args: [...args], options: known, allowPositionals: true, strict: true });
    const surplus = parsed.positionals[maxPositionals];
    if (surplus !== undefined) throw new UsageError('surplus', { value: surplus });
    return parsed;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const unknown = /^Unknown option '(.+?)'/.exec(error.message)?.[1];
    if (unknown !== undefined) throw new UsageError('unknownOption', { option: unknown });
    // Node's first sentence names the option that lacks its value.
    const [detail = ''] = error.message.split(/(?<=\.) |\n/);
    throw new UsageError('badOption', { detail });
  }
}
