import { ProblemError, type Problem } from '../contract/problem.ts';
import { parseCommand, UsageError } from './arguments.ts';
import type { Command } from './cli-command.ts';
import type { Reporter } from './reporting/run-events.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { exportTranscripts } from './commands/export-command.ts';
import { JsonReporter } from './reporting/json-reporter.ts';
import { key } from './commands/key-command.ts';
import { backUp, restore } from './commands/backup-commands.ts';
import { libraryReporter } from './reporting/library-reporters.ts';
import { resume } from './commands/resume-command.ts';
import { serve } from './commands/serve-command.ts';
import { identifySpeakers } from './commands/speakers-command.ts';
import { status } from './commands/status-command.ts';
import { StatusLine } from './reporting/status-line.ts';
import type { CommandLineSystem } from './command-line-system.ts';
import { TextReporter } from './reporting/text-reporter.ts';
import { safeOutput } from './reporting/wording.ts';
import { transcribe } from './commands/transcribe-command.ts';

/**
 * Runs one command of the command line.
 *
 * @param args what follows the program's name.
 * @returns the exit code. Nothing is thrown: every problem has been printed.
 */
export async function runCommandLine(args: readonly string[], given: CommandLineSystem): Promise<ExitCode> {
  const system = { ...given, output: safeOutput(given.output), errors: safeOutput(given.errors) };
  const { errors, words, interrupted } = system;
  try {
    const command = parseCommand(args);
    const usesSettings = command.kind !== 'help' && command.kind !== 'version' && command.kind !== 'serve';
    const settingsProblem = usesSettings ? system.settings().problem : null;
    if (settingsProblem !== null) printProblem(settingsProblem, system);
    return await runCommand(command, system);
  } catch (error) {
    if (error instanceof UsageError) {
      errors.write(
        `${words.say(`cli.usage.${error.key}`, error.values)}\n${words.say('cli.usage.seeHelp')}\n`,
      );
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

async function runCommand(command: Command, system: CommandLineSystem): Promise<ExitCode> {
  const { output, words, version } = system;
  switch (command.kind) {
    case 'transcribe':
      return withReporter(queueReporter(command.json, system), (reporter) =>
        transcribe(command, system, reporter),
      );
    case 'resume':
      return withReporter(queueReporter(command.json, system), (reporter) =>
        resume(command, system, reporter),
      );
    case 'export':
      return withReporter(libraryReporter(command.json, system), (reporter) =>
        exportTranscripts(command, system, reporter),
      );
    case 'backup':
      return withReporter(libraryReporter(command.json, system), (reporter) =>
        backUp(command, system, reporter),
      );
    case 'restore':
      return withReporter(libraryReporter(command.json, system), (reporter) =>
        restore(command, system, reporter),
      );
    case 'speakers':
      return withReporter(libraryReporter(command.json, system), (reporter) =>
        identifySpeakers(command, system, reporter),
      );
    case 'serve':
      return serve(command, system);
    case 'status':
      return status(command, system);
    case 'key':
      return key(command, system);
    case 'help':
      output.write(`${words.say('cli.help', { joinArrays: '\n' })}\n`);
      return exitCode.done;
    case 'version':
      output.write(`${version}\n`);
      return exitCode.done;
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
