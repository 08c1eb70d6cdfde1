import { resolve } from 'node:path';
import type { ItemId } from '../../contract/identifiers.ts';
import type { QueueFilter } from '../../contract/choices.ts';
import type { Longhand } from '../../core/longhand.ts';
import { type ExportWish, type ResumeCommand, usualFormats } from '../cli-command.ts';
import type { Reporter } from '../reporting/run-events.ts';
import type { ExitCode } from '../exit-code.ts';
import { Session } from '../queue-session.ts';
import type { CommandLineSystem } from '../command-line-system.ts';
import { usualService } from '../environment.ts';

const pageLength = 1_000;

/** `longhand resume`: goes on with what an earlier run left unfinished, and exports what was not exported. */
export async function resume(
  { wish }: ResumeCommand,
  system: CommandLineSystem,
  reporter: Reporter,
): Promise<ExitCode> {
  const session = new Session(system, wish.style);
  try {
    const { longhand } = session;
    const unfinished = unfinishedItems(longhand);
    const ids = [...new Set([...unfinished, ...longhand.wantedFiles.openItems()])];
    for (const id of ids) wantAgain(longhand, id, wish, system.workingFolder);
    await useKey(session, unfinished, system);
    await session.wake(unfinished);
    return await session.run(ids, reporter);
  } finally {
    await session.close();
  }
}

/** Items that are neither finished nor failed for good. */
function unfinishedItems({ queue }: Longhand): readonly ItemId[] {
  const filters: readonly QueueFilter[] = ['working', 'waiting', 'attention'];
  const ids: ItemId[] = [];
  for (const filter of filters) {
    for (let offset = 0; ; offset += pageLength) {
      const page = queue.ids(filter, offset, pageLength);
      ids.push(...page.filter((id) => queue.get(id)?.state.kind !== 'failed'));
      if (page.length < pageLength) break;
    }
  }
  return ids.toSorted((a, b) => a - b);
}

/** Wants an item's unwritten files once more, in the way in which the command says it. */
function wantAgain(
  { wantedFiles, queue }: Longhand,
  id: ItemId,
  wish: ExportWish,
  workingFolder: string,
): void {
  const open = wantedFiles.of(id).filter(({ path }) => path === null);
  if (wish.formats === null && wish.folder === null) {
    wantedFiles.want(id, open);
    return;
  }
  const isLink = queue.get(id)?.source.kind === 'link';
  const folder = wish.folder === null ? (isLink ? workingFolder : null) : resolve(workingFolder, wish.folder);
  const earlier = open.length > 0 ? open.map(({ format }) => format) : usualFormats;
  wantedFiles.forgetOpen(id);
  wantedFiles.want(
    id,
    [...new Set(wish.formats ?? earlier)].map((format) => ({ format, folder })),
  );
}

/**
 * The environment's key belongs to the usual service, or to the one account that all that is left is for. It has to be
 * known before anybody asks how that account is reached.
 */
async function useKey(
  session: Session,
  unfinished: readonly ItemId[],
  system: CommandLineSystem,
): Promise<void> {
  const usual = usualService(system);
  const services = unfinished.map((id) => session.longhand.queue.get(id)?.service ?? 'on-device');
  const accounts = new Set(services.filter((service) => service !== 'on-device'));
  const [only] = accounts;
  await session.useKeyFor(usual === 'on-device' && accounts.size === 1 && only !== undefined ? only : usual);
}
