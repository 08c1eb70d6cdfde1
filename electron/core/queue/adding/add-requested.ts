import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute } from 'node:path';
import type { ExportFormat } from '../../../contract/choices.ts';
import type { ItemId } from '../../../contract/identifiers.ts';
import type { JobOptions } from '../../../contract/options.ts';
import type { Rejection } from '../../../contract/rejection.ts';
import type { ServiceAddress } from '../../../contract/service.ts';
import type { RecordingInputs } from '../../media/links.ts';
import type { AutoExport, AutoExportStore } from '../../store/auto-export-store.ts';
import type { TranscriptStore } from '../../store/library/transcript-store.ts';
import type { Queue } from '../queue.ts';
import { stateOfRecording } from '../../library/recordings.ts';
import type { KnownScope } from './duplicates.ts';
import type { AdditionResult, Additions } from './item-adder.ts';

/** The exports of each recording that a command requests. */
export interface RequestedExports {
  readonly formats: readonly ExportFormat[];
  /** Absolute; `null`: next to each recording. */
  readonly folder: string | null;
  /** For links, which have no folder of their own; absolute. */
  readonly linkFolder: string;
}

/** Recordings that a command names, and what it asks for. */
export interface AddRequest extends RecordingInputs, Pick<Additions, 'followsSheetDefaults'> {
  readonly service: ServiceAddress;
  readonly options: JobOptions;
  /** `null`: those of the settings when each is done. */
  readonly exports: RequestedExports | null;
  /** Whether recordings that have a transcript or have failed are transcribed again. */
  readonly again: boolean;
  readonly signal: AbortSignal;
  /** See `Additions`. */
  readonly isPersisted: boolean;
}

/** What a command asks of the window that it hands recordings to. Everything else is as in the window's settings. */
export interface CommandChoices extends Pick<AddRequest, 'exports' | 'again'> {
  /** `null`: that of the settings. */
  readonly service: ServiceAddress | null;
  /** Absent options are those of the settings. */
  readonly options: Partial<JobOptions>;
}

/** An auto export of an item in the queue that was written or has failed. */
export interface SettledAutoExport extends AutoExport {
  readonly item: ItemId;
}

/** What was added for a command, and what was not. */
export interface CommandReply extends Pick<AdditionResult, 'ids' | 'rejected'> {
  /**
   * The auto exports of known recordings that were written or had failed before this request: the command does not
   * report them.
   */
  readonly settledExports: readonly SettledAutoExport[];
}

/** The parts of the core that {@link addRequested} works on. */
interface Core {
  readonly queue: Queue;
  readonly transcripts: TranscriptStore;
  readonly autoExports: AutoExportStore;
}

/** What a command, or the preview of one, considers known. @param again see {@link AddRequest} */
export const scopeOfCommand = (again: boolean): KnownScope => (again ? 'unfinished' : 'outside-trash');

/**
 * Adds the recordings of a command, in the command's process or in the window that it has handed them to, and requests
 * their exports. Those that the queue knows, for whatever service, are not added again: they get the exports, and are
 * retried if they failed or were cancelled.
 *
 * @throws what {@link Queue.add} throws
 */
export async function addRequested(core: Core, request: AddRequest): Promise<AdditionResult & CommandReply> {
  const { paths, links, service, options, exports, again, signal, isPersisted } = request;
  const { followsSheetDefaults = false } = request;
  const groups = [
    { paths, links: [], autoExports: autoExportsIn(exports, exports?.folder ?? null) },
    { paths: [], links, autoExports: autoExportsIn(exports, exports?.linkFolder ?? null) },
  ].filter((group) => group.paths.length + group.links.length > 0);
  // Together, so that all are persisted before the first is inspected; the queue adds one group after the other.
  const results = await Promise.all(
    groups.map(async (group) => ({
      ...group,
      result: await core.queue.add({
        ...group,
        service,
        options,
        signal,
        isPersisted,
        knownScope: scopeOfCommand(again),
        followsSheetDefaults,
      }),
    })),
  );
  for (const { autoExports, result } of results) {
    await retryUnsuccessful(core, result.rejected.flatMap(knownItem), service, options);
    for (const rejection of result.rejected) await locateMoved(core, rejection);
    if (autoExports === null) continue;
    for (const rejection of result.rejected)
      for (const id of knownItem(rejection))
        requestExports(core, id, redirectToNamedCopy(core, id, rejection, autoExports));
  }
  const rejected = results.flatMap(({ result }) => result.rejected);
  return {
    ids: results.flatMap(({ result }) => result.ids),
    added: results.reduce((sum, { result }) => sum + result.added, 0),
    firstAdded: results.find(({ result }) => result.firstAdded !== null)?.result.firstAdded ?? null,
    rejected,
    excludedRecordings: {
      paths: results.flatMap(({ result }) => result.excludedRecordings.paths),
      links: results.flatMap(({ result }) => result.excludedRecordings.links),
    },
    settledExports: settledAutoExports(core, rejected.flatMap(knownItem)),
  };
}

const autoExportsIn = (
  exports: RequestedExports | null,
  folder: string | null,
): readonly AutoExport[] | null =>
  exports === null ? null : exports.formats.map((format) => ({ format, folder }));

/**
 * Whether a recording will not be transcribed. One that is queued or transcribed already is followed like the added
 * ones.
 */
export const isPermanentlyRejected = ({ problem }: Rejection): boolean =>
  problem.code !== 'already_queued' && problem.code !== 'already_transcribed';

/** Returns the item of a recording that was rejected because it is in the queue or was transcribed. */
export function knownItem(rejection: Rejection): readonly ItemId[] {
  const item = isPermanentlyRejected(rejection) ? undefined : rejection.problem.params?.['item'];
  return typeof item === 'number' ? [item] : [];
}

/** Returns the auto exports of known recordings that were written or have failed: they are not results of a command. */
const settledAutoExports = ({ autoExports }: Core, ids: readonly ItemId[]): readonly SettledAutoExport[] =>
  ids.flatMap((item) =>
    autoExports
      .of(item)
      .filter(({ path, problem }) => path !== null || problem !== null)
      .map(({ format, folder, name }) => ({ item, format, folder, name })),
  );

/** Returns the path of a rejected file; `null` for a link. */
export function pathOf({ problem }: Rejection): string | null {
  const path = problem.params?.['path'];
  return typeof path === 'string' ? path : null;
}

/** Retries failed and cancelled items with this command's service and options. */
async function retryUnsuccessful(
  { queue }: Core,
  ids: readonly ItemId[],
  service: ServiceAddress,
  options: JobOptions,
): Promise<void> {
  const unsuccessful = ids.filter((id) => ['failed', 'cancelled'].includes(queue.get(id)?.state.kind ?? ''));
  await queue.moveToService(unsuccessful, service);
  await queue.setOptions(unsuccessful, options);
  await queue.retry(unsuccessful);
}

/** If the file of an item is gone, continues it with the file that the command names. */
async function locateMoved({ queue }: Core, rejection: Rejection): Promise<void> {
  const path = pathOf(rejection);
  const [id] = knownItem(rejection);
  const item = id === undefined ? null : queue.get(id);
  if (path === null || item?.source.kind !== 'file') return;
  const { source, state } = item;
  const needsFile =
    state.kind === 'waiting' || (state.kind === 'blocked' && state.problem.code === 'file_missing');
  if (needsFile && source.path !== path && (await stateOfRecording(source)) !== 'present')
    await queue.locate(item.id, path);
}

/**
 * Returns the exports with the name of the copy that the command names; those that belong next to the recording are
 * written next to the copy.
 */
function redirectToNamedCopy(
  { queue, transcripts }: Core,
  id: ItemId,
  rejection: Rejection,
  files: readonly AutoExport[],
): readonly AutoExport[] {
  const item = queue.get(id);
  const path = pathOf(rejection);
  if (path === null || item?.source.kind !== 'file') return files;
  const transcript = transcripts.ofItem(item);
  // The recording may have been moved and located since.
  const located = transcript === null ? '' : (transcripts.recordingOf(transcript.id)?.path ?? '');
  const recordingPath = isAbsolute(located) ? located : item.source.path;
  const isBeside = dirname(recordingPath) === dirname(path);
  const name = basename(path);
  const isRenamed = name !== item.name;
  return files.map((file) => ({
    ...file,
    folder: file.folder ?? (isBeside ? null : dirname(path)),
    ...(isRenamed && { name }),
  }));
}

/** Requests the exports of a recording that is known. Written files that still exist stay unchanged. */
function requestExports({ autoExports }: Core, id: ItemId, files: readonly AutoExport[]): void {
  for (const { path, format, folder, name } of autoExports.of(id)) {
    const isRequested = files.some(
      (file) => file.format === format && file.folder === folder && file.name === name,
    );
    if (isRequested && path !== null && !existsSync(path)) autoExports.requestAgain(id, path);
  }
  autoExports.request(id, files);
}
