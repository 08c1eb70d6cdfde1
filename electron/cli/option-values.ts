import {
  accuracies,
  collisionPolicies,
  exportFormats,
  librarySorts,
  nameFields,
  unknownField,
} from '../contract/choices.ts';
import { spokenLanguages } from '../contract/languages.ts';
import { maxSpeakers, maxTagLength } from '../contract/limits.ts';
import type { SpeakerOption } from '../contract/options.ts';
import { ProblemError } from '../contract/problem.ts';
import type { ServiceAddress } from '../contract/service.ts';
import { subtitlePresets } from '../contract/subtitle-rules.ts';
import { parseBaseUrl } from '../core/api/base-url.ts';
import { UsageError } from './usage-error.ts';

/** Describes a kind of value in the help and the completions. */
export interface ValueDescription {
  /** In the help: what to write after the option. */
  readonly placeholder: string;
  /** All allowed values; absent if any value is allowed. */
  readonly choices?: readonly string[];
  /** What a shell completes. */
  readonly completes?: 'file' | 'folder';
}

/** A kind of value that options take. */
interface ValueType<T> extends ValueDescription {
  /**
   * @param option its name, with the dashes
   * @param before the value of an earlier occurrence of the option, if it can be repeated
   * @throws UsageError
   */
  parse(typed: string, option: string, before?: T): T;
}

const oneOf = <T extends string>(choices: readonly T[], placeholder: string): ValueType<T> => ({
  placeholder,
  choices,
  parse: (typed, option) => parseOneOf(choices, typed, option),
});

const wholeNumber = (min: number, max: number): ValueType<number> => ({
  placeholder: 'number',
  parse: (typed, option) => {
    const number = Number(typed);
    if (!/^\d+$/.test(typed) || number < min || number > max)
      throw new UsageError('notNumber', { option, value: typed, min, max });
    return number;
  },
});

const text = (placeholder: string, completes?: 'file' | 'folder'): ValueType<string> => ({
  placeholder,
  ...(completes === undefined ? {} : { completes }),
  parse: (typed, option) => nonEmpty(typed, option),
});

/** Maximum number of transcripts in a list. */
const maxListed = 1_000_000;

/** Orders of a list that is not a search. */
const listSorts = librarySorts.filter((sort) => sort !== 'relevance');

/** The same languages as in the window. */
const languages: readonly string[] = ['auto', ...spokenLanguages];

/** Formats that a terminal can show. */
const textFormats = exportFormats.filter((format) => format !== 'docx');

/** The shells that have a completion script. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** All kinds of values that options take, by name. */
export const valueKinds = {
  accuracy: oneOf(accuracies, 'mode'),
  credits: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  existing: oneOf(collisionPolicies, 'policy'),
  file: text('file', 'file'),
  folder: text('folder', 'folder'),
  formats: {
    placeholder: 'formats',
    choices: exportFormats,
    parse: (list, option) => [
      ...new Set(
        list.split(',').map((format) => parseOneOf(exportFormats, format.trim().toLowerCase(), option)),
      ),
    ],
  } satisfies ValueType<readonly (typeof exportFormats)[number][]>,
  language: {
    placeholder: 'code',
    choices: languages,
    parse: (typed, option) => {
      const code = typed.toLowerCase();
      if (!languages.includes(code))
        throw new UsageError('badLanguage', { option, value: typed, allowed: languages.join(', ') });
      return code;
    },
  } satisfies ValueType<string>,
  limit: wholeNumber(1, maxListed),
  port: wholeNumber(0, 65_535),
  preset: oneOf(subtitlePresets, 'preset'),
  rate: wholeNumber(1, 1_000_000_000),
  service: { placeholder: 'service', parse: (typed) => serviceOf(typed) } satisfies ValueType<ServiceAddress>,
  shell: oneOf(shells, 'shell'),
  sort: oneOf(listSorts, 'order'),
  speakerCount: wholeNumber(1, maxSpeakers),
  speakers: {
    placeholder: 'number',
    parse: (typed, option) => {
      if (typed === 'off') return typed;
      return typed === 'auto' ? 'automatic' : wholeNumber(1, maxSpeakers).parse(typed, option);
    },
  } satisfies ValueType<SpeakerOption>,
  template: {
    placeholder: 'name',
    parse: (typed, option) => templateOf(typed.trim(), option),
  } satisfies ValueType<string>,
  tags: {
    placeholder: 'tag',
    parse: (typed, option, before) => [...(before ?? []), tagOf(typed, option)],
  } satisfies ValueType<readonly string[]>,
  text: text('text'),
  textFormat: oneOf(textFormats, 'format'),
} as const;

export type ValueKind = keyof typeof valueKinds;

/** The type of a parsed value of this kind. */
export type ValueOf<K extends ValueKind> = ReturnType<(typeof valueKinds)[K]['parse']>;

/**
 * Reads the address of a service: `local`, or the base address of an account.
 *
 * @throws UsageError
 */
export function serviceOf(typed: string): ServiceAddress {
  if (typed === 'local') return 'on-device';
  try {
    return parseBaseUrl(typed);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    throw new UsageError('badService', { value: typed, reason: error.problem.detail ?? '' });
  }
}

/** @throws UsageError */
function nonEmpty(typed: string, option: string): string {
  if (typed === '') throw new UsageError('emptyValue', { option });
  return typed;
}

function parseOneOf<T extends string>(choices: readonly T[], typed: string, option: string): T {
  const found = choices.find((choice) => choice === typed);
  if (found === undefined)
    throw new UsageError('notOneOf', { option, value: typed, allowed: choices.join(', ') });
  return found;
}

function tagOf(typed: string, option: string): string {
  const tag = nonEmpty(typed.trim(), option);
  if (tag.length > maxTagLength) throw new UsageError('tooLong', { option, max: maxTagLength });
  return tag;
}

function templateOf(typed: string, option: string): string {
  const unknown = unknownField(typed);
  const fields = nameFields.map((name) => `{${name}}`).join(', ');
  if (unknown !== null) throw new UsageError('unknownField', { field: unknown, fields });
  return nonEmpty(typed, option);
}
