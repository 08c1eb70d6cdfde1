import type { Translator } from '../core/translator.ts';
import {
  type CliCommandName,
  type CommandSpec,
  type OptionId,
  actionsOf,
  commandNames,
  commands,
} from './command-table.ts';
import { shells, type Shell } from './option-values.ts';
import { describeOption, textKey } from './parser.ts';

/** Returns the script that makes a shell complete commands, options, their values and files. It starts no program. */
export function completionScript(shell: Shell, translator: Translator): string {
  const model = modelOf(translator);
  switch (shell) {
    case 'bash':
      return bash(model);
    case 'zsh':
      return zsh(model);
    case 'fish':
      return fish(model);
  }
}

interface CompletedOption {
  /** With its dashes. */
  readonly flag: string;
  readonly text: string;
  readonly values: readonly string[];
  readonly completes: 'file' | 'folder' | 'nothing' | null;
}

interface CompletedCommand {
  /** One word, or two for a command of a group. */
  readonly words: readonly [string] | readonly [string, string];
  readonly text: string;
  readonly options: readonly CompletedOption[];
  /** What its argument is completed with. */
  readonly argument: 'files' | 'shells' | 'nothing';
}

interface CompletionModel {
  readonly commands: readonly CompletedCommand[];
  /** The first words of the commands, each with its text. */
  readonly firstWords: readonly (readonly [string, string])[];
}

function modelOf(translator: Translator): CompletionModel {
  const visible = commandNames.flatMap((name) => {
    const spec: CommandSpec = commands[name];
    return spec.isHidden === true ? [] : [completedCommand(name, spec, translator)];
  });
  const texts = visible.map(({ words: [first, second], text }): [string, string] => [
    first,
    second === undefined ? text : translator.translate(`cli.group.${first}`),
  ]);
  return { commands: visible, firstWords: [...new Map(texts)] };
}

function completedCommand(name: CliCommandName, spec: CommandSpec, translator: Translator): CompletedCommand {
  const [first = name, second] = name.split(' ');
  const kind = spec.argument?.kind;
  return {
    words: second === undefined ? [first] : [first, second],
    text: translator.translate(`${textKey(name)}.summary`),
    options: [
      ...spec.options.map((id) => completedOption(name, id, translator)),
      { flag: '--help', text: translator.translate('cli.help.help'), values: [], completes: null },
    ],
    argument: kind === 'path' ? 'files' : kind === 'shell' ? 'shells' : 'nothing',
  };
}

function completedOption(command: CliCommandName, id: OptionId, translator: Translator): CompletedOption {
  const { flag, text, value } = describeOption(command, id, translator);
  return {
    flag,
    text,
    values: value?.choices ?? [],
    completes: value === null ? null : (value.completes ?? 'nothing'),
  };
}

/** Returns the options that take a value, each flag once. */
const optionsWithValues = ({ commands: all }: CompletionModel): readonly CompletedOption[] => [
  ...new Map(
    all
      .flatMap((command) => command.options)
      .filter(({ completes }) => completes !== null)
      .map((option) => [option.flag, option]),
  ).values(),
];

const groupsOf = (model: CompletionModel): readonly string[] =>
  model.firstWords.map(([first]) => first).filter((first) => actionsOf(first).length > 0);

function bash(model: CompletionModel): string {
  const values = optionsWithValues(model).map(({ flag, values: choices, completes }) => {
    const action =
      choices.length > 0
        ? `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current"))`
        : completes === 'folder'
          ? 'compopt -o filenames; COMPREPLY=($(compgen -d -- "$current"))'
          : completes === 'file'
            ? 'compopt -o filenames; COMPREPLY=($(compgen -f -- "$current"))'
            : ':';
    return `    ${flag}) ${action}; return ;;`;
  });
  const groups = groupsOf(model).map(
    (group) =>
      `  if [ "$COMP_CWORD" = 2 ] && [ "\${COMP_WORDS[1]}" = ${group} ]; then
    COMPREPLY=($(compgen -W '${actionsOf(group).join(' ')}' -- "$current")); return
  fi`,
  );
  const cases = model.commands.map(({ words: names, options: commandOptions, argument }) => {
    const pattern = names.length === 1 ? `${names[0]}\\ *` : names.join('\\ ');
    const flags = commandOptions.map(({ flag }) => flag).join(' ');
    return `    ${pattern}) options='${flags}'; argument=${argument} ;;`;
  });
  return `# Completion of longhand for bash. Made by: longhand completion bash
_longhand() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  local options='' argument=nothing IFS=$'\\n'
  IFS=$' \\t\\n'
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    compopt -o filenames
    IFS=$'\\n'
    COMPREPLY=($(IFS=' '; compgen -W '${model.firstWords.map(([first]) => first).join(' ')} help --help --version' -- "$current"; compgen -f -- "$current"))
    return
  fi
  case "$previous" in
${values.join('\n')}
  esac
${groups.join('\n')}
  case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${cases.join('\n')}
  esac
  if [[ "$current" = -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [ "$argument" = files ]; then
    compopt -o filenames
    IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$current"))
  elif [ "$argument" = shells ]; then
    COMPREPLY=($(compgen -W '${shells.join(' ')}' -- "$current"))
  fi
}
complete -F _longhand longhand
`;
}

/** Returns a name with its text in the form that zsh's `_describe` takes. */
const describeForZsh = (name: string, text: string): string =>
  quote(`${name.replaceAll(':', '\\:')}:${text}`);

function zsh(model: CompletionModel): string {
  const values = optionsWithValues(model).map(({ flag, values: choices, completes }) => {
    const action =
      choices.length > 0
        ? `compadd -- ${choices.join(' ')}`
        : completes === 'folder'
          ? '_files -/'
          : completes === 'file'
            ? '_files'
            : ':';
    return `    (${flag}) ${action}; return ;;`;
  });
  const groups = groupsOf(model).map((group) => {
    const actions = model.commands.flatMap(({ words: [first, second], text }) =>
      first === group && second !== undefined ? [describeForZsh(second, text)] : [],
    );
    return `  if (( CURRENT == 3 )) && [[ $words[2] == ${group} ]]; then
    found=(${actions.join(' ')})
    _describe command found; return
  fi`;
  });
  const cases = model.commands.map(({ words: names, options: commandOptions, argument }) => {
    const pattern = names.length === 1 ? `${names[0]}\\ *` : names.join('\\ ');
    const flags = commandOptions.map(({ flag, text }) => describeForZsh(flag, text)).join(' ');
    return `    (${pattern}) argument=${argument}; found=(${flags}) ;;`;
  });
  return `#compdef longhand
# Completion of longhand for zsh. Made by: longhand completion zsh
_longhand() {
  local argument=nothing
  local -a found
  if (( CURRENT == 2 )); then
    found=(${model.firstWords.map(([first, text]) => describeForZsh(first, text)).join(' ')})
    _describe command found
    _files; return
  fi
  case "$words[CURRENT - 1]" in
${values.join('\n')}
  esac
${groups.join('\n')}
  case "$words[2] $words[3]" in
${cases.join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o option found
  elif [[ $argument == files ]]; then
    _files
  elif [[ $argument == shells ]]; then
    compadd -- ${shells.join(' ')}
  fi
}
_longhand "$@"
`;
}

function fish(model: CompletionModel): string {
  const lines = model.firstWords.map(
    ([first, text]) => `complete -c longhand -n __fish_use_subcommand -a ${first} -d ${quote(text)}`,
  );
  for (const { words: names, text, options: commandOptions, argument } of model.commands) {
    const [first, second] = names;
    const groupCondition = `__fish_seen_subcommand_from ${first}`;
    const actions = actionsOf(first).join(' ');
    if (second !== undefined)
      lines.push(
        `complete -c longhand -f -n ${quote(`${groupCondition}; and not __fish_seen_subcommand_from ${actions}`)} -a ${second} -d ${quote(text)}`,
      );
    const condition = quote(
      second === undefined ? groupCondition : `${groupCondition}; and __fish_seen_subcommand_from ${second}`,
    );
    if (argument === 'nothing') lines.push(`complete -c longhand -f -n ${condition}`);
    if (argument === 'shells')
      lines.push(`complete -c longhand -f -n ${condition} -a ${quote(shells.join(' '))}`);
    for (const { flag, text: note, values, completes } of commandOptions) {
      const value =
        values.length > 0
          ? ` -x -a ${quote(values.join(' '))}`
          : completes === 'folder'
            ? " -x -a '(__fish_complete_directories)'"
            : completes === 'file'
              ? ' -r -F'
              : completes === 'nothing'
                ? ' -x'
                : '';
      lines.push(`complete -c longhand -n ${condition} -l ${flag.slice(2)}${value} -d ${quote(note)}`);
    }
  }
  return `# Completion of longhand for fish. Made by: longhand completion fish\n${lines.join('\n')}\n`;
}

/** Quotes a text for a shell. Removes backslashes, since in fish one before the closing quote would escape it. */
const quote = (text: string): string => `'${text.replaceAll("'", '’').replaceAll('\\', '')}'`;
