import { ProblemError, type Problem } from '../contract/problem.ts';
import type { Command } from './cli-command.ts';
import { commandFromCall } from './command-from-call.ts';
import { commandNames, firstWords } from './command-table.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { parse } from './parser.ts';
import { JsonReporter } from './reporting/json-reporter.ts';
import { libraryReporter } from './reporting/library-reporters.ts';
import type { Reporter } from './reporting/run-events.ts';
import { StatusLine } from './reporting/status-line.ts';
import type { CommandLineSystem } from './command-line-system.ts';
import { TextReporter } from './reporting/text-reporter.ts';
import { safeOutput } from './reporting/wording.ts';
import { UsageError } from './usage-error.ts';

/** Width of the help where no terminal has one, in characters. */
const helpColumns = 100;

/**
 * Runs one command of the command line.
 *
 * @param args what follows the program's name.
 * @returns the exit code. Nothing is thrown: every problem has been printed.
 */
export async function runCommandLine(args: readonly string[], given: CommandLineSystem): Promise<ExitCode> {
  const system = { ...given, output: safeOutput(given.output), errors: safeOutput(given.errors) };
  const { output, errors, words, interrupted, version } = system;
  try {
    const parsed = parse(args, { words, version, columns: output.isTerminal ? output.columns : helpColumns });
    if (parsed.kind === 'text') {
      output.write(`${parsed.text}\n`);
      return exitCode.done;
    }
    const command = commandFromCall(parsed.call);
    const settingsProblem = command.kind === 'serve' ? null : system.settings().problem;
    if (settingsProblem !== null) printProblem(settingsProblem, system);
    return await runCommand(command, system);
  } catch (error) {
    if (error instanceof UsageError) {
      errors.write(`${words.say(`cli.usage.${error.key}`, error.values)}\n`);
      errors.write(`${words.say('cli.usage.seeHelp', { help: helpFor(args) })}\n`);
      return exitCode.wrongUsage;
    }
    if (interrupted.aborted) return exitCode.interrupted;
    if (error instanceof ProblemError) {
      printProblem(error.problem, system);
      return exitCode.needsUser;
    }
    printProblem(
      { code: 'internal', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) },
      system,
    );
    return exitCode.someFailed;
  }
}

/** Returns the command that prints the help for what was typed. */
function helpFor(args: readonly string[]): string {
  const [first = ''] = args;
  const command = commandNames.find((name) => `${args.join(' ')} `.startsWith(`${name} `));
  const topic = command ?? (firstWords.has(first) ? first : '');
  return ['longhand', topic, '--help'].filter((word) => word !== '').join(' ');
}

/** Loads a command's module and runs it: a start loads no more than it needs. */
async function runCommand(command: Command, system: CommandLineSystem): Promise<ExitCode> {
  switch (command.kind) {
    case 'transcribe': {
      const { transcribe } = await import('./commands/transcribe-command.ts');
      return withReporter(queueReporter(command.json, system), (to) => transcribe(command, system, to));
    }
    case 'resume': {
      const { resume } = await import('./commands/resume-command.ts');
      return withReporter(queueReporter(command.json, system), (to) => resume(command, system, to));
    }
    case 'export': {
      const { exportTranscripts } = await import('./commands/export-command.ts');
      return withReporter(libraryReporter(command.json, system), (to) =>
        exportTranscripts(command, system, to),
      );
    }
    case 'backup': {
      const { backUp } = await import('./commands/backup-commands.ts');
      return withReporter(libraryReporter(command.json, system), (to) => backUp(command, system, to));
    }
    case 'restore': {
      const { restore } = await import('./commands/backup-commands.ts');
      return withReporter(libraryReporter(command.json, system), (to) => restore(command, system, to));
    }
    case 'speakers': {
      const { identifySpeakers } = await import('./commands/speakers-command.ts');
      return withReporter(libraryReporter(command.json, system), (to) =>
        identifySpeakers(command, system, to),
      );
    }
    case 'serve': {
      const { serve } = await import('./commands/serve-command.ts');
      return serve(command, system);
    }
    case 'status': {
      const { status } = await import('./commands/status-command.ts');
      return status(command, system);
    }
    case 'key': {
      const { key } = await import('./commands/key-command.ts');
      return key(command, system);
    }
  }
}

function queueReporter(json: boolean, { output, errors, words, clock }: CommandLineSystem): Reporter {
  return json
    ? new JsonReporter(output, words, clock)
    : new TextReporter(output, new StatusLine(errors, clock), words);
}

async function withReporter<T extends { close(): void }>(
  reporter: T,
  work: (reporter: T) => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await work(reporter);
  } finally {
    reporter.close();
  }
}

function printProblem(problem: Problem, { errors, words }: CommandLineSystem): void {
  errors.write(`${words.problem(problem)}\n`);
  if (problem.detail !== undefined) errors.write(`${problem.detail}\n`);
}
