import { stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { ItemId } from '../../contract/identifiers.ts';
import { defaultJobOptions } from '../../contract/options.ts';
import { ProblemError } from '../../contract/problem.ts';
import type { ServiceAddress } from '../../contract/service.ts';
import type { Longhand } from '../../core/longhand.ts';
import { isPermanentlyRejected } from '../../core/queue/adding/add-requested.ts';
import { FolderWatcher, type FolderWatcherOptions } from '../../core/watch/folder-watcher.ts';
import { realFolder } from '../../core/watch/watched-files.ts';
import { autoExportsFor, type WatchCommand } from '../cli-command.ts';
import { type CommandLineSystem, whenAborted } from '../command-line-system.ts';
import { defaultService } from '../environment.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { openOutFolder, outFolderPath } from '../out-folder.ts';
import { QueueSession } from '../queue-session.ts';
import type { Reporter } from '../reporting/run-events.ts';
import { chooseItems } from './queued-commands.ts';

/**
 * `longhand watch`: transcribes the recordings of folders, those that are there and those that arrive, until it is
 * stopped or needs the user. Each content is transcribed once, even over several runs.
 */
export async function watch(
  command: WatchCommand,
  system: CommandLineSystem,
  reporter: Reporter,
): Promise<ExitCode> {
  const { workingFolder, interrupted, stderr, translator } = system;
  const folderPaths = await Promise.all(
    command.folders.map((folder) => existingFolder(resolve(workingFolder, folder))),
  );
  const paths = [...new Set(folderPaths)];
  const service = command.service ?? defaultService(system);
  const options = { ...defaultJobOptions, ...system.settings().options, ...command.options };
  const session = new QueueSession(system, command.exportRequest.overrides);
  const { longhand } = session;
  const arrivals = new Arrivals(AbortSignal.any([interrupted, session.leaseLost]));
  const add: FolderWatcherOptions['add'] = async (watched, _service, signal) => {
    const autoExports = autoExportsFor(
      command.exportRequest,
      outFolderPath(command.exportRequest.folder, workingFolder),
    );
    const request = {
      paths: [...watched.fingerprints.keys()],
      watched,
      links: [],
      service,
      options,
      autoExports,
      signal: AbortSignal.any([signal, interrupted]),
    };
    const added = await longhand.queue.add(request);
    reporter.report({ type: 'added', count: added.added });
    for (const rejection of added.rejected.filter(isPermanentlyRejected))
      reporter.report({ type: 'left-out', name: rejection.name, problem: rejection.problem });
    arrivals.push(added.ids);
    return added;
  };
  const folders = new CommandFolders(longhand, system, {
    paths,
    add,
    service,
    reporter,
  });
  try {
    // After a recovery from a backup, earlier recordings could be charged again. The command stops once with a warning;
    // running it again is the user's consent.
    if (service !== 'on-device' && longhand.takeRecoveryNotice() !== null) {
      stderr.write(`${translator.translate('cli.watchAfterRecovery')}\n`);
      return exitCode.needsUser;
    }
    if (options.speakers !== 'off') await session.assertSpeakerModels();
    await openOutFolder(command.exportRequest.folder, workingFolder);
    const items = unfinishedItemsIn(longhand, paths, reporter);
    await (command.service === null ? session.useKeyForItems(items) : session.useKeyForService(service));
    arrivals.push(items);
    folders.start();
    if (stderr.isTerminal)
      stderr.write(`${translator.translate('cli.watching', { folders: paths.join(', ') })}\n`);
    let code: ExitCode = exitCode.done;
    for (;;) {
      const ids = await arrivals.next();
      if (session.leaseLost.aborted) throw new ProblemError({ code: 'data_folder_in_use' });
      // An interruption is the normal end of this command.
      if (interrupted.aborted) return code;
      const runCode = await session.run(ids, reporter, { partial: false, tags: command.tags });
      if (runCode === exitCode.needsUser || runCode === exitCode.interrupted) return runCode;
      if (runCode !== exitCode.done) code = runCode;
    }
  } finally {
    await folders.close(session.leaseLost.aborted);
    await session.close();
  }
}

/** The recordings that have arrived and are not followed yet. */
class Arrivals {
  readonly #stopped: AbortSignal;
  #ids: ItemId[] = [];
  #wake = Promise.withResolvers<void>();

  constructor(stopped: AbortSignal) {
    this.#stopped = stopped;
    whenAborted(stopped, () => this.#wake.resolve());
  }

  push(ids: readonly ItemId[]): void {
    if (ids.length === 0) return;
    this.#ids.push(...ids);
    this.#wake.resolve();
  }

  /** Waits for recordings; returns none when it is stopped. */
  async next(): Promise<readonly ItemId[]> {
    await this.#wake.promise;
    const ids = this.#ids;
    this.#ids = [];
    this.#wake = Promise.withResolvers<void>();
    if (this.#stopped.aborted) this.#wake.resolve();
    return ids;
  }
}

interface FoldersOptions {
  /** Absolute. */
  readonly paths: readonly string[];
  readonly add: FolderWatcherOptions['add'];
  /** Where the recordings are transcribed, including those of a folder that the window has another service for. */
  readonly service: ServiceAddress;
  readonly reporter: Reporter;
}

/** Watches the folders of the command, and no other ones of the data folder. */
class CommandFolders {
  readonly #longhand: Longhand;
  readonly #watchers: readonly FolderWatcher[];
  readonly #addedFolders: readonly number[];

  constructor(
    longhand: Longhand,
    { clock, logger, settings }: CommandLineSystem,
    { paths, add, service, reporter }: FoldersOptions,
  ) {
    this.#longhand = longhand;
    const { watch: store, queue } = longhand;
    store.setMissingServices(settings().service ?? 'on-device');
    const pathsBefore = new Set(store.folders().map(({ path }) => path));
    // If the command is killed, the window finds the folder paused.
    for (const path of paths) store.add({ path, service, paused: true }, { skipsExisting: false });
    const folders = store.folders().filter(({ path }) => paths.includes(path));
    this.#addedFolders = folders.filter(({ path }) => !pathsBefore.has(path)).map(({ id }) => id);
    this.#watchers = folders.map(
      (folder) =>
        new FolderWatcher({
          folder: { ...folder, service, paused: false },
          store,
          clock,
          logger,
          add,
          item: (id) => queue.get(id),
          retry: (id) => queue.retry([id]),
          probeDuration: longhand.probeDuration,
          onChange: () => undefined,
          onUnavailable: (name, problem) => reporter.report({ type: 'left-out', name, problem }),
          onLimitReached: (name) =>
            reporter.report({ type: 'left-out', name, problem: { code: 'credit_limit' } }),
        }),
    );
  }

  start(): void {
    for (const watcher of this.#watchers) watcher.start();
  }

  /** @param isLeaseLost whether another program has taken the data folder. */
  async close(isLeaseLost: boolean): Promise<void> {
    await Promise.all(this.#watchers.map((watcher) => watcher.close()));
    if (isLeaseLost) return;
    for (const id of this.#addedFolders) this.#longhand.watch.remove(id);
  }
}

/** Returns the unfinished recordings in folders. */
function unfinishedItemsIn(
  longhand: Longhand,
  folders: readonly string[],
  reporter: Reporter,
): readonly ItemId[] {
  const isIn = (path: string): boolean =>
    folders.some((folder) => path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`));
  return chooseItems(longhand, 'resume', null, reporter).ids.filter((id) => {
    const source = longhand.queue.get(id)?.source;
    return source?.kind === 'file' && isIn(source.path);
  });
}

/** Returns the real path of a folder. @throws ProblemError when there is none at the path. */
async function existingFolder(path: string): Promise<string> {
  const stats = await stat(path).catch(() => null);
  if (stats?.isDirectory() !== true) throw new ProblemError({ code: 'path_missing', detail: path });
  return realFolder(path);
}
