import { errorMessage } from '../../contract/errors.ts';
import type { ServeCommand } from '../cli-command.ts';
import { keyIn } from '../environment.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { readKey } from './key-command.ts';
import { type CommandLineSystem, type StandaloneService, whenAborted } from '../command-line-system.ts';

/** `longhand serve`: runs only the on-device service, until it is stopped. */
export async function serve(command: ServeCommand, system: CommandLineSystem): Promise<ExitCode> {
  const { environment, translator, stdout, stderr, interrupted } = system;
  const key =
    command.key === '-'
      ? await readKey(translator.translate('cli.serveKeyPrompt'), system)
      : (command.key ?? keyIn(environment));
  // Every user of the computer can list the arguments of its processes.
  if (command.key !== null && command.key !== '-')
    stderr.write(`${translator.translate('cli.serveKeyVisible')}\n`);
  const serving = await startServing({ ...command, key }, system);
  if (serving === null) return exitCode.needsUser;
  stdout.write(`${serving.address}\n`);
  if (serving.credits !== null)
    stderr.write(`${translator.translate('cli.serveCredits', { count: serving.credits })}\n`);
  if (key === null) stderr.write(`${translator.translate('cli.serveKey', { key: serving.key })}\n`);
  const stopped = new Promise<null>((resolve) => whenAborted(interrupted, () => resolve(null)));
  const reason = await Promise.race([serving.ended, stopped]);
  if (reason === null) {
    await serving.stop();
    return exitCode.done;
  }
  stderr.write(`${translator.translate('cli.serveEnded', { reason })}\n`);
  return exitCode.someFailed;
}

/** Returns `null` if the service cannot start there, after printing the reason. */
async function startServing(
  command: ServeCommand,
  system: CommandLineSystem,
): Promise<StandaloneService | null> {
  try {
    return await system.serve(command);
  } catch (error) {
    const reason = errorMessage(error);
    system.stderr.write(`${system.translator.translate('cli.serveRefused', { reason })}\n`);
    return null;
  }
}
