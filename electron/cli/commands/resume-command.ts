import type { ItemId } from '../../contract/identifiers.ts';
import type { QueueFilter } from '../../contract/choices.ts';
import type { Longhand } from '../../core/longhand.ts';
import { type ExportRequest, type ResumeCommand, defaultFormats } from '../cli-command.ts';
import type { Reporter } from '../reporting/run-events.ts';
import type { ExitCode } from '../exit-code.ts';
import { openOutFolder } from '../out-folder.ts';
import { QueueSession } from '../queue-session.ts';
import type { CommandLineSystem } from '../command-line-system.ts';

const pageSize = 1_000;

/** `longhand resume`: continues what an earlier run left unfinished, and exports what was not exported. */
export async function resume(
  { exporting: request, partial }: ResumeCommand,
  system: CommandLineSystem,
  reporter: Reporter,
): Promise<ExitCode> {
  const session = new QueueSession(system, request.style);
  try {
    const outFolder = await openOutFolder(request.folder, system.workingFolder);
    const { longhand } = session;
    const unfinished = unfinishedItems(longhand);
    const ids = [...new Set([...unfinished, ...longhand.autoExports.itemsWithPendingExports()])];
    for (const id of ids) requestAgain(longhand, id, { ...request, folder: outFolder }, system.workingFolder);
    await session.useKeyForItems(unfinished);
    await session.resumeItems(unfinished);
    return await session.run(ids, reporter, { partial, tags: [] });
  } finally {
    await session.close();
  }
}

/** Items that are neither finished nor permanently failed. */
export function unfinishedItems({ queue }: Longhand): readonly ItemId[] {
  const filters: readonly QueueFilter[] = ['working', 'waiting', 'attention'];
  const ids: ItemId[] = [];
  for (const filter of filters) {
    for (let offset = 0; ; offset += pageSize) {
      const page = queue.ids({ filter, offset, limit: pageSize });
      ids.push(...page.filter((id) => queue.get(id)?.state.kind !== 'failed'));
      if (page.length < pageSize) break;
    }
  }
  return ids.toSorted((a, b) => a - b);
}

/** Requests an item's unwritten files again, as the command says; the folder of the request is absolute. */
function requestAgain(
  { autoExports, queue }: Longhand,
  id: ItemId,
  request: ExportRequest,
  workingFolder: string,
): void {
  const pending = autoExports.of(id).filter(({ path }) => path === null);
  if (request.formats === null && request.folder === null) {
    autoExports.request(id, pending);
    return;
  }
  const isLink = queue.get(id)?.source.kind === 'link';
  const folder = request.folder ?? (isLink ? workingFolder : null);
  const previousFormats = pending.length > 0 ? pending.map(({ format }) => format) : defaultFormats;
  autoExports.deletePending(id);
  autoExports.request(
    id,
    [...new Set(request.formats ?? previousFormats)].map((format) => ({ format, folder })),
  );
}
