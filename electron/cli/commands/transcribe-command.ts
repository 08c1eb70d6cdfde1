import { dirname, isAbsolute, resolve } from 'node:path';
import { existsSync } from 'node:fs';
import type { ItemId, TranscriptId } from '../../contract/identifiers.ts';
import type { Rejection } from '../../contract/rejection.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import { defaultExportScope } from '../../contract/choices.ts';
import { defaultJobOptions, type JobOptions } from '../../contract/options.ts';
import { hasExtensions } from '../../contract/service-extensions.ts';
import { probeInThisThread, type Longhand } from '../../core/longhand.ts';
import type { AutoExport } from '../../core/store/auto-export-store.ts';
import { readTermsFile } from '../../core/library/import/read-terms-file.ts';
import { DurationProber } from '../../core/media/duration-prober.ts';
import { previewAdding } from '../../core/queue/adding/preview.ts';
import { workerUrl } from '../../workers/registry.ts';
import { splitRecordings, type RecordingInputs } from '../../core/media/links.ts';
import { type ExportOverrides, type TranscribeCommand, autoExportsFor } from '../cli-command.ts';
import { type OptionId, optionName } from '../command-table.ts';
import type { Reporter } from '../reporting/run-events.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { followWindow, whileWindowIsOpen } from '../follow-window.ts';
import { assertCurrentSchema, isInUse, openLibraryReader, prepareLibrary } from '../open-library.ts';
import { openOutFolder } from '../out-folder.ts';
import { expandStdinPaths } from '../stdin-paths.ts';
import { QueueSession } from '../queue-session.ts';
import type { WriteRequest } from './export-command.ts';
import type { CommandLineSystem } from '../command-line-system.ts';
import { defaultService } from '../environment.ts';

/** `longhand transcribe`: adds recordings, waits until all are finished, and exports each. */
export async function transcribe(
  command: TranscribeCommand,
  system: CommandLineSystem,
  reporter: Reporter,
): Promise<ExitCode> {
  const typedRecordings = await expandStdinPaths(command.recordings, system);
  return transcribeRecordings(
    command,
    splitRecordings(typedRecordings, system.workingFolder),
    system,
    reporter,
  );
}

/** Does the work of {@link transcribe} with the recordings that the command names: standard input is read only once. */
async function transcribeRecordings(
  command: TranscribeCommand,
  recordings: RecordingInputs,
  system: CommandLineSystem,
  reporter: Reporter,
): Promise<ExitCode> {
  if (command.dryRun) return previewRun(command, recordings, system, reporter);
  const terms = await termsOf(command, system);
  const { speakers = system.settings().options.speakers } = command.options;
  let session: QueueSession;
  try {
    session = new QueueSession(system, command.exportRequest.overrides);
  } catch (error) {
    if (!isInUse(error, 'window')) throw error;
    return transcribeInWindow(command, recordings, system, reporter);
  }
  try {
    if (speakers !== 'off') await session.assertSpeakerModels();
    const outFolder = await openOutFolder(command.exportRequest.folder, system.workingFolder);
    const { ids, transcripts, someRejected } = await add(
      command,
      { ...recordings, outFolder, terms },
      session,
      system,
      reporter,
    );
    const reused = await writeReused(transcripts, { ...command, outFolder }, system, reporter);
    const code = firstFailure(
      await session.run(ids, reporter, { ...command, skipsEarlierFailures: true }),
      reused,
    );
    const isPartial = someRejected || session.partitionByPaused(ids).paused.length > 0;
    return code === exitCode.done && isPartial ? exitCode.someFailed : code;
  } finally {
    await session.close();
  }
}

/** A recording that the library has. */
interface KnownTranscript {
  readonly id: TranscriptId;
  /** The folder of the file that the command names; `null` for a link. */
  readonly folder: string | null;
}

interface AddedRecordings {
  /** What was added, and what was already in the queue. */
  readonly ids: readonly ItemId[];
  /** What the library has and the queue no longer lists. */
  readonly transcripts: readonly KnownTranscript[];
  readonly someRejected: boolean;
}

/** The recordings to add, and the options that were resolved from the command. */
interface AddRequest extends RecordingInputs {
  readonly outFolder: string | null;
  readonly terms: Pick<JobOptions, 'terms'> | null;
}

/** Reads the file of `--terms`; `null` without it. */
async function termsOf(
  { termsFile }: TranscribeCommand,
  { workingFolder, stderr, translator }: CommandLineSystem,
): Promise<Pick<JobOptions, 'terms'> | null> {
  if (termsFile === null) return null;
  const { terms, isShortened } = await readTermsFile(resolve(workingFolder, termsFile));
  if (isShortened) stderr.write(`${translator.translate('cli.termsShortened', { count: terms.length })}\n`);
  return { terms };
}

/** Reports what the command would do, even while another program works on the library. */
async function previewRun(
  { service }: TranscribeCommand,
  recordings: RecordingInputs,
  system: CommandLineSystem,
  reporter: Reporter,
): Promise<ExitCode> {
  const { clock, interrupted, workersFolder } = system;
  await prepareLibrary(system, null, { completeSearchIndex: false });
  const database = openLibraryReader(system);
  const prober = workersFolder && new DurationProber(clock, workerUrl('probe', workersFolder));
  const probe = prober?.probe ?? probeInThisThread;
  const preview = await previewAdding(recordings, database, probe, interrupted).finally(async () => {
    database.close();
    await prober?.close();
  });
  for (const { name, problem } of preview.rejected) reporter.report({ type: 'left-out', name, problem });
  const isBilled = (service ?? defaultService(system)) !== 'on-device';
  reporter.report({ type: 'preview', preview, isBilled });
  return preview.rejected.length > 0 ? exitCode.someFailed : exitCode.done;
}

/** Adds the recordings and requests their files. The whole list is stored before anything is sent. */
async function add(
  command: TranscribeCommand,
  { paths, links, outFolder, terms }: AddRequest,
  session: QueueSession,
  system: CommandLineSystem,
  reporter: Reporter,
): Promise<AddedRecordings> {
  const { longhand } = session;
  const { workingFolder, interrupted } = system;
  const service = command.service ?? defaultService(system);
  await session.useKeyForService(service);
  const options = { ...defaultJobOptions, ...system.settings().options, ...command.options, ...terms };
  if (terms !== null && !hasExtensions(service))
    system.stderr.write(`${system.translator.translate('cli.termsNotSent', { service })}\n`);
  const ids: ItemId[] = [];
  const rejected: Rejection[] = [];
  let added = 0;
  for (const group of [
    { paths, links: [], autoExports: autoExportsFor(command.exportRequest, outFolder) },
    // A link has no folder: its files go to the working folder.
    { paths: [], links, autoExports: autoExportsFor(command.exportRequest, outFolder ?? workingFolder) },
  ]) {
    const report = await longhand.queue.add({
      ...group,
      service,
      options,
      signal: interrupted,
      rejectsTranscribed: !command.again,
      rejectsUnsuccessful: !command.again,
    });
    const knownIds = report.rejected.flatMap(knownItem);
    await retryEnded(longhand, knownIds, service, options);
    for (const rejection of report.rejected)
      for (const id of knownItem(rejection))
        requestFiles(longhand, id, besideNamed(longhand, id, rejection, group.autoExports));
    ids.push(...report.ids, ...knownIds);
    rejected.push(...report.rejected);
    added += report.added;
  }
  reportAdded(reporter, added, rejected);
  return {
    ids: [...new Set(ids)],
    transcripts: rejected.flatMap(knownTranscript),
    someRejected: rejected.some(isPermanentlyRejected),
  };
}

/** Retries failed and cancelled items with this command's service and options. */
async function retryEnded(
  { queue }: Longhand,
  ids: readonly ItemId[],
  service: ServiceAddress,
  options: JobOptions,
): Promise<void> {
  const unsuccessful = ids.filter((id) => ['failed', 'cancelled'].includes(queue.get(id)?.state.kind ?? ''));
  await queue.moveToService(unsuccessful, service);
  await queue.setOptions(unsuccessful, options);
  await queue.retry(unsuccessful);
}

/** Returns the files with those next to the recording moved next to the copy that the command names. */
function besideNamed(
  { queue, transcripts }: Longhand,
  id: ItemId,
  rejection: Rejection,
  files: readonly AutoExport[],
): readonly AutoExport[] {
  const item = queue.get(id);
  const folder = folderOf(rejection);
  if (folder === null || item?.source.kind !== 'file') return files;
  const transcript = transcripts.ofItem(item);
  // The recording may have been moved and located since.
  const located = transcript === null ? '' : (transcripts.recordingOf(transcript.id)?.path ?? '');
  if (dirname(isAbsolute(located) ? located : item.source.path) === folder) return files;
  return files.map((file) => ({ ...file, folder: file.folder ?? folder }));
}

/** Requests the files of a recording that is known. Written files that still exist stay unchanged. */
function requestFiles({ autoExports }: Longhand, id: ItemId, files: readonly AutoExport[]): void {
  for (const { path, format, folder } of autoExports.of(id)) {
    const isRequested = files.some((file) => file.format === format && file.folder === folder);
    if (isRequested && path !== null && !existsSync(path)) autoExports.requestAgain(id, path);
  }
  autoExports.request(id, files);
}

/** Writes the files of transcripts that the queue no longer lists; existing files stay. */
async function writeReused(
  transcripts: readonly KnownTranscript[],
  request: Pick<WriteRequest, 'exportRequest' | 'outFolder'>,
  system: CommandLineSystem,
  reporter: Reporter,
): Promise<ExitCode> {
  if (transcripts.length === 0) return exitCode.done;
  const { writeTranscripts } = await import('./export-command.ts');
  let someFailed = false;
  for (const [folder, sameFolder] of Map.groupBy(transcripts, (one) => request.outFolder ?? one.folder)) {
    const { failed } = await writeTranscripts(
      sameFolder.map(({ id }) => id),
      { ...request, outFolder: folder, existing: 'skip', scope: defaultExportScope },
      system,
      (event) => {
        if (event.type === 'file' || event.type === 'file-failed') reporter.report(event);
      },
    );
    someFailed ||= failed > 0;
  }
  return someFailed ? exitCode.someFailed : exitCode.done;
}

const firstFailure = (first: ExitCode, second: ExitCode): ExitCode =>
  first === exitCode.done ? second : first;

function reportAdded(reporter: Reporter, added: number, rejected: readonly Rejection[]): void {
  reporter.report({ type: 'added', count: added });
  for (const { name, problem } of rejected) reporter.report({ type: 'left-out', name, problem });
}

/**
 * Whether a recording will not be transcribed. One that is queued or transcribed already is followed like the added
 * ones.
 */
export const isPermanentlyRejected = ({ problem }: Rejection): boolean =>
  problem.code !== 'already_queued' && problem.code !== 'already_transcribed';

/** Returns the item of a recording that was rejected because it is in the queue or was transcribed. */
function knownItem(rejection: Rejection): ItemId[] {
  const item = isPermanentlyRejected(rejection) ? undefined : rejection.problem.params?.['item'];
  return typeof item === 'number' ? [item] : [];
}

/** Returns the transcript of a recording that was transcribed and is not in the queue. */
function knownTranscript(rejection: Rejection): KnownTranscript[] {
  const { problem } = rejection;
  if (problem.code !== 'already_transcribed' || problem.params?.['item'] !== undefined) return [];
  const transcript = problem.params?.['transcript'];
  return typeof transcript === 'number' ? [{ id: transcript, folder: folderOf(rejection) }] : [];
}

/** Returns the folder of a rejected file; `null` for a link. */
function folderOf({ problem }: Rejection): string | null {
  const path = problem.params?.['path'];
  return typeof path === 'string' ? dirname(path) : null;
}

const jobOptions: { readonly [K in keyof TranscribeCommand['options']]-?: OptionId } = {
  language: 'language',
  accuracy: 'accuracy',
  translateToEnglish: 'translate',
  speakers: 'speakers',
};
const exportOptions: { readonly [K in keyof ExportOverrides]-?: OptionId } = {
  template: 'template',
  subtitles: 'preset',
  words: 'words',
};

/**
 * Returns what the user has given and the window would not follow, such as `--to`: it has settings of its own. Another
 * service is among it, since it would send the recordings to its own one.
 */
function optionsForOneRun(command: TranscribeCommand, system: CommandLineSystem): readonly string[] {
  const { service, options, termsFile, tags, again, partial, exportRequest } = command;
  const isGiven: { readonly [O in OptionId]?: boolean } = {
    service: service !== null,
    terms: termsFile !== null,
    'add-tag': tags.length > 0,
    again,
    partial,
    to: exportRequest.formats !== null,
    out: exportRequest.folder !== null,
  };
  const givenOptions = [
    ...namesOf(options, jobOptions),
    ...(Object.keys(isGiven) as OptionId[]).filter((id) => isGiven[id]),
    ...namesOf(exportRequest.overrides, exportOptions),
  ];
  const hasOtherService = defaultService(system) !== (system.settings().service ?? 'on-device');
  return [
    ...givenOptions.map((id) => `--${optionName(id)}`),
    ...(service === null && hasOtherService ? ['LONGHAND_BASE_URL'] : []),
  ];
}

const namesOf = <K extends string>(
  values: { readonly [k in K]?: unknown },
  ids: Readonly<Record<K, OptionId>>,
) => (Object.keys(values) as K[]).map((key) => ids[key]);

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
  const { stderr, translator } = system;
  const unsupported = optionsForOneRun(command, system);
  if (unsupported.length > 0) {
    stderr.write(`${translator.translate('cli.windowOpen', { options: unsupported.join(', ') })}\n`);
    return exitCode.needsUser;
  }
  // This version could not follow them.
  assertCurrentSchema(system);
  const handedOver = system.forwardToWindow(recordings);
  stderr.write(`${translator.translate('cli.handedOver')}\n`);
  const reply = await whileWindowIsOpen(system, () => handedOver.takeReply());
  if (reply === 'interrupted') {
    stderr.write(`${translator.translate('cli.windowContinues')}\n`);
    return exitCode.interrupted;
  }
  if (reply === 'closed') {
    handedOver.withdraw();
    return transcribeRecordings(command, recordings, system, reporter);
  }
  if (reply === 'asked' || reply === 'failed') {
    stderr.write(`${translator.translate(reply === 'asked' ? 'cli.windowAsks' : 'cli.windowFailed')}\n`);
    return exitCode.needsUser;
  }
  reportAdded(reporter, reply.ids.length, reply.rejected);
  const ids = [...new Set([...reply.ids, ...reply.rejected.flatMap(knownItem)])];
  const code = (await followWindow(system, ids, reporter)) ?? (await finishHere(ids, system, reporter));
  return code === exitCode.done && reply.rejected.some(isPermanentlyRejected) ? exitCode.someFailed : code;
}

/** Transcribes what a window has left, and saves the files that the window would have saved, as it was announced. */
async function finishHere(
  ids: readonly ItemId[],
  system: CommandLineSystem,
  reporter: Reporter,
): Promise<ExitCode> {
  system.stderr.write(`${system.translator.translate('cli.windowClosed')}\n`);
  const session = new QueueSession(system, {});
  try {
    await session.useKeyForItems(ids);
    return await session.run(ids, reporter, { partial: false, tags: [] });
  } finally {
    await session.close();
  }
}
