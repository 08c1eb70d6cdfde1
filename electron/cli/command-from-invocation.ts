import type { TranscriptChoice } from '../core/library/choose-transcripts.ts';
import { parseQuery } from '../core/transcript/search/search-query.ts';
import { omitUndefined } from '../core/omit-undefined.ts';
import type { CliCommand, ExportRequest } from './cli-command.ts';
import { valueKinds } from './option-values.ts';
import { type Invocation, type Values, isSet } from './parser.ts';
import { UsageError } from './usage-error.ts';

/**
 * Converts a parsed invocation into a command: the options that belong together, and the defaults.
 *
 * @throws UsageError when options contradict each other.
 */
export function commandFromInvocation({ name, args, values }: Invocation): CliCommand {
  switch (name) {
    case 'transcribe': {
      const { service = null, language, accuracy, translate, speakers, terms = null } = values;
      return {
        kind: name,
        recordings: args,
        service,
        options: omitUndefined({ language, accuracy, translateToEnglish: translate, speakers }),
        termsFile: terms,
        tags: values['add-tag'] ?? [],
        again: values.again ?? false,
        dryRun: values['dry-run'] ?? false,
        exportRequest: exportRequestOf(values),
        partial: values.partial ?? false,
        json: values.json ?? false,
      };
    }
    case 'watch': {
      const { service = null, language, accuracy } = values;
      return {
        kind: name,
        folders: args,
        service,
        options: omitUndefined({ language, accuracy }),
        exportRequest: exportRequestOf(values),
        tags: values['add-tag'] ?? [],
        json: values.json ?? false,
      };
    }
    case 'resume': {
      const { partial = false, json = false } = values;
      const names = args.length === 0 ? null : args;
      return { kind: name, names, exportRequest: exportRequestOf(values), partial, json };
    }
    case 'retry':
    case 'cancel': {
      const { all = false, json = false } = values;
      if (all === args.length > 0) throw new UsageError('chooseQueued');
      return { kind: name, names: all ? null : args, partial: isSet(values, 'partial'), json };
    }
    case 'import':
      return { kind: name, files: args, tags: values['add-tag'] ?? [], json: values.json ?? false };
    case 'list': {
      const { tag = null, sort = 'newest', limit = null, json = false } = values;
      return { kind: name, query: '', tag, sort, limit, json };
    }
    case 'search': {
      const { tag = null, limit = null, json = false } = values;
      const query = args.join(' ');
      if (parseQuery(query).required.length === 0) throw new UsageError('searchEmpty');
      return { kind: name, query, tag, sort: 'relevance', limit, json };
    }
    case 'show': {
      const { format = 'txt', notes = false } = values;
      return { kind: name, name: args[0] ?? '', format, notes };
    }
    case 'status':
      return { kind: name, json: values.json ?? false };
    case 'export': {
      const { existing = 'number', highlights = false, notes = false, json = false } = values;
      const transcripts = transcriptChoiceFrom(args, values);
      const scope = { highlightsOnly: highlights, notes };
      return { kind: name, transcripts, exportRequest: exportRequestOf(values), existing, scope, json };
    }
    case 'speakers': {
      const { count = null, models = null, json = false } = values;
      return { kind: name, names: args, count, modelsFolder: models, json };
    }
    case 'doctor':
      return { kind: name, json: values.json ?? false };
    case 'completion':
      return { kind: 'generate', document: valueKinds.shell.parse(args[0] ?? '', 'shell') };
    case 'man-page':
      return { kind: 'generate', document: name };
    case 'models list':
      return { kind: 'models', action: 'list', json: values.json ?? false };
    case 'models download':
    case 'models remove': {
      const action = name === 'models download' ? 'download' : 'remove';
      return { kind: 'models', action, model: args[0] ?? '', json: values.json ?? false };
    }
    case 'models use': {
      const { accuracy = 'accurate', json = false } = values;
      return { kind: 'models', action: 'use', model: args[0] ?? '', accuracy, json };
    }
    case 'library backup': {
      const { replace = false, json = false } = values;
      return { kind: 'backup', file: args[0] ?? '', replace, json };
    }
    case 'library restore':
      return { kind: 'restore', file: args[0] ?? '', json: values.json ?? false };
    case 'key set':
    case 'key remove':
    case 'key status': {
      const { service = null, json = false } = values;
      const action = name === 'key set' ? 'set' : name === 'key remove' ? 'remove' : 'status';
      return { kind: 'key', action, service, json };
    }
    case 'serve': {
      const { host = '127.0.0.1', port = 0, data = null, key = null, credits = null, rate = null } = values;
      return { kind: name, host, port, dataFolder: data, key, credits, requestsPerMinute: rate };
    }
  }
}

/**
 * Returns which transcripts were chosen: all, those that a search or a tag finds, or named ones. Exactly one of these
 * must be given, so that no more is exported than intended.
 */
function transcriptChoiceFrom(
  names: readonly string[],
  { all = false, search, tag }: Pick<Values<'export'>, 'all' | 'search' | 'tag'>,
): TranscriptChoice {
  const choices = [all, search !== undefined || tag !== undefined, names.length > 0];
  if (choices.filter(Boolean).length !== 1) throw new UsageError('chooseOneWay');
  if (names.length > 0) return { kind: 'named', names };
  // A search with only exclusions would find everything.
  if (search !== undefined && parseQuery(search).required.length === 0) throw new UsageError('searchEmpty');
  return { kind: 'found', query: search ?? '', tag: tag ?? null };
}

function exportRequestOf({
  to,
  out,
  template,
  preset,
  words,
}: Pick<Values<'resume'>, 'to' | 'out' | 'template' | 'preset' | 'words'>): ExportRequest {
  return {
    formats: to ?? null,
    folder: out ?? null,
    overrides: omitUndefined({ template, subtitles: preset, words }),
  };
}
