import type { QueueRow } from '../../contract/queue-commands.ts';
import { readQueue, type QueueSnapshot } from '../../core/queue/view/queue-snapshot.ts';
import type { StatusCommand } from '../cli-command.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import { jobSlots } from '../../contract/limits.ts';
import { missingKeyProblem } from '../../core/service-directory.ts';
import type { KnownAccess } from '../../core/queue/view/service-wait-reasons.ts';
import { EnvironmentKey, defaultService, hasAccount } from '../environment.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { isSettled } from '../reporting/run-events.ts';
import { itemToJson, jsonSchemaVersion, serviceToJson, writeJson } from '../reporting/json-reporter.ts';
import { conditionText, printable, stateText, withPercent } from '../reporting/wording.ts';
import type { CommandLineSystem } from '../command-line-system.ts';

/** Maximum items in the text output. */
const maxItemsShown = 20;

/** `longhand status`: prints what is in the queue, even while another program works on it. */
export async function status({ json }: StatusCommand, system: CommandLineSystem): Promise<ExitCode> {
  const service = defaultService(system);
  const { accountLimits } = system.settings();
  const queue = await readQueue(system.dataFolder, {
    accessOf: (address) => accessOf(address, system),
    creditLimit: (address) => accountLimits[address] ?? null,
    clock: system.clock,
  });
  const ownKey = service === 'on-device' ? null : await EnvironmentKey.statusOf(system, service);
  const isKeyElsewhere = ownKey === 'none' && hasKeyInProgram(service, queue);
  const { counts, paused, isRunning, unfinished } = queue;
  const { translator, stdout } = system;
  if (json) {
    writeJson(stdout, {
      type: 'status',
      schema: jsonSchemaVersion,
      service,
      key: isKeyElsewhere ? 'this-run' : ownKey,
      dataFolder: system.dataFolder,
      counts,
      paused,
      running: isRunning,
      services: queue.services.map((one) => serviceToJson(one, translator)),
    });
    for (const row of unfinished) writeJson(stdout, { type: 'item', ...itemToJson(row, translator) });
    return exitCode.done;
  }
  const nameOf = (address: ServiceAddress): string =>
    address === 'on-device' ? translator.translate('service.onDevice') : address;
  stdout.write(`${translator.translate('cli.status.service', { service: nameOf(service) })}\n`);
  if (ownKey !== null) {
    const text = isKeyElsewhere ? 'cli.status.keyInProgram' : (`cli.key.${ownKey}` as const);
    stdout.write(`${translator.translate(text, { service })}\n`);
  }
  stdout.write(`${translator.translate('cli.status.data', { folder: printable(system.dataFolder) })}\n`);
  for (const status of queue.services) {
    const text = conditionText(status, translator);
    if (text !== null) stdout.write(`${printable(nameOf(status.service))}: ${text}\n`);
  }
  printQueue(queue, system);
  return exitCode.done;
}

/** Whether the program that uses the data folder has a key that this one does not, such as a window without a keychain. */
function hasKeyInProgram(service: ServiceAddress, { services }: QueueSnapshot): boolean {
  const condition = services.find((one) => one.service === service)?.condition;
  if (condition === undefined || condition.kind === 'starting') return false;
  return condition.kind !== 'stopped' || condition.problem.code === 'invalid_api_key';
}

/** Returns how a service can be reached, as far as the settings and the keychain tell. */
async function accessOf(service: ServiceAddress, system: CommandLineSystem): Promise<KnownAccess> {
  const open = { kind: 'open', maxActiveJobs: jobSlots } as const;
  if (service === 'on-device' || (await EnvironmentKey.statusOf(system, service)) !== 'none') return open;
  return { kind: 'closed', problem: missingKeyProblem(service, hasAccount(system, service)) };
}

/** Whether a recording would advance if a program used the data folder. */
const isInProgress = ({ state, waitReason }: QueueRow): boolean =>
  waitReason === null && !isSettled(state) && !('waitsFor' in state && state.waitsFor !== null);

function printQueue(
  { counts, paused, isRunning, unfinished }: QueueSnapshot,
  { stdout, translator }: CommandLineSystem,
): void {
  if (paused) stdout.write(`${translator.translate('queue.announced.pauseAll')}\n`);
  stdout.write(`${translator.translate('cli.status.queue', { ...counts })}\n`);
  const continuation = translator.translate('cli.status.continues');
  // Its stored state is that of the moment when the program ended.
  const stateOf = (row: QueueRow): string =>
    isRunning || !isInProgress(row) ? stateText(row, translator) : continuation;
  const line = (row: QueueRow): string =>
    `  ${printable(row.name)}: ${withPercent(row, stateOf(row), translator)}\n`;
  for (const row of unfinished.slice(0, maxItemsShown)) stdout.write(line(row));
  const more = unfinished.length - maxItemsShown;
  if (more > 0) stdout.write(`  ${translator.translate('cli.status.more', { count: more })}\n`);
}
