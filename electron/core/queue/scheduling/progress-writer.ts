import type { ItemId } from '../../../contract/model/identifiers.ts';
import { possibleFiles } from '../../library/export/wanted-files.ts';
import type { Clock, Random } from '../../ports.ts';
import type { Store } from '../../store/store.ts';
import type { WantedFile } from '../../store/wanted-file-store.ts';
import type { Item } from '../machine/item.ts';
import { transition, type ItemEvent } from '../machine/machine.ts';
import type { Effect } from '../machine/steps.ts';
import { stationOf } from './stations.ts';
import { storageProblem } from '../../storage-problem.ts';

export interface ProgressWriterOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** The files that are wanted of every transcript, decided when it is saved. */
  readonly wantedOfAll: () => readonly WantedFile[];
}

/** What an event has led to. */
export interface Applied {
  /** What is left to be done about it. */
  readonly effects: readonly Effect[];
  /** Whether the item's transcript was saved by it. */
  readonly saved: boolean;
}

const nothing: Applied = { effects: [], saved: false };

/** Stores what events make of items: each in one commit with all that belongs to it, before anything else happens. */
export class ProgressWriter {
  readonly #options: ProgressWriterOptions;

  constructor(options: ProgressWriterOptions) {
    this.#options = options;
  }

  /** @throws the database's error when it cannot be stored. */
  apply(id: ItemId, event: ItemEvent): Applied {
    const { store, clock, random } = this.#options;
    const item = store.items.get(id);
    if (item === null) return nothing;
    const now = clock.now();
    const { progress, effects } = transition(item, event, { now, chance: random.next() });
    if (progress === item) return { effects, saved: false };
    store.transaction(() => {
      if (progress.state.kind === 'cancelled' && progress.state.forget) return store.items.remove([id]);
      store.items.setProgress(id, progress);
      const station = stationOf(item.state, progress.state);
      if (station !== null) store.times.note(id, station, now);
      if (event.kind === 'begin' && progress !== item) store.items.countTicket(id);
      const told = event.kind === 'job-told' ? event.job.durationSeconds : null;
      if (told !== null && item.durationSeconds === null) store.items.setDuration(id, told);
    });
    const save = effects.find((effect) => effect.kind === 'save');
    return { effects, saved: save !== undefined && this.#save({ ...item, ...progress }, save) };
  }

  /** The transcript and the state `done` are one commit: neither is ever there without the other. */
  #save(item: Item, { transcript, job }: Extract<Effect, { kind: 'save' }>): boolean {
    const { store, clock, wantedOfAll } = this.#options;
    if (item.state.kind !== 'saving') return false;
    const { jobId } = item.state;
    try {
      store.transaction(() => {
        const { id: transcriptId, wordCount } = store.transcripts.save({
          itemId: item.id,
          service: item.service,
          jobId,
          name: item.name,
          durationSeconds: job.durationSeconds ?? item.durationSeconds,
          transcript,
          recording: item.source.kind === 'file' ? item.source : null,
          createdAt: clock.now(),
        });
        store.wantedFiles.want(item.id, possibleFiles(item.source, wantedOfAll()));
        this.apply(item.id, { kind: 'saved', transcriptId, wordCount });
      });
    } catch (error) {
      this.apply(item.id, { kind: 'save-failed', problem: storageProblem(error) });
      return false;
    }
    return true;
  }
}
