import {
  commands,
  type CommandAnswer,
  type CommandInput,
  type CommandName,
  type CommandResult,
} from '../../../electron/contract/commands.ts';
import type { EventName, Events } from '../../../electron/contract/events.ts';
import type { JobsView } from '../../../electron/contract/service-job-commands.ts';
import type { AppInfo } from '../../../electron/contract/app-commands.ts';
import type { ItemId, TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { Transcript } from '../../../electron/contract/library-commands.ts';
import type {
  LiveTranscriptView,
  QueueRow,
  QueueSummary,
  QueueTarget,
  QueueView,
} from '../../../electron/contract/queue-commands.ts';
import type { Segment } from '../../../electron/contract/segment-schema.ts';
import { summarizeRows } from '../../../renderer/features/queue/queue-selection.ts';
import type { ModelOption, SpeechModelView } from '../../../electron/contract/speech-models.ts';
import type { RecordingStatus } from '../../../electron/contract/recording-status.ts';
import type {
  SpeakerModelsView,
  SpeakerQueueView,
  SpeakersReport,
} from '../../../electron/contract/speakers.ts';
import type { Account, ServiceAddress, ServiceStatus } from '../../../electron/contract/service.ts';
import type { TermList } from '../../../electron/contract/options.ts';
import type { Settings } from '../../../electron/contract/settings.ts';
import type { WatchedFolder } from '../../../electron/contract/watched-folder-commands.ts';
import { ProblemError, type ProblemCode } from '../../../electron/contract/problem.ts';
import { omitUndefined } from '../../../electron/core/omit-undefined.ts';
import { exampleNames } from '../../../electron/core/library/export/export-plan.ts';
import { transcriptOf, transcriptsOf } from '../transcript-of.ts';
import { fakeExports } from './fake-exports.ts';
import { fakeRecordings } from './fake-recordings.ts';
import { sampleDetails } from './sample-rows.ts';
import { idsListed, rowsListed, sampleSummary } from './sample-summary.ts';
import { type DraftOfScene, FakeEdits } from './fake-edits.ts';
import { FakeLibrary } from './fake-library.ts';
import { fakeLibraryTools } from './fake-library-tools.ts';
import { FakeAddSheet, type AddSheetScene } from './fake-add-sheet.ts';
import {
  defaultApp,
  defaultModelOptions,
  defaultModels,
  defaultSpeakerModels,
  idleSpeakers,
  readyStatus,
  sampleSettings,
} from './default-state.ts';

/** The state behind the window, as far as a test defines it; everything else has defaults. */
export interface Scene {
  readonly app?: Partial<AppInfo>;
  readonly settings?: Partial<Settings>;
  readonly accounts?: readonly Account[];
  readonly folders?: readonly WatchedFolder[];
  readonly service?: Partial<ServiceStatus>;
  /** Services that are not in use; all others are ready. */
  readonly otherServices?: readonly ServiceStatus[];
  readonly models?: readonly SpeechModelView[];
  readonly modelOptions?: readonly ModelOption[];
  readonly speakerModels?: SpeakerModelsView;
  readonly speakers?: Partial<SpeakerQueueView>;
  readonly failedAutoExports?: CommandResult<'autoExports.failed'>;
  /** What the user picks in the dialog for a file with names and terms. */
  readonly pickedTerms?: TermList;
  readonly rows?: readonly QueueRow[];
  readonly summary?: Partial<QueueSummary>;
  /** The add sheet; absent when it is closed. */
  readonly addSheet?: AddSheetScene;
  readonly transcripts?: readonly Transcript[];
  /** What edits and the queue have added to transcripts besides their segments, by id. */
  readonly drafts?: Readonly<Record<TranscriptId, DraftOfScene>>;
  readonly jobs?: readonly JobsView[];
  /** Tags of transcripts, by id. */
  readonly tags?: Readonly<Record<TranscriptId, readonly string[]>>;
  /** Transcripts in the trash. */
  readonly trash?: readonly Transcript[];
  /** The recordings of transcripts, by id; all others are missing. */
  readonly recordings?: Readonly<Record<TranscriptId, RecordingStatus>>;
  /** The recordings of items, by id. */
  readonly itemRecordings?: Readonly<Record<ItemId, RecordingStatus>>;
  /** What is transcribed of items in progress at the beginning, by id. */
  readonly live?: Readonly<Record<ItemId, readonly Segment[]>>;
  /** Commands that are refused, each with its problem. */
  readonly refused?: { readonly [N in CommandName]?: ProblemCode };
  /** Called before each command; returns the problem if the command is refused this time. */
  readonly refusing?: (name: CommandName) => ProblemCode | null;
  /** Replaces commands; a promise makes the window wait. */
  readonly answers?: {
    readonly [N in CommandName]?: (input: CommandInput<N>) => CommandResult<N> | Promise<CommandResult<N>>;
  };
}

const nothing = (): void => {};

type Handlers = { readonly [N in CommandName]: (input: CommandInput<N>) => CommandResult<N> };

/** A main process that keeps to the contract, validates every input with its schema, and does what a test scripts. */
export class FakeMain {
  /** Every command from the window, in order. */
  readonly calls: { readonly name: CommandName; readonly input: unknown }[] = [];
  /** Receives the events for the window. */
  onEvent: <N extends EventName>(name: N, payload: Events[N]) => void = () => {};
  rows: readonly QueueRow[];
  settings: Settings;
  accounts: readonly Account[];
  folders: readonly WatchedFolder[];
  /** What is transcribed of items in progress, by id. */
  live: Readonly<Record<ItemId, readonly Segment[]>>;
  service: ServiceStatus;
  readonly #scene: Scene;
  readonly #edits = new Map<TranscriptId, FakeEdits>();
  readonly #recordings: ReturnType<typeof fakeRecordings>;
  readonly #library: FakeLibrary;
  #removed: readonly QueueRow[] = [];
  #revision = 1;
  readonly addSheet: FakeAddSheet;
  #watched: CommandInput<'queue.setViewport'> = { filter: 'all', search: '', offset: 0, limit: 0 };

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#recordings = fakeRecordings(scene.recordings);
    this.rows = scene.rows ?? [];
    this.accounts = scene.accounts ?? [];
    this.live = scene.live ?? {};
    this.folders = scene.folders ?? [];
    this.settings = {
      ...sampleSettings,
      accounts: this.accounts.map(({ address }) => address),
      ...scene.settings,
    };
    this.#library = new FakeLibrary(scene.transcripts ?? [], scene.trash ?? [], (counts) =>
      this.onEvent('library.changed', counts),
    );
    this.addSheet = new FakeAddSheet(
      scene.addSheet ?? null,
      () => this.settings.service ?? 'on-device',
      (view) => this.onEvent('addSheet.changed', view),
    );
    for (const [id, tags] of Object.entries(scene.tags ?? {})) this.#library.setTags(Number(id), tags);
    this.service = { ...readyStatus(this.settings.service ?? 'on-device'), ...scene.service };
  }

  /** Returns the inputs of all calls of a command. */
  callsOf<N extends CommandName>(name: N): readonly CommandInput<N>[] {
    return this.calls.filter((call) => call.name === name).map((call) => call.input as CommandInput<N>);
  }

  /** Answers as the preload script's `invoke` does. */
  async invoke(name: string, input: unknown): Promise<CommandAnswer<CommandName>> {
    const command = name as CommandName;
    const parsed = commands[command].input.parse(input ?? undefined);
    this.calls.push({ name: command, input: parsed });
    const code = this.#scene.refused?.[command] ?? this.#scene.refusing?.(command) ?? undefined;
    if (code !== undefined) return { ok: false, problem: { code } };
    const handler = { ...this.#handlers, ...this.#scene.answers }[command] as (given: unknown) => never;
    try {
      return { ok: true, value: await handler(parsed) };
    } catch (error) {
      if (error instanceof ProblemError) return { ok: false, problem: error.problem };
      throw error;
    }
  }

  /** Shows a part of the queue. */
  watch(part: CommandInput<'queue.setViewport'>): QueueView {
    this.#watched = part;
    return this.#view();
  }

  /** Changes the queue and notifies the window. */
  changeRows(rows: readonly QueueRow[]): void {
    this.rows = rows;
    this.#revision += 1;
    this.onEvent('queue.changed', this.#view());
  }

  /** Changes the status of the service and notifies the window. */
  changeService(patch: Partial<ServiceStatus>): void {
    this.service = { ...this.service, ...patch };
    this.onEvent('service.changed', this.service);
  }

  #statusOf(service: ServiceAddress): ServiceStatus {
    if (service === this.service.service) return this.service;
    return this.#scene.otherServices?.find((one) => one.service === service) ?? readyStatus(service);
  }

  /** Returns the edits of a transcript of the scene. */
  edits(id: TranscriptId): FakeEdits | null {
    const transcript = this.#library.transcript(id);
    if (transcript === undefined) return null;
    const known = this.#edits.get(id);
    if (known !== undefined) return known;
    const edits = new FakeEdits(transcript, this.#scene.drafts?.[id]);
    this.#edits.set(id, edits);
    return edits;
  }

  /** Two speakers take turns, a segment each. */
  #identify(id: TranscriptId): SpeakersReport {
    const edits = this.#opened(id);
    const turns = edits.times.map(([start, end], i) => ({ start, end, speaker: i % 2, confidence: 0.9 }));
    edits.editElsewhere({ kind: 'assign-speakers', turns });
    this.onEvent('transcripts.changed', [id]);
    return { speakers: 2, changed: true };
  }

  #opened(id: TranscriptId): FakeEdits {
    const edits = this.edits(id);
    if (edits === null) throw new Error(`There is no transcript ${id} in the scene.`);
    return edits;
  }

  #changeSettings(patch: Partial<Settings>): Settings {
    this.settings = { ...this.settings, ...patch };
    this.onEvent('settings.changed', this.settings);
    return this.settings;
  }

  #rowsOf(target: QueueTarget): readonly QueueRow[] {
    return 'ids' in target
      ? this.rows.filter(({ id }) => target.ids.includes(id))
      : rowsListed(this.rows, target.all).filter(({ id }) => !target.except.includes(id));
  }

  #view(): QueueView {
    const { offset, limit, ...listing } = this.#watched;
    const rows = rowsListed(this.rows, listing);
    const summary = { ...sampleSummary(this.rows), ...this.#scene.summary };
    const found = sampleSummary(rowsListed(this.rows, { ...listing, filter: 'all' }));
    return {
      revision: this.#revision,
      ...this.#watched,
      counts: listing.search === '' ? summary.counts : found.counts,
      total: rows.length,
      rows: rows.slice(offset, offset + limit),
      summary,
    };
  }

  get #jobs(): readonly JobsView[] {
    return this.#scene.jobs ?? [];
  }

  #live(id: ItemId, from: number): LiveTranscriptView {
    const row = this.rows.find((one) => one.id === id);
    const transcriptId = transcriptOf(row);
    if (transcriptId !== -1) return { kind: 'done', transcriptId };
    if (row?.state.kind !== 'transcribing') return { kind: 'stopped' };
    return {
      kind: 'transcribing',
      name: row.name,
      durationSeconds: row.durationSeconds,
      progress: row.state.progress,
      language: 'en',
      from,
      segments: (this.live[id] ?? []).slice(from),
    };
  }

  get #handlers(): Handlers {
    const report = { added: 0, firstAdded: null, rejected: [] };
    return {
      'app.info': () => ({ ...defaultApp, ...this.#scene.app }),
      'app.readyToQuit': nothing,
      'app.unsaved': nothing,
      'app.setModal': nothing,
      'app.showDataFolder': nothing,
      'app.saveLog': () => ({ name: 'longhand-log.txt' }),
      'queue.setViewport': (part) => this.watch(part),
      'queue.ids': ({ offset, limit, ...listing }) =>
        idsListed(this.rows, listing).slice(offset, offset + limit),
      'queue.listed': ({ ids, ...listing }) => idsListed(this.rows, listing).filter((id) => ids.includes(id)),
      'queue.add': ({ paths, links }) => ({
        added: paths.length + links.length,
        firstAdded: [...paths, ...links][0]?.split('/').at(-1) ?? null,
        rejected: [],
      }),
      'queue.pick': () => report,
      ...this.addSheet.handlers,
      'queue.pause': nothing,
      'queue.resume': nothing,
      'queue.retry': nothing,
      'queue.transcribeAgain': nothing,
      'queue.addAgain': nothing,
      'queue.cancel': () => ({ stillCancelling: 0 }),
      'queue.sum': (target) => summarizeRows(this.#rowsOf(target)),
      'queue.transcripts': (target) => transcriptsOf(this.#rowsOf(target)),
      'queue.remove': (target) => {
        this.#removed = this.#rowsOf(target);
        this.changeRows(this.rows.filter((row) => !this.#removed.includes(row)));
        return { stillCancelling: 0 };
      },
      'queue.undoRemove': () => {
        const restored = this.#removed.length;
        this.changeRows([...this.rows, ...this.#removed].toSorted((a, b) => a.id - b.id));
        this.#removed = [];
        return { restored };
      },
      'queue.move': nothing,
      'queue.sortWaiting': nothing,
      'queue.setOptions': (target) => ({ changed: this.#rowsOf(target).length }),
      'queue.moveToService': ({ service, leavesJobs: _jobs, ...target }) => {
        const moved = this.#rowsOf(target).filter((row) => row.movable && row.service !== service);
        this.changeRows(this.rows.map((row) => (moved.includes(row) ? { ...row, service } : row)));
        return { changed: moved.length, notMoved: 0 };
      },
      'queue.moveStalled': ({ from, to }) => {
        const moved = this.rows.filter((row) => row.service === from && row.state.kind === 'waiting');
        this.changeRows(this.rows.map((row) => (moved.includes(row) ? { ...row, service: to } : row)));
        return { changed: moved.length, notMoved: 0 };
      },
      'queue.setLink': nothing,
      'queue.live': ({ id, from }) => this.#live(id, from),
      'queue.recording': ({ id }) => this.#scene.itemRecordings?.[id] ?? { kind: 'none' },
      'queue.details': ({ id }) => sampleDetails(id),
      'queue.locate': () => ({ located: true }),
      'queue.pauseAll': nothing,
      'queue.resumeAll': nothing,
      'queue.clearDoneAndCancelled': nothing,
      'queue.retryAll': nothing,
      'queue.showInFolder': nothing,
      'transcript.get': ({ id }) => this.edits(id)?.open() ?? null,
      'transcript.segments': () => ({ segments: [], next: null, order: null }),
      'transcript.original': ({ id }) =>
        this.edits(id)?.original() ?? { segments: [], text: null, speakersBefore: [] },
      'transcript.edit': ({ id, ...made }) => this.#opened(id).edit(made),
      'transcript.undo': ({ id, revision, knowsChange }) => this.#opened(id).undo(revision, knowsChange),
      'transcript.redo': ({ id, revision, knowsChange }) => this.#opened(id).redo(revision, knowsChange),
      'transcript.setLanguage': ({ id, language }) => this.#opened(id).setLanguage(language),
      'transcript.recording': ({ id }) => this.#scene.recordings?.[id] ?? { kind: 'none' },
      ...this.#recordings,
      'transcript.waveform': () => null,
      'transcript.keepWaveform': nothing,
      'transcript.copy': nothing,
      'transcript.accept': ({ id, finding, accepted }) => this.#opened(id).accept(finding, accepted),
      ...this.#library.handlers,
      ...fakeExports(
        (folder) => this.#changeSettings({ exportFolder: folder }),
        this.#scene.failedAutoExports,
      ),
      'settings.get': () => this.settings,
      'settings.nameExamples': ({ name, folder, ...options }) =>
        exampleNames(options, name, folder, Date.UTC(2026, 10, 19, 8, 12)),
      'settings.pickTerms': () => this.#scene.pickedTerms ?? null,
      'settings.pickAutoExportFolder': () =>
        this.#changeSettings({ autoExportFolder: '/home/ann/Transcripts' }),
      'settings.clearAutoExportFolder': () => this.#changeSettings({ autoExportFolder: null }),
      'settings.change': (patch) => this.#changeSettings(patch as Partial<Settings>),
      'service.status': (input) => this.#statusOf(input?.service ?? this.service.service),
      'service.connect': ({ baseUrl, use }) => {
        const others = this.accounts.filter(({ address }) => address !== baseUrl);
        this.accounts = [
          ...others,
          { address: baseUrl, keyStatus: 'keychain', unfinishedItemCount: 0, folderCount: 0 },
        ];
        const accounts = this.accounts.map(({ address }) => address);
        const settings = this.#changeSettings({ accounts, ...(use ? { service: baseUrl } : {}) });
        return { settings, keyStatus: 'keychain' };
      },
      'watch.list': () => this.folders,
      'watch.pick': () => this.folders,
      'watch.change': ({ id, paused, ...patch }) => {
        const state = paused !== undefined && { state: { kind: paused ? 'paused' : 'watching' } as const };
        this.folders = this.folders.map((folder) =>
          folder.id === id ? { ...folder, ...omitUndefined(patch), ...state } : folder,
        );
        return this.folders;
      },
      'watch.remove': ({ id }) => (this.folders = this.folders.filter((folder) => folder.id !== id)),
      'watch.show': nothing,
      'accounts.list': () => this.accounts,
      'accounts.use': ({ service }) => this.#changeSettings({ service }),
      'accounts.rename': ({ service, name }) => {
        const { [service]: _before, ...others } = this.settings.accountNames;
        return this.#changeSettings({
          accountNames: name === '' ? others : { ...others, [service]: name },
        });
      },
      'accounts.setLimit': ({ service, credits }) => {
        const { [service]: _before, ...others } = this.settings.accountLimits;
        return this.#changeSettings({
          accountLimits: credits === null ? others : { ...others, [service]: credits },
        });
      },
      'accounts.openWebsite': nothing,
      'accounts.forgetKey': ({ service }) => {
        this.accounts = this.accounts.map((account) =>
          account.address === service ? { ...account, keyStatus: 'none' } : account,
        );
        return this.accounts;
      },
      'accounts.remove': ({ service }) => {
        this.accounts = this.accounts.filter(({ address }) => address !== service);
        const accounts = this.accounts.map(({ address }) => address);
        const used = this.settings.service === service ? 'on-device' : this.settings.service;
        this.#changeSettings({ accounts, service: used });
        return this.accounts;
      },
      'service.tryAgain': nothing,
      'jobs.view': () => this.#jobs,
      'jobs.refresh': ({ service }) => {
        const nothing = { records: [], isComplete: true, vanished: [], recoveredFromBackup: false };
        const asked = this.#jobs.find((view) => view.service === service) ?? { service, ...nothing };
        return [...this.#jobs.filter((view) => view !== asked), { ...asked, fetchedAt: Date.now() }];
      },
      'jobs.import': ({ jobIds }) => ({ done: jobIds.length, failed: [], notStarted: null }),
      'jobs.follow': () => this.#jobs,
      'jobs.delete': ({ jobIds }) => ({ done: jobIds.length, failed: [], notStarted: null }),
      'jobs.dismissVanished': () => this.#jobs,
      ...fakeLibraryTools,
      'speakers.models': () => this.#scene.speakerModels ?? defaultSpeakerModels,
      'speakers.download': () => ({ ...defaultSpeakerModels, isReady: true }),
      'speakers.chooseFolder': () => ({ ...defaultSpeakerModels, isReady: true, ownFolder: 'voices' }),
      'speakers.forgetFolder': () => defaultSpeakerModels,
      'speakers.delete': () => defaultSpeakerModels,
      'speakers.identify': ({ id }) => this.#identify(id),
      'speakers.identifyAll': nothing,
      'speakers.queue': () => ({ ...idleSpeakers, ...this.#scene.speakers }),
      'speakers.cancelAll': nothing,
      'speakers.retryFailed': nothing,
      'speakers.dismissFailed': nothing,
      'models.list': () => this.#scene.models ?? defaultModels,
      'models.options': () => ({
        options: this.#scene.modelOptions ?? defaultModelOptions,
        freeBytes: 212_000_000_000,
      }),
      'models.use': nothing,
      'models.download': nothing,
      'models.stopDownload': nothing,
      'models.delete': nothing,
      'models.chooseFolder': () => ({ chosen: true }),
      'models.forgetFolder': nothing,
      'models.measure': nothing,
    };
  }
}
