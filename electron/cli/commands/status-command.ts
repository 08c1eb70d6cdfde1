import type { QueueRow } from '../../contract/queue-commands.ts';
import { readQueue, type QueueSnapshot } from '../../core/queue/view/queue-snapshot.ts';
import type { StatusCommand } from '../cli-command.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import { jobSlots } from '../../contract/limits.ts';
import { problemWithoutKey } from '../../core/service-directory.ts';
import type { KnownAccess } from '../../core/queue/view/service-holds.ts';
import { EnvironmentKey, defaultService, hasAccount } from '../environment.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { itemToJson, jsonSchemaVersion, writeJson } from '../reporting/json-reporter.ts';
import { printable, progressText } from '../reporting/wording.ts';
import type { CommandLineSystem } from '../command-line-system.ts';

/** Maximum items in the text output. */
const maxItemsShown = 20;

/** `longhand status`: prints what is in the queue, even while another program works on it. */
export async function status({ json }: StatusCommand, system: CommandLineSystem): Promise<ExitCode> {
  const service = defaultService(system);
  const keyStatus = service === 'on-device' ? null : await EnvironmentKey.statusOf(system, service);
  const { accountLimits } = system.settings();
  const queue = await readQueue(system.dataFolder, {
    accessOf: (address) => accessOf(address, system),
    creditLimit: (address) => accountLimits[address] ?? null,
    clock: system.clock,
  });
  const { counts, paused, unfinished } = queue;
  if (json) {
    writeJson(system.output, {
      type: 'status',
      schema: jsonSchemaVersion,
      service,
      key: keyStatus,
      dataFolder: system.dataFolder,
      counts,
      paused,
    });
    for (const row of unfinished)
      writeJson(system.output, { type: 'item', ...itemToJson(row, system.translator) });
    return exitCode.done;
  }
  const { translator, output } = system;
  const serviceName = service === 'on-device' ? translator.translate('service.onDevice') : service;
  output.write(`${translator.translate('cli.status.service', { service: serviceName })}\n`);
  if (keyStatus !== null) output.write(`${translator.translate(`cli.key.${keyStatus}`, { service })}\n`);
  output.write(`${translator.translate('cli.status.data', { folder: printable(system.dataFolder) })}\n`);
  printQueue(queue, system);
  return exitCode.done;
}

/** Returns how a service can be reached, as far as the settings and the keychain tell. */
async function accessOf(service: ServiceAddress, system: CommandLineSystem): Promise<KnownAccess> {
  const open = { kind: 'open', activeJobs: jobSlots } as const;
  if (service === 'on-device' || (await EnvironmentKey.statusOf(system, service)) !== 'none') return open;
  return { kind: 'closed', problem: problemWithoutKey(service, hasAccount(system, service)) };
}

function printQueue(
  { counts, paused, unfinished }: QueueSnapshot,
  { output, translator }: CommandLineSystem,
): void {
  if (paused) output.write(`${translator.translate('queue.said.pauseAll')}\n`);
  output.write(`${translator.translate('cli.status.queue', { ...counts })}\n`);
  const line = (row: QueueRow): string => `  ${printable(row.name)}: ${progressText(row, translator)}\n`;
  for (const row of unfinished.slice(0, maxItemsShown)) output.write(line(row));
  const more = unfinished.length - maxItemsShown;
  if (more > 0) output.write(`  ${translator.translate('cli.status.more', { count: more })}\n`);
}
