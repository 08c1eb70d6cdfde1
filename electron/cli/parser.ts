import { Argument, Command as Parser, CommanderError, Option } from 'commander';
import type { Translator } from '../core/translator.ts';
import {
  type CliCommandName,
  type CommandSpec,
  type OptionId,
  type OptionSpec,
  actionsOf,
  commandNames,
  commands,
  optionalArguments,
  optionName,
  options,
} from './command-table.ts';
import { valueKinds, type ValueDescription, type ValueKind, type ValueOf } from './option-values.ts';
import { UsageError } from './usage-error.ts';

type Value<O> = O extends { readonly value: infer K extends ValueKind } ? ValueOf<K> : boolean;

/** The options that were given to a command. */
export type Values<C extends CliCommandName> = {
  readonly [O in (typeof commands)[C]['options'][number]]?: Value<(typeof options)[O]>;
};

/** Whether a switch was given that not every command has. */
export const isSet = (values: Readonly<Partial<Record<OptionId, unknown>>>, option: OptionId): boolean =>
  values[option] === true;

/** A command as it was called; options are validated individually, not in combination. */
export type Invocation = {
  [C in CliCommandName]: { readonly name: C; readonly args: readonly string[]; readonly values: Values<C> };
}[CliCommandName];

export type Parsed =
  | { readonly kind: 'invocation'; readonly invocation: Invocation }
  /** A text to print: the help of a command, or the version. */
  | { readonly kind: 'text'; readonly text: string };

interface ParserOptions {
  readonly translator: Translator;
  readonly version: string;
  /** The width of the help, in characters. */
  readonly columns: number;
}

/**
 * Reads the arguments that follow the program's name.
 *
 * @throws UsageError
 */
export function parse(args: readonly string[], { translator, version, columns }: ParserOptions): Parsed {
  let text = '';
  let invocation: Invocation | null = null;
  const program = createParser(translator, (called) => (invocation = called)).version(
    version,
    '-V, --version',
    translator.translate('cli.help.version'),
  );
  forEachCommand(program, (command) =>
    command.exitOverride().configureOutput({
      writeOut: (part) => void (text += part),
      writeErr: () => undefined,
      getOutHelpWidth: () => columns,
    }),
  );
  try {
    program.parse(args.length === 0 ? ['--help'] : withImpliedValues(args), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (text !== '') return { kind: 'text', text: text.trimEnd() };
    throw usageErrorOf(error, args);
  }
  if (invocation === null) throw new Error('The parser has called no command.');
  return { kind: 'invocation', invocation };
}

/** Adds the implied value to each option that was given without its value. */
function withImpliedValues(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return args.map((arg, i) => {
    const isOption = end === -1 || i < end;
    const spec = isOption ? impliedValues.get(arg) : undefined;
    return spec === undefined || isValid(spec.kind, args[i + 1], arg) ? arg : `${arg}=${spec.implied}`;
  });
}

function isValid(kind: ValueKind, typed: string | undefined, option: string): boolean {
  if (typed === undefined) return false;
  // What looks like a number is meant as one, even if it is too large.
  if (/^\d+$/.test(typed)) return true;
  try {
    valueKinds[kind].parse(typed, option, undefined as never);
    return true;
  } catch {
    return false;
  }
}

/** Options whose value may be left out, by how they are written. */
const impliedValues: ReadonlyMap<string, { readonly kind: ValueKind; readonly implied: string }> = new Map(
  (Object.keys(options) as OptionId[]).flatMap((id) => {
    const { value, implied }: OptionSpec = options[id];
    return value === undefined || implied === undefined
      ? []
      : [[`--${optionName(id)}`, { kind: value, implied }] as const];
  }),
);

/**
 * Creates the parser from the command table.
 *
 * @param onInvocation gets the command that the arguments call.
 */
function createParser(translator: Translator, onInvocation: (invocation: Invocation) => void): Parser {
  const helpText = (key: string): string => translator.translate(`cli.help.${key}`);
  const lines = (key: string): string => translator.translate(`cli.help.${key}`, { joinArrays: '\n' });
  const program = new Parser('longhand')
    .description(lines('about'))
    .usage(helpText('usage'))
    .helpOption('-h, --help', helpText('help'))
    .helpCommand('help [command]', helpText('help'))
    .enablePositionalOptions()
    .addHelpText('after', `\n${lines('environment')}\n\n${lines('exitCodes')}`);
  const groups = new Map<string, Parser>();
  for (const name of commandNames) {
    const [first = name, second] = name.split(' ');
    let parent = program;
    if (second !== undefined) {
      parent =
        groups.get(first) ??
        program
          .command(first)
          .description(translator.translate(`cli.group.${first}`))
          .helpCommand(false);
      parent.helpOption('-h, --help', helpText('help'));
      groups.set(first, parent);
    }
    addCommand(parent, name, translator, onInvocation);
  }
  return program;
}

/** Calls `visit` with a parser and all that it contains. */
function forEachCommand(parser: Parser, visit: (command: Parser) => void): void {
  visit(parser);
  for (const command of parser.commands) forEachCommand(command, visit);
}

/** Returns the key of a command's texts, under `cli.command` in the locale. */
export const textKey = (name: CliCommandName): string => `cli.command.${name.replace(' ', '-')}`;

function addCommand(
  parent: Parser,
  name: CliCommandName,
  translator: Translator,
  onInvocation: (invocation: Invocation) => void,
): void {
  const spec: CommandSpec = commands[name];
  const texts = textKey(name);
  const command = parent
    .command(name.split(' ').at(-1) ?? name, { hidden: spec.isHidden === true })
    .summary(translator.translate(`${texts}.summary`))
    .description(translator.translate([`${texts}.description`, `${texts}.summary`], { joinArrays: '\n' }))
    .helpOption('-h, --help', translator.translate('cli.help.help'));
  const { argument } = spec;
  if (argument !== undefined) {
    const usage = argument.many === true ? `${argument.name}...` : argument.name;
    const isOptional = optionalArguments.has(name);
    const described = new Argument(
      isOptional ? `[${usage}]` : `<${usage}>`,
      translator.translate(`cli.argument.${argument.name}`),
    );
    command.addArgument(described);
  }
  for (const id of spec.options) command.addOption(createOption(name, id, translator));
  command.allowExcessArguments().action(() => {
    const surplus = argument?.many === true ? undefined : command.args[argument === undefined ? 0 : 1];
    if (surplus !== undefined) throw new UsageError('surplus', { value: surplus });
    // As a path, an empty argument (an unset variable of a script) would be the working folder with all that is in it.
    if (argument !== undefined && command.args.includes('')) throw new UsageError(`missing.${argument.name}`);
    const values = Object.fromEntries(
      spec.options.flatMap((id) => {
        const value: unknown = command.getOptionValue(id);
        return value === undefined ? [] : [[id, value]];
      }),
    );
    // The table and the kinds of values guarantee this type.
    onInvocation({ name, args: command.args, values } as Invocation);
  });
}

/** An option of a command, as the help, the man page and the completions describe it. */
export interface DescribedOption {
  /** With its dashes. */
  readonly flag: string;
  readonly text: string;
  /** `null` for a switch. */
  readonly value: ValueDescription | null;
}

/** Returns the description of an option. */
export function describeOption(
  command: CliCommandName,
  id: OptionId,
  translator: Translator,
): DescribedOption {
  const { value: kind }: OptionSpec = options[id];
  const value: ValueDescription | null = kind === undefined ? null : valueKinds[kind];
  const choices = value?.choices?.join(', ') ?? '';
  const text = translator.translate([`${textKey(command)}.option.${id}`, `cli.option.${id}`], { choices });
  return { flag: `--${optionName(id)}`, text, value };
}

function createOption(command: CliCommandName, id: OptionId, translator: Translator): Option {
  const { value, implied }: OptionSpec = options[id];
  const { flag, text } = describeOption(command, id, translator);
  if (value === undefined) return withAttributeName(new Option(flag, text), id);
  const kind = valueKinds[value];
  const placeholder = implied === undefined ? `<${kind.placeholder}>` : `[${kind.placeholder}]`;
  const option = new Option(`${flag} ${placeholder}`, text);
  return withAttributeName(option, id).argParser((typed: string, before: unknown): unknown =>
    // `before` was produced by the same `kind.parse`, so the cast is safe.
    kind.parse(typed, flag, before as never),
  );
}

/** Stores the value of an option by its key in the table. */
const withAttributeName = (option: Option, id: OptionId): Option =>
  Object.assign(option, { attributeName: (): string => id });

/** Converts an error of the parser to our own, with values that are parsed from the parser's message. */
function usageErrorOf({ code, message }: CommanderError, [group = '']: readonly string[]): UsageError {
  const [, value = ''] = /'(.*)'/s.exec(message) ?? [];
  const [, meant] = /\n\(Did you mean (?:one of )?(.+)\?\)$/.exec(message) ?? [];
  const suggested = meant === undefined ? '' : 'Suggested';
  switch (code) {
    case 'commander.unknownOption':
      return new UsageError(`unknownOption${suggested}`, { option: value, meant: meant ?? '' });
    case 'commander.unknownCommand':
      return new UsageError(`unknownCommand${suggested}`, { command: value, meant: meant ?? '' });
    case 'commander.optionMissingArgument':
      return new UsageError('valueMissing', { option: value.split(' ')[0] ?? value });
    case 'commander.missingArgument':
      return new UsageError(`missing.${value}`);
    case 'commander.help':
      return new UsageError('actionMissing', {
        command: `longhand ${group}`,
        actions: actionsOf(group).join(', '),
      });
    default:
      return new UsageError('badOption', { detail: message });
  }
}
