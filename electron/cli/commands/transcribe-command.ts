import { basename, dirname, resolve } from 'node:path';
import type { ItemId, TranscriptId } from '../../contract/identifiers.ts';
import type { Rejection } from '../../contract/rejection.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import { defaultExportScope } from '../../contract/choices.ts';
import { defaultJobOptions, type JobOptions } from '../../contract/options.ts';
import { hasExtensions } from '../../contract/service-extensions.ts';
import { probeInThisThread } from '../../core/longhand.ts';
import { readTermsFile } from '../../core/library/import/read-terms-file.ts';
import { DurationProber } from '../../core/media/duration-prober.ts';
import {
  addRequested,
  isPermanentlyRejected,
  knownItem,
  pathOf,
  scopeOfCommand,
  type CommandChoices,
  type RequestedExports,
} from '../../core/queue/adding/add-requested.ts';
import { previewAdding } from '../../core/queue/adding/preview.ts';
import { workerUrl } from '../../workers/registry.ts';
import { splitRecordings, type RecordingInputs } from '../../core/media/links.ts';
import { type ExportOverrides, type TranscribeCommand, defaultFormats } from '../cli-command.ts';
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
import { defaultService, keyIn } from '../environment.ts';

/** `longhand transcribe`: adds recordings, waits until all are finished, and exports each. */
export async function transcribe(
  command: TranscribeCommand,
  system: CommandLineSystem,
  reporter: Reporter,
): Promise<ExitCode> {
  const typedRecordings = await expandStdinPaths(command.recordings, system);
  const recordings = splitRecordings(typedRecordings, system.workingFolder);
  if (command.dryRun) return previewRun(command, recordings, system, reporter);
  const input = { ...recordings, terms: await readTerms(command, system) };
  return transcribeRecordings(command, input, system, reporter, 'command');
}

/** The recordings that a command names, and its terms. Both are read once: they may come from pipes. */
interface TranscribeInput extends RecordingInputs {
  /** `null`: those of the settings. */
  readonly terms: Pick<JobOptions, 'terms'> | null;
}

/**
 * Does the work of {@link transcribe}.
 *
 * @param defaults whose formats are exported if the command names none: its own, or, after a hand-over whose message has
 *   promised them, those of the window
 */
async function transcribeRecordings(
  command: TranscribeCommand,
  input: TranscribeInput,
  system: CommandLineSystem,
  reporter: Reporter,
  defaults: 'command' | 'window',
): Promise<ExitCode> {
  const { speakers = system.settings().options.speakers } = command.options;
  let session: QueueSession;
  try {
    session = new QueueSession(system, command.exportRequest.overrides);
  } catch (error) {
    if (!isInUse(error, 'window')) throw error;
    return transcribeInWindow(command, input, system, reporter);
  }
  try {
    if (speakers !== 'off') await session.assertSpeakerModels();
    const outFolder = await openOutFolder(command.exportRequest.folder, system.workingFolder);
    const exports = requestedExports(command, outFolder, system, defaults);
    const { ids, rejected } = await add(command, { ...input, exports }, session, system, reporter);
    const knownExportsCode = await exportKnownTranscripts(rejected, exports, command, system, reporter);
    const code = firstFailure(
      await session.run(ids, reporter, { ...command, skipsEarlierFailures: true }),
      knownExportsCode,
    );
    const isPartial =
      rejected.some(isPermanentlyRejected) || session.partitionByPaused(ids).paused.length > 0;
    return code === exitCode.done && isPartial ? exitCode.someFailed : code;
  } finally {
    await session.close();
  }
}

/** A recording that the library has. */
interface KnownTranscript {
  readonly id: TranscriptId;
  /** The path of the file that the command names; `null` for a link. */
  readonly path: string | null;
}

interface AddedRecordings {
  /** What was added, and what was already in the queue. */
  readonly ids: readonly ItemId[];
  readonly rejected: readonly Rejection[];
}

/** Reads the file of `--terms`; `null` without it. */
async function readTerms(
  { termsFile }: TranscribeCommand,
  { workingFolder, stderr, translator }: CommandLineSystem,
): Promise<TranscribeInput['terms']> {
  if (termsFile === null) return null;
  const { terms, isShortened } = await readTermsFile(resolve(workingFolder, termsFile));
  if (isShortened) stderr.write(`${translator.translate('cli.termsShortened', { count: terms.length })}\n`);
  return { terms };
}

/** Returns the exports that the command asks for; `null`: those of the window's settings. */
function requestedExports(
  { exportRequest: { formats } }: TranscribeCommand,
  outFolder: string | null,
  { workingFolder }: CommandLineSystem,
  defaults: 'command' | 'window',
): RequestedExports | null {
  if (defaults === 'window' && formats === null && outFolder === null) return null;
  return {
    formats: formats ?? defaultFormats,
    folder: outFolder,
    // A link has no folder: its files go to the working folder.
    linkFolder: outFolder ?? workingFolder,
  };
}

/** Reports what the command would do, even while another program works on the library. */
async function previewRun(
  { service, again }: TranscribeCommand,
  recordings: RecordingInputs,
  system: CommandLineSystem,
  reporter: Reporter,
): Promise<ExitCode> {
  const { clock, interrupted, workersFolder } = system;
  await prepareLibrary(system, null, { completeSearchIndex: false });
  const database = openLibraryReader(system);
  const prober = workersFolder && new DurationProber(clock, workerUrl('probe', workersFolder));
  const probe = prober?.probe ?? probeInThisThread;
  const scope = scopeOfCommand(again);
  const preview = await previewAdding(recordings, scope, database, probe, interrupted).finally(async () => {
    database.close();
    await prober?.close();
  });
  for (const { name, problem } of preview.rejected) reporter.report({ type: 'left-out', name, problem });
  const isBilled = (service ?? defaultService(system)) !== 'on-device';
  reporter.report({ type: 'preview', preview, isBilled });
  return preview.rejected.length > 0 ? exitCode.someFailed : exitCode.done;
}

/** Adds the recordings and requests their exports. The whole list is stored before anything is sent. */
async function add(
  command: TranscribeCommand,
  { paths, links, exports, terms }: TranscribeInput & { readonly exports: RequestedExports | null },
  session: QueueSession,
  system: CommandLineSystem,
  reporter: Reporter,
): Promise<AddedRecordings> {
  const service = command.service ?? defaultService(system);
  await session.useKeyForService(service);
  warnOfUnsentTerms(terms, service, system);
  const { ids, added, rejected } = await addRequested(session.longhand, {
    paths,
    links,
    exports,
    service,
    options: { ...defaultJobOptions, ...system.settings().options, ...command.options, ...terms },
    again: command.again,
    signal: system.interrupted,
    isPersisted: false,
  });
  reportAdded(reporter, added, rejected);
  return { ids: [...new Set([...ids, ...rejected.flatMap(knownItem)])], rejected };
}

function warnOfUnsentTerms(
  terms: TranscribeInput['terms'],
  service: ServiceAddress,
  { stderr, translator }: CommandLineSystem,
): void {
  if (terms !== null && !hasExtensions(service))
    stderr.write(`${translator.translate('cli.termsNotSent', { service })}\n`);
}

/**
 * Exports the transcripts of known recordings that the queue no longer lists, with the names of the files that the command
 * names; existing files stay.
 */
async function exportKnownTranscripts(
  rejected: readonly Rejection[],
  exports: RequestedExports | null,
  request: Pick<WriteRequest, 'exportRequest'>,
  system: CommandLineSystem,
  reporter: Reporter,
): Promise<ExitCode> {
  const transcripts = rejected.flatMap(knownTranscript);
  if (transcripts.length === 0 || exports === null) return exitCode.done;
  const { writeTranscripts } = await import('./export-command.ts');
  let someFailed = false;
  for (const sameFolder of groupsToWrite(transcripts, exports.folder)) {
    const path = sameFolder[0]?.path ?? null;
    const names = sameFolder.flatMap((one) =>
      one.path === null ? [] : [[one.id, basename(one.path)] as const],
    );
    const { failed } = await writeTranscripts(
      sameFolder.map(({ id }) => id),
      {
        ...request,
        outFolder: exports.folder ?? (path && dirname(path)),
        existing: 'skip',
        scope: defaultExportScope,
        names: new Map(names),
      },
      system,
      (event) => {
        if (event.type === 'file' || event.type === 'file-failed') reporter.report(event);
      },
    );
    someFailed ||= failed > 0;
  }
  return someFailed ? exitCode.someFailed : exitCode.done;
}

/** Divides transcripts by their folder, so that each is in a group once: the command may name several copies of it. */
function groupsToWrite(
  transcripts: readonly KnownTranscript[],
  outFolder: string | null,
): Iterable<readonly KnownTranscript[]> {
  const counts = new Map<string, number>();
  return Map.groupBy(transcripts, ({ id, path }) => {
    const folder = outFolder ?? (path && dirname(path));
    const key = `${id} ${folder}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return `${count} ${folder}`;
  }).values();
}

const firstFailure = (first: ExitCode, second: ExitCode): ExitCode =>
  first === exitCode.done ? second : first;

function reportAdded(reporter: Reporter, added: number, rejected: readonly Rejection[]): void {
  reporter.report({ type: 'added', count: added });
  for (const { name, problem } of rejected) reporter.report({ type: 'left-out', name, problem });
}

/** Returns the transcript of a recording that was transcribed and is not in the queue. */
function knownTranscript(rejection: Rejection): KnownTranscript[] {
  const { problem } = rejection;
  if (problem.code !== 'already_transcribed' || problem.params?.['item'] !== undefined) return [];
  const transcript = problem.params?.['transcript'];
  return typeof transcript === 'number' ? [{ id: transcript, path: pathOf(rejection) }] : [];
}

const exportOptions: { readonly [K in keyof ExportOverrides]-?: OptionId } = {
  template: 'template',
  subtitles: 'preset',
  words: 'words',
};

/**
 * Returns the given options that the window cannot carry out: it does not choose per recording how it writes files and
 * what it prints, and it has its own keys.
 */
function optionsUnsupportedByWindow(
  command: TranscribeCommand,
  system: CommandLineSystem,
): readonly string[] {
  const { service, options, tags, partial, exportRequest } = command;
  const { speakers = 'off' } = options;
  const isGiven: { readonly [O in OptionId]?: boolean } = {
    service: service !== null && !canUseService(service, system),
    // The models are checked before anything is added, and the result is reported: only this process could do so.
    speakers: speakers !== 'off',
    'add-tag': tags.length > 0,
    partial,
  };
  const givenOptions = [
    ...(Object.keys(isGiven) as OptionId[]).filter((id) => isGiven[id]),
    ...(Object.keys(exportRequest.overrides) as (keyof ExportOverrides)[]).map((key) => exportOptions[key]),
  ];
  const environmentService = service === null ? serviceForWindow(command, system) : null;
  return [
    ...givenOptions.map((id) => `--${optionName(id)}`),
    ...(environmentService !== null && !canUseService(environmentService, system)
      ? ['LONGHAND_BASE_URL']
      : []),
  ];
}

/**
 * Returns the service that the window is asked to use: the one that the command names, or else that of the environment
 * if the window uses another one; `null` if neither applies.
 */
function serviceForWindow({ service }: TranscribeCommand, system: CommandLineSystem): ServiceAddress | null {
  if (service !== null) return service;
  const byDefault = defaultService(system);
  return byDefault === (system.settings().service ?? 'on-device') ? null : byDefault;
}

/**
 * Whether the window can send recordings to a service with its own key. Until the user has chosen a service in it, it
 * keeps recordings and sends them to that one.
 */
function canUseService(service: ServiceAddress, { settings, environment }: CommandLineSystem): boolean {
  const { service: chosen, accounts } = settings();
  if (chosen === null) return false;
  return service === 'on-device' || (accounts.includes(service) && keyIn(environment) === null);
}

/**
 * Hands the recordings to the open window with what the command asks for, if the window can do all of it, and waits until
 * it has finished them. If the window is closed meanwhile, this command does the rest.
 */
async function transcribeInWindow(
  command: TranscribeCommand,
  input: TranscribeInput,
  system: CommandLineSystem,
  reporter: Reporter,
): Promise<ExitCode> {
  const { stderr, translator, workingFolder } = system;
  const unsupported = optionsUnsupportedByWindow(command, system);
  if (unsupported.length > 0) {
    stderr.write(`${translator.translate('cli.windowOpen', { options: unsupported.join(', ') })}\n`);
    return exitCode.needsUser;
  }
  // With another schema, this version could not follow the items.
  assertCurrentSchema(system);
  const outFolder = await openOutFolder(command.exportRequest.folder, workingFolder);
  const { paths, links, terms } = input;
  const choices: CommandChoices = {
    service: serviceForWindow(command, system),
    options: { ...command.options, ...terms },
    exports: requestedExports(command, outFolder, system, 'window'),
    again: command.again,
  };
  warnOfUnsentTerms(terms, command.service ?? defaultService(system), system);
  const handedOver = system.forwardToWindow({ paths, links }, choices);
  stderr.write(`${translator.translate('cli.handedOver')}\n`);
  const reply = await whileWindowIsOpen(system, () => handedOver.takeReply());
  if (reply === 'interrupted') {
    stderr.write(`${translator.translate('cli.windowContinues')}\n`);
    return exitCode.interrupted;
  }
  if (reply === 'closed') {
    handedOver.withdraw();
    return transcribeRecordings(command, input, system, reporter, 'window');
  }
  if (reply === 'shown' || reply === 'failed') {
    stderr.write(`${translator.translate(reply === 'shown' ? 'cli.windowAsks' : 'cli.windowFailed')}\n`);
    return exitCode.needsUser;
  }
  const { rejected, settledExports } = reply;
  reportAdded(reporter, reply.ids.length, rejected);
  const ids = [...new Set([...reply.ids, ...rejected.flatMap(knownItem)])];
  const knownExportsCode = await exportKnownTranscripts(rejected, choices.exports, command, system, reporter);
  const code = firstFailure(
    (await followWindow(system, ids, settledExports, reporter)) ?? (await finishHere(ids, system, reporter)),
    knownExportsCode,
  );
  return code === exitCode.done && rejected.some(isPermanentlyRejected) ? exitCode.someFailed : code;
}

/**
 * Transcribes what a window has left, and saves the files that the window would have saved, as the message about the
 * hand-over said.
 */
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
