import { storageProblem } from '../core/storage-problem.ts';
import { ProblemError, type Problem } from '../contract/problem.ts';
import { delay } from '../core/delay.ts';
import { readLeaseProgram } from '../core/store/database/lease.ts';
import type { CliCommand } from './cli-command.ts';
import { commandFromInvocation } from './command-from-invocation.ts';
import { commandNames, firstWords } from './command-table.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { isSet, parse } from './parser.ts';
import { JsonReporter } from './reporting/json-reporter.ts';
import { libraryReporter, type LibraryEvent, type LibraryReporter } from './reporting/library-reporters.ts';
import type { EventReporter, Reporter, RunEvent } from './reporting/run-events.ts';
import { StatusLine } from './reporting/status-line.ts';
import type { CommandLineSystem, TextOutput } from './command-line-system.ts';
import { TextReporter } from './reporting/text-reporter.ts';
import { printableOutput } from './reporting/wording.ts';
import { UsageError } from './usage-error.ts';

/** How often a busy data folder is checked, in milliseconds. */
const busyPollMs = 500;

/** Width of the help when it is not printed on a terminal, in characters. */
const helpColumns = 100;

/**
 * Parses arguments, executes the command that they name, and prints every problem.
 *
 * @param args what follows the program's name.
 * @returns the exit code; nothing is thrown.
 */
export async function runCommandLine(
  args: readonly string[],
  rawSystem: CommandLineSystem,
): Promise<ExitCode> {
  const system = {
    ...rawSystem,
    stdout: printableOutput(rawSystem.stdout),
    stderr: printableOutput(rawSystem.stderr),
  };
  const { stdout, stderr, translator, interrupted, version } = system;
  try {
    const parsed = parse(args, {
      translator,
      version,
      columns: stdout.isTerminal ? stdout.columns : helpColumns,
    });
    if (parsed.kind === 'text') {
      stdout.write(`${parsed.text}\n`);
      return exitCode.done;
    }
    const command = commandFromInvocation(parsed.invocation);
    const { values } = parsed.invocation;
    const needsSettings = command.kind !== 'serve' && command.kind !== 'generate';
    const settingsProblem = needsSettings ? system.settings().problem : null;
    if (settingsProblem !== null) printProblem(settingsProblem, system);
    if (isSet(values, 'wait')) await waitUntilFree(system);
    const reporting = withStartProblems(isSet(values, 'verbose') ? withLog(system) : system);
    return await executeCommand(command, { ...reporting, quiet: isSet(values, 'quiet') });
  } catch (error) {
    if (error instanceof UsageError) {
      stderr.write(`${translator.translate(`cli.usage.${error.key}`, error.values)}\n`);
      stderr.write(`${translator.translate('cli.usage.seeHelp', { help: helpFor(args) })}\n`);
      return exitCode.wrongUsage;
    }
    if (interrupted.aborted) return exitCode.interrupted;
    // The user has to resolve a full disk or a taken-over folder, whichever command meets it.
    const problem = storageProblem(error);
    if (error instanceof ProblemError || problem.code !== 'internal') {
      printProblem(problem, system);
      return exitCode.needsUser;
    }
    printProblem(
      { code: 'internal', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) },
      system,
    );
    return exitCode.someFailed;
  }
}

/** Also prints what opening the data folder has found and repaired. */
const withStartProblems = (system: CommandLineSystem): CommandLineSystem => ({
  ...system,
  openCore: (...options) => {
    const core = system.openCore(...options);
    for (const problem of core.longhand.startProblems) printProblem(problem, system);
    return core;
  },
});

/** Also prints log lines. The progress is then not updated in place, since log lines would break that line. */
function withLog(system: CommandLineSystem): CommandLineSystem {
  const { stderr } = system;
  system.printLog((line) => stderr.write(`${line}\n`));
  const plainOutput: TextOutput = {
    isTerminal: false,
    columns: stderr.columns,
    write: (text) => stderr.write(text),
    clearLine: () => undefined,
  };
  return { ...system, stderr: plainOutput };
}

/** Returns the command that prints the help for what was typed. */
function helpFor(args: readonly string[]): string {
  const [first = ''] = args;
  const command = commandNames.find((name) => `${args.join(' ')} `.startsWith(`${name} `));
  const topic = command ?? (firstWords.has(first) ? first : '');
  return ['longhand', topic, '--help'].filter((word) => word !== '').join(' ');
}

/** Loads a command's module and runs it: a start loads no more than it needs. */
async function executeCommand(command: CliCommand, system: QuietSystem): Promise<ExitCode> {
  switch (command.kind) {
    case 'transcribe':
      return reportRun(command, system, (await import('./commands/transcribe-command.ts')).transcribe);
    case 'resume':
      return reportRun(command, system, (await import('./commands/resume-command.ts')).resume);
    case 'retry':
    case 'cancel':
      return reportRun(command, system, (await import('./commands/queued-commands.ts')).changeQueued);
    case 'watch':
      return reportRun(command, system, (await import('./commands/watch-command.ts')).watch);
    case 'export':
      return reportLibrary(command, system, (await import('./commands/export-command.ts')).exportTranscripts);
    case 'backup':
      return reportLibrary(command, system, (await import('./commands/backup-commands.ts')).backUp);
    case 'restore':
      return reportLibrary(command, system, (await import('./commands/backup-commands.ts')).restore);
    case 'speakers':
      return reportLibrary(
        command,
        system,
        (await import('./commands/speakers-command.ts')).identifySpeakers,
      );
    case 'import':
      return reportLibrary(command, system, (await import('./commands/import-command.ts')).importTranscripts);
    case 'list':
    case 'search':
      return reportLibrary(command, system, (await import('./commands/list-command.ts')).list);
    case 'show':
      return reportLibrary(command, system, (await import('./commands/show-command.ts')).show);
    case 'models':
      return (await import('./commands/models-command.ts')).manageModels(command, system);
    case 'doctor':
      return (await import('./commands/doctor-command.ts')).doctor(command, system);
    case 'serve':
      return (await import('./commands/serve-command.ts')).serve(command, system);
    case 'status':
      return (await import('./commands/status-command.ts')).status(command, system);
    case 'key':
      return (await import('./commands/key-command.ts')).key(command, system);
    case 'generate': {
      const { stdout, translator, version } = system;
      if (command.document === 'man-page') {
        const { manPage } = await import('./man-page.ts');
        stdout.write(manPage(translator, version));
      } else {
        const { completionScript } = await import('./completions.ts');
        stdout.write(completionScript(command.document, translator));
      }
      return exitCode.done;
    }
  }
}

/** The system, and whether only results and problems are printed. */
type QuietSystem = CommandLineSystem & { readonly quiet: boolean };

/** Runs a command that works on the queue, with a reporter. */
async function reportRun<C extends { readonly json: boolean }>(
  command: C,
  system: QuietSystem,
  run: (command: C, system: CommandLineSystem, reporter: Reporter) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { stdout, stderr, translator, clock, quiet } = system;
  const reporter = command.json
    ? new JsonReporter(stdout, translator, clock)
    : onlyResults(
        quiet,
        new TextReporter(stdout, new StatusLine(stderr, clock), translator, clock),
        isResultOfRun,
      );
  return run(command, system, reporter).finally(() => reporter.close());
}

/** Runs a command that works on the library, with a reporter. */
async function reportLibrary<C extends object>(
  command: C,
  system: QuietSystem,
  run: (command: C, system: CommandLineSystem, reporter: LibraryReporter) => Promise<ExitCode>,
): Promise<ExitCode> {
  const json = 'json' in command && command.json === true;
  const reporter = onlyResults(system.quiet && !json, libraryReporter(json, system), isResultOfLibrary);
  return run(command, system, reporter).finally(() => reporter.close());
}

const isResultOfRun = (event: RunEvent): boolean =>
  event.type === 'item'
    ? 'problem' in event.row.state
    : event.type === 'end'
      ? event.outcome.kind === 'needs-user'
      : event.type !== 'added';

const isResultOfLibrary = ({ type }: LibraryEvent): boolean =>
  ['file', 'file-failed', 'left-out', 'backup', 'speakers', 'imported'].includes(type);

/** Returns a reporter that, if `quiet`, reports only some events. */
const onlyResults = <E>(
  quiet: boolean,
  reporter: EventReporter<E>,
  isResult: (event: E) => boolean,
): EventReporter<E> =>
  quiet
    ? {
        report: (event) => {
          if (isResult(event)) reporter.report(event);
        },
        close: () => reporter.close(),
      }
    : reporter;

/** Waits until no other program uses the data folder. @throws the signal's reason when the user stops it. */
async function waitUntilFree({
  clock,
  dataFolder,
  stderr,
  translator,
  interrupted,
}: CommandLineSystem): Promise<void> {
  let isFirst = true;
  while (readLeaseProgram(dataFolder, clock) !== null) {
    if (isFirst) stderr.write(`${translator.translate('cli.waiting')}\n`);
    isFirst = false;
    await delay(clock, busyPollMs, interrupted);
  }
}

function printProblem(problem: Problem, { stderr, translator }: CommandLineSystem): void {
  stderr.write(`${translator.problem(problem)}\n`);
  if (problem.detail !== undefined) stderr.write(`${problem.detail}\n`);
}
