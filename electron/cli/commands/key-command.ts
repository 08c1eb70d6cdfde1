import type { ServiceAddress } from '../../contract/service.ts';
import { ProblemError, type Problem } from '../../contract/problem.ts';
import { readLeaseProgram } from '../../core/store/database/lease.ts';
import { UsageError } from '../usage-error.ts';
import type { KeyCommand } from '../cli-command.ts';
import { EnvironmentKey, checkKey, defaultService } from '../environment.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { writeJson } from '../reporting/json-reporter.ts';
import type { CommandLineSystem } from '../command-line-system.ts';

/**
 * `longhand key`: stores, removes or checks the key of an account. The key itself is never shown, and one that the service
 * refuses is not stored.
 */
export async function key(command: KeyCommand, system: CommandLineSystem): Promise<ExitCode> {
  const service = command.service ?? defaultService(system);
  if (service === 'on-device') throw new UsageError('keyNeedsService');
  switch (command.action) {
    case 'set':
      assertNoOtherProcess(system);
      return setKey(service, system);
    case 'remove':
      assertNoOtherProcess(system);
      await system.secrets.remove(service);
      return printStatus(command, service, system);
    case 'status':
      return printStatus(command, service, system);
  }
}

/**
 * Refuses to change a key while another program is running, which would keep using the key that it has read.
 *
 * @throws ProblemError `data_folder_in_use`
 */
function assertNoOtherProcess({ dataFolder, clock }: CommandLineSystem): void {
  const holder = readLeaseProgram(dataFolder, clock);
  if (holder !== null) throw new ProblemError({ code: 'data_folder_in_use', params: { context: holder } });
}

async function setKey(service: ServiceAddress, system: CommandLineSystem): Promise<ExitCode> {
  const { stderr, translator, secrets } = system;
  const key = await readKey(translator.translate('cli.keyPrompt', { service }), system);
  const problem = await problemWith(service, key, system);
  if (problem?.code === 'invalid_api_key' || problem?.code === 'wrong_address')
    throw new ProblemError(problem);
  const stored = await secrets.set(service, key);
  if (stored.keptIn === 'keychain') {
    stderr.write(`${translator.translate('cli.keyKept', { service })}\n`);
    if (problem !== null)
      stderr.write(`${translator.translate('cli.keyNotChecked', { reason: translator.problem(problem) })}\n`);
    return exitCode.done;
  }
  // The key is lost when this run ends.
  stderr.write(`${translator.translate('cli.keyNotKept')}\n`);
  return exitCode.someFailed;
}

/** Returns why an account does not accept a key, or why that cannot be checked now; `null` if it does. */
async function problemWith(
  service: ServiceAddress,
  key: string,
  system: CommandLineSystem,
): Promise<Problem | null> {
  try {
    await checkKey(system, service, key);
    return null;
  } catch (error) {
    if (error instanceof ProblemError) return error.problem;
    throw error;
  }
}

/**
 * Reads a key from standard input; a terminal shows `prompt` and not the key.
 *
 * @throws UsageError when none is given.
 */
export async function readKey(prompt: string, system: CommandLineSystem): Promise<string> {
  const { stdin, stderr, interrupted } = system;
  if (stdin.isTerminal) stderr.write(prompt);
  const entered = stdin.isTerminal ? await stdin.readHidden(interrupted) : await stdin.readAll();
  if (stdin.isTerminal) stderr.write('\n');
  const key = entered.trim();
  if (key === '') throw new UsageError('keyEmpty');
  return key;
}

async function printStatus(
  { json }: KeyCommand,
  service: ServiceAddress,
  system: CommandLineSystem,
): Promise<ExitCode> {
  const { stdout, translator } = system;
  const status = await EnvironmentKey.statusOf(system, service);
  if (json) writeJson(stdout, { type: 'key', service, key: status });
  else stdout.write(`${translator.translate(`cli.key.${status}`, { service })}\n`);
  return exitCode.done;
}
