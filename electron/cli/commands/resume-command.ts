import type { ItemId } from '../../contract/identifiers.ts';
import type { Longhand } from '../../core/longhand.ts';
import { type ExportRequest, type ResumeCommand, defaultFormats } from '../cli-command.ts';
import type { Reporter } from '../reporting/run-events.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { isInUse } from '../open-library.ts';
import { openOutFolder } from '../out-folder.ts';
import { QueueSession } from '../queue-session.ts';
import type { CommandLineSystem } from '../command-line-system.ts';
import { chooseItems } from './queued-commands.ts';

/**
 * `longhand resume`: resumes the queue as the window's "Resume all" does, waits for all that is unfinished, and exports
 * what was not exported. With names it does so for these recordings, even if they were paused individually.
 */
export async function resume(
  { names, exportRequest: request, partial }: ResumeCommand,
  system: CommandLineSystem,
  reporter: Reporter,
): Promise<ExitCode> {
  let session: QueueSession;
  try {
    session = new QueueSession(system, request.overrides);
  } catch (error) {
    if (!isInUse(error, 'window')) throw error;
    system.stderr.write(`${system.translator.translate('cli.resumeInWindow')}\n`);
    return exitCode.needsUser;
  }
  try {
    const outFolder = await openOutFolder(request.folder, system.workingFolder);
    const { longhand } = session;
    const { ids: unfinished, someUnknown } = chooseItems(longhand, 'resume', names, reporter);
    const resumesPaused = names !== null;
    if (!resumesPaused) longhand.queue.setPaused(false);
    const pending = resumesPaused ? [] : longhand.autoExports.itemsWithPendingExports();
    const ids = [...new Set([...unfinished, ...pending])];
    const startable = resumesPaused ? ids : session.partitionByPaused(ids).startable;
    for (const id of startable) requestPendingAgain(longhand, id, { ...request, folder: outFolder }, system);
    await session.useKeyForItems(startable);
    const code = await session.run(ids, reporter, { partial, tags: [], resumesPaused });
    return code === exitCode.done && someUnknown ? exitCode.someFailed : code;
  } finally {
    await session.close();
  }
}

/**
 * Requests an item's unwritten files again. Formats and folder of the command replace those that were chosen; the folder
 * is absolute.
 */
function requestPendingAgain(
  { autoExports, queue }: Longhand,
  id: ItemId,
  request: ExportRequest,
  { workingFolder, settings }: CommandLineSystem,
): void {
  const pending = autoExports.of(id).filter(({ path }) => path === null);
  if (request.formats === null && request.folder === null) {
    autoExports.request(id, pending);
    return;
  }
  const isLink = queue.get(id)?.source.kind === 'link';
  const folder = request.folder ?? (isLink ? workingFolder : null);
  const chosenFormats =
    pending.length > 0
      ? pending.map(({ format }) => format)
      : (autoExports.formatsOf(id) ?? settings().autoExportFormats);
  const previousFormats = chosenFormats.length > 0 ? chosenFormats : defaultFormats;
  autoExports.deletePending(id);
  autoExports.chooseFormats([id], []);
  autoExports.request(
    id,
    [...new Set(request.formats ?? previousFormats)].map((format) => ({ format, folder })),
  );
}
