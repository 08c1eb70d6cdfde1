import type Database from 'better-sqlite3';
import type { LibraryView, Transcript, TranscriptId } from '../../contract/model/library.ts';
import type { ItemId } from '../../contract/model/queue.ts';
import type { JobTranscript } from '../api/answers.ts';
import { wordCounter } from '../library/word-count.ts';

/** A transcript before it has a number. */
export interface NewTranscript {
  readonly itemId: ItemId | null;
  readonly service: string;
  readonly jobId: string;
  readonly name: string;
  readonly durationSeconds: number | null;
  readonly transcript: JobTranscript;
  readonly createdAt: number;
}

interface TranscriptRow {
  readonly id: number;
  readonly item_id: number | null;
  readonly name: string;
  readonly language: string | null;
  readonly duration_seconds: number | null;
  readonly word_count: number;
  readonly created_at: number;
  readonly text: string;
}

interface SegmentRow {
  readonly start_seconds: number;
  readonly end_seconds: number;
  readonly text: string;
}

const excerptLength = 160;

/** The saved transcripts: the library. */
export class TranscriptStore {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** Saves a job's transcript; the same job's transcript is saved once and found again after that. */
  save(one: NewTranscript): { readonly id: TranscriptId; readonly wordCount: number } {
    const wordCount = wordCounter(one.transcript.language)(one.transcript.text);
    return this.#database.transaction(() => {
      const known = this.#database
        .prepare<[string, string], TranscriptId>(
          'SELECT id FROM transcripts WHERE service = ? AND job_id = ?',
        )
        .pluck()
        .get(one.service, one.jobId);
      if (known !== undefined) return { id: known, wordCount };
      const { lastInsertRowid } = this.#database
        .prepare(
          `INSERT INTO transcripts (item_id, service, job_id, name, language, duration_seconds, word_count, text, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          one.itemId,
          one.service,
          one.jobId,
          one.name,
          one.transcript.language,
          one.durationSeconds,
          wordCount,
          one.transcript.text,
          one.createdAt,
        );
      const id = Number(lastInsertRowid);
      const insert = this.#database.prepare(
        'INSERT INTO segments (transcript_id, number, start_seconds, end_seconds, text) VALUES (?, ?, ?, ?, ?)',
      );
      one.transcript.segments.forEach(({ start, end, text }, index) =>
        insert.run(id, index, start, end, text),
      );
      return { id, wordCount };
    })();
  }

  get(id: TranscriptId): Transcript | null {
    const row = this.#database
      .prepare<[TranscriptId], TranscriptRow>('SELECT * FROM transcripts WHERE id = ?')
      .get(id);
    if (row === undefined) return null;
    const segments = this.#database
      .prepare<[TranscriptId], SegmentRow>(
        'SELECT start_seconds, end_seconds, text FROM segments WHERE transcript_id = ? ORDER BY place',
      )
      .all(id)
      .map((segment) => ({ start: segment.start_seconds, end: segment.end_seconds, text: segment.text }));
    return { ...headOf(row), itemId: row.item_id, text: row.text, segments };
  }

  count(): number {
    return this.#database.prepare<[], number>('SELECT count(*) FROM transcripts').pluck().get() ?? 0;
  }

  /** The newest transcripts first; with a query those whose name or text contains it. */
  list(query: string, offset: number, limit: number): LibraryView {
    const pattern = `%${query.trim().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    const where = String.raw`WHERE name LIKE @pattern ESCAPE '\' OR text LIKE @pattern ESCAPE '\'`;
    const total = this.#database
      .prepare<{ pattern: string }, number>(`SELECT count(*) FROM transcripts ${where}`)
      .pluck()
      .get({ pattern });
    const rows = this.#database
      .prepare<{ pattern: string; offset: number; limit: number }, TranscriptRow>(
        `SELECT id, item_id, name, language, duration_seconds, word_count, created_at, substr(text, 1, ${excerptLength}) AS text
         FROM transcripts ${where} ORDER BY created_at DESC, id DESC LIMIT @limit OFFSET @offset`,
      )
      .all({ pattern, offset, limit });
    return {
      total: total ?? 0,
      offset,
      rows: rows.map((row) => ({ ...headOf(row), excerpt: row.text.replaceAll(/\s+/g, ' ').trim() })),
    };
  }
}

const headOf = (row: TranscriptRow): Omit<Transcript, 'itemId' | 'text' | 'segments'> => ({
  id: row.id,
  name: row.name,
  language: row.language,
  durationSeconds: row.duration_seconds,
  wordCount: row.word_count,
  createdAt: row.created_at,
});
