import { z } from 'zod';
import { segmentSchema, type Segment } from '../../contract/segment-schema.ts';
import { checkpointSchema, type Checkpoint } from '../engine/speech-engine.ts';
import type { Sql } from './service-database.ts';

/** What is transcribed of a job in progress, from segment `from` on. */
export interface StoredPartialTranscript {
  readonly from: number;
  readonly segments: readonly Segment[];
  /** The language so far; `null` when it is not known yet. */
  readonly language: string | null;
}

/** The segments before a checkpoint, with which the transcript of the next run continues. */
export interface ResumableTranscript {
  readonly checkpoint: Checkpoint;
  readonly segments: readonly Segment[];
}

/** What a window changed in the transcript of a job. */
export interface WindowChange {
  /** How many segments of the whole transcript stay unchanged. */
  readonly keptSegments: number;
  /** The segments after those. */
  readonly added: readonly Segment[];
  readonly language: string | null;
  /** Where the engine can resume with all these segments; `null` if only at an earlier checkpoint. */
  readonly checkpoint: Checkpoint | null;
}

const partialRow = z.object({
  language: z.string().nullable(),
  checkpoint: z.string().nullable(),
  checkpoint_segments: z.int().nonnegative(),
});
const segmentRow = z.object({ segment: z.string() });
const jobNumber = '(SELECT number FROM jobs WHERE id = ?)';

/** Stores the transcripts of jobs in progress, window by window. */
export class PartialTranscripts {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Returns the transcript so far, starting with a given segment; `null` when there is none. */
  get(jobId: string, from: number): StoredPartialTranscript | null {
    const row = this.#row(jobId);
    return row === null ? null : { from, segments: this.#segments(jobId, from), language: row.language };
  }

  /**
   * Returns where to resume a job, and deletes the segments after that. `null` when it starts from scratch: without a
   * checkpoint, with one of another version of the program that this one does not understand, or when a segment before it
   * is missing.
   */
  resume(jobId: string): ResumableTranscript | null {
    return this.#sql.transaction(() => {
      const row = this.#row(jobId);
      const checkpoint = parseCheckpoint(row?.checkpoint ?? null);
      if (row !== null && checkpoint !== null) {
        this.#deleteFrom(jobId, row.checkpoint_segments);
        const segments = this.#segments(jobId, 0);
        if (segments.length === row.checkpoint_segments) return { checkpoint, segments };
      }
      this.clear(jobId);
      return null;
    });
  }

  /**
   * Saves the result of a window of a job in progress. A job that gets to another checkpoint is not stuck, so earlier
   * crashes and ends of the program no longer count, and it is no longer suspected.
   */
  record(jobId: string, { keptSegments, added, language, checkpoint }: WindowChange): void {
    this.#sql.transaction(() => {
      this.#deleteFrom(jobId, keptSegments);
      for (const [i, segment] of added.entries()) {
        this.#sql.run(
          `INSERT INTO partial_segments (job_number, position, segment)
           SELECT number, ?, ? FROM jobs WHERE id = ? AND status = 'processing'`,
          keptSegments + i,
          JSON.stringify(segment),
          jobId,
        );
      }
      this.#sql.run(
        `INSERT INTO partial_transcripts (job_number, language, checkpoint, checkpoint_segments)
         SELECT number, ?, ?, ? FROM jobs WHERE id = ? AND status = 'processing'
         ON CONFLICT (job_number) DO UPDATE SET language = excluded.language,
           checkpoint_segments = CASE WHEN excluded.checkpoint IS NULL THEN checkpoint_segments
             ELSE excluded.checkpoint_segments END,
           checkpoint = coalesce(excluded.checkpoint, checkpoint)`,
        language,
        checkpoint === null ? null : JSON.stringify(checkpoint),
        checkpoint === null ? 0 : keptSegments + added.length,
        jobId,
      );
      if (checkpoint !== null)
        this.#sql.run('UPDATE jobs SET crashes = 0, suspected = 0 WHERE id = ? AND suspected = 1', jobId);
    });
  }

  clear(jobId: string): void {
    for (const table of ['partial_segments', 'partial_transcripts'])
      this.#sql.run(`DELETE FROM ${table} WHERE job_number = ${jobNumber}`, jobId);
  }

  #row(jobId: string): z.infer<typeof partialRow> | null {
    const row = this.#sql.row(
      `SELECT language, checkpoint, checkpoint_segments FROM partial_transcripts WHERE job_number = ${jobNumber}`,
      jobId,
    );
    return row === undefined ? null : partialRow.parse(row);
  }

  #segments(jobId: string, from: number): readonly Segment[] {
    return this.#sql
      .rows(
        `SELECT segment FROM partial_segments WHERE job_number = ${jobNumber} AND position >= ? ORDER BY position`,
        jobId,
        from,
      )
      .map((row) => segmentSchema.parse(JSON.parse(segmentRow.parse(row).segment)));
  }

  #deleteFrom(jobId: string, position: number): void {
    this.#sql.run(
      `DELETE FROM partial_segments WHERE job_number = ${jobNumber} AND position >= ?`,
      jobId,
      position,
    );
  }
}

function parseCheckpoint(text: string | null): Checkpoint | null {
  return text === null ? null : (checkpointSchema.safeParse(JSON.parse(text)).data ?? null);
}
