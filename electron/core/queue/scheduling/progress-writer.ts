import type { ExportFormat } from '../../../contract/choices.ts';
import type { ItemId } from '../../../contract/identifiers.ts';
import type { Job, JobTranscript } from '../../api/service-results.ts';
import { possibleAutoExports } from '../../library/export/auto-export-writer.ts';
import { runSteps } from '../../library/task/yielding.ts';
import { Yielder } from '../../yielder.ts';
import type { Clock, Random } from '../../ports.ts';
import { isLong, type StagedTranscript, type NewTranscript } from '../../store/library/transcript-store.ts';
import type { Store } from '../../store/store.ts';
import type { AutoExport } from '../../store/auto-export-store.ts';
import type { AfterCancelling, Item, ItemProgress, ItemState } from '../../item/item.ts';
import { transition, type ItemEvent } from '../machine/machine.ts';
import type { Effect, TransitionContext } from '../machine/transitions.ts';
import { afterUndo, isBeingRemoved, undoCancel } from '../machine/user-events.ts';
import { storageProblem } from '../../storage-problem.ts';
import type { Milestone } from '../../store/items/item-times.ts';
import { intactSeconds } from '../../item/shortfall.ts';

export interface ProgressWriterOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** See `LonghandOptions.defaultAutoExports`; read when a transcript is saved. */
  readonly defaultAutoExports: (chosen: readonly ExportFormat[] | null) => readonly AutoExport[];
}

/** The outcome of an event. */
export interface EventOutcome {
  /** What the scheduler still has to do. */
  readonly effects: readonly Effect[];
  /** Whether the event saved the item's transcript. */
  readonly saved: boolean;
}

const noOutcome: EventOutcome = { effects: [], saved: false };

/** Stores the outcome of each event in one commit, before anything else happens. */
export class ProgressWriter {
  readonly #options: ProgressWriterOptions;
  /** Staged long transcripts, until they are saved. */
  readonly #staged = new Map<ItemId, StagedTranscript>();
  /**
   * The state that each item being removed enters if its removal is undone. In memory only, like the rows of the last
   * removal, which cannot be undone after a restart.
   */
  readonly #afterUndo = new Map<ItemId, AfterCancelling>();
  /** Transcripts are staged one after the other, with other work in between. */
  #lastStaging: Promise<void> = Promise.resolve();

  constructor(options: ProgressWriterOptions) {
    this.#options = options;
  }

  /** Whether an event contains a transcript that has to be staged before the event is applied. */
  needsStaging(event: ItemEvent): boolean {
    if (event.kind !== 'job-status') return false;
    const { status, transcript } = event.job;
    // A transcript is saved only with this status. Staging one at every poll would fill the disk.
    return status === 'completed' && transcript !== null && isLong(transcript);
  }

  /**
   * Stages a long transcript in pieces, with other work in between. It stays invisible until {@link apply} commits it.
   * The caller must call {@link discardStaged} afterwards. Never rejects: if staging fails, {@link apply} inserts the
   * transcript itself and reports the error.
   */
  stage(item: Item, event: ItemEvent, signal: AbortSignal): Promise<void> {
    const staging = this.#lastStaging
      .then(() => this.#stageTranscript(item, event, signal))
      .catch(() => undefined);
    this.#lastStaging = staging;
    return staging;
  }

  async #stageTranscript(item: Item, event: ItemEvent, signal: AbortSignal): Promise<void> {
    const { state } = item;
    if (signal.aborted || event.kind !== 'job-status' || event.job.transcript === null) return;
    if (state.kind === 'done' || !('jobId' in state) || state.jobId === null) return;
    const { store, clock } = this.#options;
    const steps = store.transcripts.stage(
      this.#newTranscript(item, state.jobId, event.job.transcript, event.job),
    );
    const staged = await runSteps(steps, new Yielder(clock), signal);
    if (staged !== null) this.#staged.set(item.id, staged);
  }

  /** Discards the staged transcript of an item once it has been saved or is no longer needed. */
  discardStaged(id: ItemId): void {
    const staged = this.#staged.get(id);
    if (staged === undefined) return;
    this.#staged.delete(id);
    this.#options.store.transcripts.releaseStaged(staged);
  }

  /** Applies an event to an item and commits its outcome. @throws the database's error when it cannot be stored. */
  apply(id: ItemId, event: ItemEvent): EventOutcome {
    const { store, clock, random } = this.#options;
    const item = store.items.get(id);
    if (item === null) return noOutcome;
    if (event.kind === 'transcribe-again' && store.transcripts.ofItem(item) !== null) return noOutcome;
    const now = clock.now();
    const context = { now, random: random.next() };
    const { progress, effects } = transition(item, event, context);
    if (progress === item) return { effects, saved: false };
    const isRemoved = progress.state.kind === 'cancelled' && progress.state.forget;
    const stored = isRemoved ? this.#progressOfRemoved(item, event, context) : progress;
    if (!isBeingRemoved(item) && isBeingRemoved(progress)) this.#afterUndo.set(id, afterUndo(item.state));
    store.transaction(() => {
      if (stored !== item) store.items.setProgress(id, stored);
      const milestone = milestoneOf(item.state, stored.state);
      if (milestone !== null) store.times.record(id, milestone, now);
      if (event.kind === 'start') store.items.countRequest(id);
      if (event.kind === 'transcribe-again') {
        store.autoExports.requestAllAgain(id);
        if (event.service !== null) store.items.setService(id, event.service);
      }
      const reportedSeconds = event.kind === 'job-status' ? (event.job.durationSeconds ?? 0) : 0;
      // The service charges by its own measurement. Some report 0 until they have one.
      if (reportedSeconds > 0 && reportedSeconds !== item.durationSeconds)
        store.items.setDuration(id, reportedSeconds);
      if (isRemoved) store.removed.delete([id]);
    });
    const save = effects.find((effect) => effect.kind === 'save');
    return { effects, saved: save !== undefined && this.#save({ ...item, ...progress }, save) };
  }

  /**
   * Restores the rows that the last removal has deleted, and keeps those whose jobs are still being deleted: see
   * {@link afterUndo}. Returns all items of that removal.
   *
   * @throws the database's error when it cannot be stored.
   */
  undoRemoval(): ReadonlySet<ItemId> {
    const { store } = this.#options;
    return store.transaction(() => {
      const { restored, remaining } = store.removed.restore();
      for (const { id, kind } of remaining) {
        const item = kind === 'cancelling' ? store.items.get(id) : null;
        if (item !== null) this.apply(id, { kind: 'undo-cancel', next: this.#nextAfterUndo(item) });
      }
      return new Set([...restored, ...remaining.map(({ id }) => id)]);
    });
  }

  /** Commits the transcript and the state `done` together: neither ever exists without the other. */
  #save(item: Item, { transcript, job }: Extract<Effect, { kind: 'save' }>): boolean {
    const { store, defaultAutoExports } = this.#options;
    if (item.state.kind !== 'saving') return false;
    const { jobId } = item.state;
    try {
      store.transaction(() => {
        const { id: transcriptId, wordCount } = store.transcripts.save(
          this.#newTranscript(item, jobId, transcript, job),
          this.#staged.get(item.id),
        );
        const formats = store.autoExports.formatsOf(item.id);
        store.autoExports.request(item.id, possibleAutoExports(item.source, defaultAutoExports(formats)));
        const { speakers } = item.options;
        if (speakers !== 'off' && wordCount > 0)
          store.speakerRequests.add(transcriptId, speakers === 'automatic' ? null : speakers);
        const { unreadableSeconds } = job;
        // Stored in the item's state, not with the recording: the service of a later attempt may omit less.
        const omittedSeconds = job.durationSeconds === null ? undefined : job.omittedSeconds;
        this.apply(item.id, { kind: 'saved', wordCount, unreadableSeconds, omittedSeconds });
      });
    } catch (error) {
      this.apply(item.id, { kind: 'save-failed', problem: storageProblem(error) });
      return false;
    }
    return true;
  }

  /**
   * Returns the progress that an item, whose row `event` removes, gets back if the removal is undone. If it had nothing at
   * its service, this is its progress before the removal; otherwise, what it would be if the removal had been undone just
   * before `event`.
   */
  #progressOfRemoved(item: Item, event: ItemEvent, context: TransitionContext): ItemProgress {
    if (event.kind === 'cancel') return item;
    return transition(undoCancel(item, this.#nextAfterUndo(item)), event, context).progress;
  }

  /**
   * Returns the state that an item enters if its removal is undone. After a restart, when the map is empty, it is derived
   * from the item's current state: nothing is sent again without the user's consent.
   */
  #nextAfterUndo({ id, state }: Item): AfterCancelling {
    return this.#afterUndo.get(id) ?? afterUndo(state);
  }

  #newTranscript(item: Item, jobId: string, transcript: JobTranscript, job: Job): NewTranscript {
    return {
      itemId: item.id,
      service: item.service,
      jobId,
      name: item.name,
      durationSeconds: job.durationSeconds ?? item.durationSeconds,
      statedSeconds: intactSeconds(item.statedSeconds, job),
      unreadableSeconds: job.unreadableSeconds ?? null,
      transcript,
      recording: item.source.kind === 'file' ? item.source : null,
      createdAt: this.#options.clock.now(),
    };
  }
}

/** Returns the milestone that a change of state has reached, if any. */
export function milestoneOf(before: ItemState, after: ItemState): Milestone | null {
  if (after.kind === before.kind) return null;
  switch (after.kind) {
    case 'creating':
      // After a pause, the item continues with its earlier request.
      return before.kind === 'waiting' ? 'started' : null;
    case 'waiting':
      return before.kind === 'paused' || before.kind === 'blocked' ? null : 'restarted';
    case 'completing':
    case 'transcribing':
      return before.kind === 'uploading' ? 'sent' : null;
    case 'done':
    case 'failed':
    case 'cancelled':
      return 'ended';
    default:
      return null;
  }
}
