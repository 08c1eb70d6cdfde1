import { resolve } from 'node:path';
import type { ItemId } from '../../contract/identifiers.ts';
import type { Rejection } from '../../contract/rejection.ts';
import { defaultJobOptions, type JobOptions } from '../../contract/options.ts';
import { hasExtensions } from '../../contract/service-extensions.ts';
import { readTermsFile } from '../../core/library/import/read-terms-file.ts';
import { splitRecordings, type RecordingInputs } from '../../core/media/links.ts';
import { type TranscribeCommand, autoExportsFor } from '../cli-command.ts';
import type { Reporter } from '../reporting/run-events.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { followWindow, whileWindowIsOpen } from '../follow-window.ts';
import { isInUse } from '../open-library.ts';
import { openOutFolder } from '../out-folder.ts';
import { QueueSession } from '../queue-session.ts';
import type { CommandLineSystem } from '../command-line-system.ts';
import { defaultService } from '../environment.ts';

/** `longhand transcribe`: adds recordings, waits until all are finished, and exports each. */
export async function transcribe(
  command: TranscribeCommand,
  system: CommandLineSystem,
  reporter: Reporter,
): Promise<ExitCode> {
  const recordings = splitRecordings(command.recordings, system.workingFolder);
  const outFolder = await openOutFolder(command.exporting.folder, system.workingFolder);
  const terms = await termsOf(command, system);
  let session: QueueSession;
  try {
    session = new QueueSession(system, command.exporting.style);
  } catch (error) {
    if (!isInUse(error, 'window')) throw error;
    return transcribeInWindow(command, recordings, system, reporter);
  }
  try {
    const { ids, someRejected } = await add(
      command,
      { ...recordings, outFolder, terms },
      session,
      system,
      reporter,
    );
    await session.wake(ids);
    const code = await session.run(ids, reporter, command.partial);
    return code === exitCode.done && someRejected ? exitCode.someFailed : code;
  } finally {
    await session.close();
  }
}

interface Added {
  /** What was added, and what was already in the queue. */
  readonly ids: readonly ItemId[];
  readonly someRejected: boolean;
}

interface Given extends RecordingInputs {
  readonly outFolder: string | null;
  readonly terms: Pick<JobOptions, 'terms'> | null;
}

/** Reads the file of `--terms`; `null` without it. */
async function termsOf(
  { termsFile }: TranscribeCommand,
  { workingFolder, errors, words }: CommandLineSystem,
): Promise<Pick<JobOptions, 'terms'> | null> {
  if (termsFile === null) return null;
  const { terms, isShortened } = await readTermsFile(resolve(workingFolder, termsFile));
  if (isShortened) errors.write(`${words.say('cli.termsShortened', { count: terms.length })}\n`);
  return { terms };
}

/** Stores the whole list before anything is sent. */
async function add(
  command: TranscribeCommand,
  { paths, links, outFolder, terms }: Given,
  session: QueueSession,
  system: CommandLineSystem,
  reporter: Reporter,
): Promise<Added> {
  const { longhand } = session;
  const { workingFolder, interrupted } = system;
  const service = command.service ?? defaultService(system);
  await session.useKeyFor(service);
  const options = { ...defaultJobOptions, ...system.settings().options, ...command.options, ...terms };
  if (terms !== null && !hasExtensions(service))
    system.errors.write(`${system.words.say('cli.termsNotSent', { service })}\n`);
  const ids: ItemId[] = [];
  const rejected: Rejection[] = [];
  let added = 0;
  for (const part of [
    { paths, links: [], wanted: autoExportsFor(command.exporting, outFolder) },
    // A link has no folder: its files go to the working folder.
    { paths: [], links, wanted: autoExportsFor(command.exporting, outFolder ?? workingFolder) },
  ]) {
    const report = await longhand.queue.add({ ...part, service, options, signal: interrupted });
    const known = report.rejected.flatMap(knownItem);
    for (const id of known) longhand.autoExports.want(id, part.wanted);
    ids.push(...report.ids, ...known);
    rejected.push(...report.rejected);
    added += report.added;
  }
  reportAdded(reporter, added, rejected);
  return { ids: [...new Set(ids)], someRejected: rejected.some(isRejectedForGood) };
}

function reportAdded(reporter: Reporter, added: number, rejected: readonly Rejection[]): void {
  reporter.report({ type: 'added', count: added });
  for (const { name, problem } of rejected) reporter.report({ type: 'left-out', name, problem });
}

/** What is queued already is followed like everything that was added. */
const isRejectedForGood = ({ problem }: Rejection): boolean => problem.code !== 'already_queued';

/** Returns the item of a recording that was rejected because it is already queued. */
function knownItem({ problem }: Rejection): ItemId[] {
  const item = problem.code === 'already_queued' ? problem.params?.['item'] : undefined;
  return typeof item === 'number' ? [item] : [];
}

/**
 * Hands the recordings to the open window, if the command asks for nothing that the window would not do, and waits until
 * it has finished them. If the window is closed meanwhile, this command does the rest.
 */
async function transcribeInWindow(
  command: TranscribeCommand,
  recordings: RecordingInputs,
  system: CommandLineSystem,
  reporter: Reporter,
): Promise<ExitCode> {
  const { service, options, termsFile, partial, exporting: request } = command;
  const { errors, words } = system;
  const isPlain =
    service === null &&
    termsFile === null &&
    !partial &&
    request.formats === null &&
    request.folder === null &&
    Object.keys({ ...options, ...request.style }).length === 0;
  if (!isPlain) {
    errors.write(`${words.say('cli.windowOpen')}\n`);
    return exitCode.needsUser;
  }
  const takeReply = system.handToWindow(recordings);
  errors.write(`${words.say('cli.handedOver')}\n`);
  const reply = await whileWindowIsOpen(system, takeReply);
  if (reply === 'interrupted') {
    errors.write(`${words.say('cli.windowContinues')}\n`);
    return exitCode.interrupted;
  }
  if (reply === 'closed') return transcribe(command, system, reporter);
  reportAdded(reporter, reply.ids.length, reply.rejected);
  const ids = [...new Set([...reply.ids, ...reply.rejected.flatMap(knownItem)])];
  const code =
    (await followWindow(system, ids, reporter)) ?? (await finishHere(command, ids, system, reporter));
  return code === exitCode.done && reply.rejected.some(isRejectedForGood) ? exitCode.someFailed : code;
}

/** Transcribes what a window has left, and saves it as the command would without a window. */
async function finishHere(
  { exporting }: TranscribeCommand,
  ids: readonly ItemId[],
  system: CommandLineSystem,
  reporter: Reporter,
): Promise<ExitCode> {
  const session = new QueueSession(system, {});
  const { queue, autoExports } = session.longhand;
  try {
    for (const id of ids) {
      const folder = queue.row(id)?.source === 'link' ? system.workingFolder : null;
      autoExports.want(id, autoExportsFor(exporting, folder));
    }
    await session.wake(ids);
    return await session.run(ids, reporter, false);
  } finally {
    await session.close();
  }
}
