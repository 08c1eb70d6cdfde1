import type { ItemId } from '../../contract/identifiers.ts';
import type { Segment } from '../../contract/segment-schema.ts';
import type { Longhand } from '../../core/longhand.ts';
import type { Reporter } from './run-events.ts';

/**
 * Reports the text of a run's recordings while they are transcribed, each segment once. If a service returns no text
 * before the end, all of it is reported at the end.
 */
export class LiveTextReporter {
  readonly #longhand: Longhand;
  readonly #reporter: Reporter;
  /** How many segments of each item have been reported; has no items that were done before the run. */
  readonly #counts = new Map<ItemId, number>();

  constructor(longhand: Longhand, reporter: Reporter, ids: readonly ItemId[]) {
    this.#longhand = longhand;
    this.#reporter = reporter;
    for (const id of ids) {
      if (longhand.queue.row(id)?.state.kind !== 'done') this.#counts.set(id, 0);
    }
  }

  /** Reports the segments of an item that have not been reported yet. */
  update(id: ItemId): void {
    const count = this.#counts.get(id);
    if (count === undefined) return;
    const live = this.#longhand.queue.live(id, count);
    if (live.kind === 'transcribing') {
      // The last segment may still change.
      if (live.from === count) this.#report(id, count, live.segments.slice(0, -1));
    } else if (live.kind === 'done') {
      const transcript = this.#longhand.transcripts.get(live.transcriptId);
      this.#report(id, count, transcript?.segments.slice(count) ?? []);
      this.#counts.delete(id);
    }
  }

  #report(id: ItemId, count: number, segments: readonly Segment[]): void {
    const name = this.#longhand.queue.get(id)?.name;
    if (name === undefined || segments.length === 0) return;
    this.#counts.set(id, count + segments.length);
    this.#reporter.report({ type: 'text', item: id, name, segments });
  }
}
