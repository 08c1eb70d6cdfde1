import type Database from 'better-sqlite3';
import type { ItemId, TranscriptId } from '../../../contract/identifiers.ts';
import type { Problem } from '../../../contract/problem.ts';
import type { FailedSpeakers } from '../../../contract/speakers.ts';
import { problemSchema } from '../items/item-json-schemas.ts';

/** A transcript whose speakers are to be identified. */
export interface SpeakerRequest {
  readonly transcriptId: TranscriptId;
  /** The item of the queue that it comes from. */
  readonly itemId: ItemId | null;
  readonly name: string;
  readonly durationSeconds: number | null;
  /** `null`: unknown. */
  readonly speakerCount: number | null;
}

interface RequestRow {
  readonly transcript_id: number;
  readonly item_id: number | null;
  readonly name: string;
  readonly duration_seconds: number | null;
  readonly speaker_count: number | null;
}

/** Its parameter is a JSON array of the transcripts to leave out. */
const pendingCondition = 'problem IS NULL AND transcript_id NOT IN (SELECT value FROM json_each(?))';

/** Stores the transcripts whose speakers are to be identified, so that none is forgotten if the process is killed. */
export class SpeakerRequestStore {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** Adds a transcript at the end; one that is there already gets this number of speakers and is retried if it failed. */
  add(id: TranscriptId, speakerCount: number | null): void {
    this.#database
      .prepare(
        `INSERT INTO speaker_requests (transcript_id, speaker_count) VALUES (?, ?)
         ON CONFLICT (transcript_id) DO UPDATE SET speaker_count = excluded.speaker_count, problem = NULL`,
      )
      .run(id, speakerCount);
  }

  /**
   * Returns the requests that are still to be carried out, in order.
   *
   * @param except leaves out the requests of these transcripts
   * @param limit the most requests to return
   */
  pending(except: Iterable<TranscriptId> = [], limit = Number.MAX_SAFE_INTEGER): readonly SpeakerRequest[] {
    return this.#database
      .prepare<[string, number], RequestRow>(
        `SELECT transcript_id, item_id, name, duration_seconds, speaker_count
         FROM speaker_requests JOIN transcripts ON transcripts.id = transcript_id
         WHERE ${pendingCondition} ORDER BY number LIMIT ?`,
      )
      .all(JSON.stringify([...except]), limit)
      .map((row) => ({
        transcriptId: row.transcript_id,
        itemId: row.item_id,
        name: row.name,
        durationSeconds: row.duration_seconds,
        speakerCount: row.speaker_count,
      }));
  }

  /** Returns the number of requests that are still to be carried out, except those of the given transcripts. */
  countPending(except: Iterable<TranscriptId>): number {
    return (
      this.#database
        .prepare<[string], number>(`SELECT count(*) FROM speaker_requests WHERE ${pendingCondition}`)
        .pluck()
        .get(JSON.stringify([...except])) ?? 0
    );
  }

  /** Removes the requests that are still to be carried out, except those of the given transcripts. */
  removePending(except: Iterable<TranscriptId>): void {
    this.#database
      .prepare(`DELETE FROM speaker_requests WHERE ${pendingCondition}`)
      .run(JSON.stringify([...except]));
  }

  remove(id: TranscriptId): void {
    this.#database.prepare('DELETE FROM speaker_requests WHERE transcript_id = ?').run(id);
  }

  markFailed(id: TranscriptId, problem: Problem): void {
    this.#database
      .prepare('UPDATE speaker_requests SET problem = ? WHERE transcript_id = ?')
      .run(JSON.stringify(problem), id);
  }

  /** Returns how many requests failed, with the latest of them; `null` if none did. */
  failed(): FailedSpeakers | null {
    const count = this.#database
      .prepare<[], number>('SELECT count(*) FROM speaker_requests WHERE problem IS NOT NULL')
      .pluck()
      .get();
    const latest = this.#database
      .prepare<[], { name: string; problem: string }>(
        `SELECT name, problem FROM speaker_requests JOIN transcripts ON transcripts.id = transcript_id
         WHERE problem IS NOT NULL ORDER BY number DESC LIMIT 1`,
      )
      .get();
    if (count === undefined || latest === undefined) return null;
    return { count, name: latest.name, problem: problemSchema.parse(JSON.parse(latest.problem)) };
  }

  retryFailed(): void {
    this.#database.exec('UPDATE speaker_requests SET problem = NULL WHERE problem IS NOT NULL');
  }

  forgetFailed(): void {
    this.#database.exec('DELETE FROM speaker_requests WHERE problem IS NOT NULL');
  }
}
