import type { Translator } from '../core/translator.ts';
import {
  type CliCommandName,
  type CommandSpec,
  commandNames,
  commands,
  optionalArguments,
} from './command-table.ts';
import { describeOption, textKey } from './parser.ts';

/** Returns the manual page of the program, in the language of `man`. */
export function manPage(translator: Translator, version: string): string {
  const lines = (key: string): readonly string[] =>
    translator.translate(`cli.help.${key}`, { joinArrays: '\n' }).split('\n');
  const visibleNames = commandNames.filter((name) => (commands[name] as CommandSpec).isHidden !== true);
  return [
    `.TH LONGHAND 1 "" "Longhand ${version}" "User Commands"`,
    // No hyphenation, which would break the names of options and files.
    '.nh',
    '.SH NAME',
    `longhand \\- ${roff(translator.translate('cli.help.purpose'))}`,
    '.SH SYNOPSIS',
    '.B longhand',
    '.RI [ path ...]',
    '.br',
    '.B longhand',
    '.I command',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    ...lines('about').map((line) => (line === '' ? '.PP' : roff(line))),
    '.SH COMMANDS',
    ...visibleNames.flatMap((name) => commandSection(name, translator)),
    '.SH ENVIRONMENT',
    ...lines('environment').map(roff),
    '.SH EXIT STATUS',
    ...lines('exitCodes').map(roff),
    '',
  ].join('\n');
}

function commandSection(name: CliCommandName, translator: Translator): readonly string[] {
  const spec: CommandSpec = commands[name];
  const { argument } = spec;
  const texts = textKey(name);
  const argumentText = argument === undefined ? '' : `${argument.name}${argument.many === true ? '...' : ''}`;
  const usage =
    argumentText === '' ? '' : optionalArguments.has(name) ? ` [${argumentText}]` : ` ${argumentText}`;
  const description = translator.translate([`${texts}.description`, `${texts}.summary`], { joinArrays: ' ' });
  const optionLines = spec.options.flatMap((id) => {
    const { flag, text, value } = describeOption(name, id, translator);
    const placeholder = value === null ? '' : ` \\fI${roff(value.placeholder)}\\fR`;
    return ['.TP', `\\fB${roff(flag)}\\fR${placeholder}`, roff(text)];
  });
  const argumentLines =
    argument === undefined
      ? []
      : [
          '.TP',
          `\\fI${roff(argument.name)}\\fR`,
          roff(translator.translate(`cli.argument.${argument.name}`)),
        ];
  return [`.SS longhand ${roff(name)}${roff(usage)}`, roff(description), ...argumentLines, ...optionLines];
}

/** Escapes a text: a dash would become a hyphen, and a line must not begin with a request. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
