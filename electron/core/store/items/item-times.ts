import type Database from 'better-sqlite3';
import type { ItemId } from '../../../contract/identifiers.ts';
import { Statements } from '../../../sqlite/statements.ts';

/** A milestone of an item; `restarted`: it is waiting again. */
export type Milestone = 'started' | 'sent' | 'ended' | 'restarted';

/** When an item reached its milestones in its latest run, Unix milliseconds; `null` for those not reached yet. */
export interface MilestoneTimes {
  /** When its first request was made. */
  readonly startedAt: number | null;
  /** When the last byte of its file was acknowledged. */
  readonly sentAt: number | null;
  /** When it was done, failed or cancelled. */
  readonly endedAt: number | null;
}

const assignments: Readonly<Record<Milestone, string>> = {
  started: 'started_at = @at, sent_at = NULL, ended_at = NULL',
  sent: 'sent_at = @at',
  ended: 'ended_at = @at',
  restarted: 'started_at = NULL, sent_at = NULL, ended_at = NULL',
};

/** Stores when the items of the queue reached their milestones. */
export class ItemTimes {
  readonly #statements: Statements;

  constructor(database: Database.Database) {
    this.#statements = new Statements(database);
  }

  /** @param at Unix milliseconds. */
  record(id: ItemId, milestone: Milestone, at: number): void {
    this.#statements
      .prepare(`UPDATE items SET ${assignments[milestone]} WHERE id = @id`)
      .run({ id, at: Math.round(at) });
  }

  get(id: ItemId): MilestoneTimes {
    const times = this.#statements
      .prepare<[ItemId], MilestoneTimes>(
        'SELECT started_at AS startedAt, sent_at AS sentAt, ended_at AS endedAt FROM items WHERE id = ?',
      )
      .get(id);
    return times ?? { startedAt: null, sentAt: null, endedAt: null };
  }
}
