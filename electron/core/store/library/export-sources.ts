import type Database from 'better-sqlite3';
import { z } from 'zod';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { speakerName, type TranscriptContent } from '../../formats/content.ts';
import { presentText, type TextRow } from './present-text.ts';
import { SegmentRows } from './segment-rows.ts';

/** What of a transcript says how its files are called and where they go. */
export interface ExportFacts {
  readonly id: TranscriptId;
  readonly name: string;
  readonly language: string | null;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Where its recording is, as far as is known; `null` for a link, and when nothing is known. */
  readonly recordingPath: string | null;
}

interface FactsRow {
  readonly id: number;
  readonly name: string;
  readonly language: string | null;
  readonly created_at: number;
  readonly recording_path: string | null;
}

interface ContentRow extends TextRow {
  readonly name: string;
  readonly language: string | null;
  readonly duration_seconds: number | null;
  readonly created_at: number;
  readonly speakers: string | null;
  readonly notes: string | null;
}

const namesSchema = z.array(z.string());
const notesSchema = z.array(z.object({ atSeconds: z.number(), text: z.string() }));

/** Reads what is exported; a connection that can only read is enough. */
export class ExportSources {
  readonly #facts: Database.Statement<[TranscriptId], FactsRow>;
  readonly #content: Database.Statement<[TranscriptId], ContentRow>;
  readonly #segments: SegmentRows;

  constructor(database: Database.Database) {
    this.#facts = database.prepare(
      'SELECT id, name, language, created_at, recording_path FROM transcripts WHERE id = ?',
    );
    this.#content = database.prepare(
      `SELECT name, language, duration_seconds, created_at, transcripts.text, edit_states.speakers, edit_states.notes,
         edit_states.text AS edited_text, edit_states.original_count
       FROM transcripts LEFT JOIN edit_states ON edit_states.transcript_id = transcripts.id
       WHERE transcripts.id = ?`,
    );
    this.#segments = new SegmentRows(database);
  }

  /** `null` when there is no such transcript. */
  facts(id: TranscriptId): ExportFacts | null {
    const row = this.#facts.get(id);
    if (row === undefined) return null;
    return {
      id: row.id,
      name: row.name,
      language: row.language,
      createdAt: row.created_at,
      recordingPath: row.recording_path,
    };
  }

  /** A transcript as it stands, with its edits; `null` when there is none. */
  content(id: TranscriptId): TranscriptContent | null {
    const row = this.#content.get(id);
    if (row === undefined) return null;
    const names = row.speakers === null ? [] : namesSchema.parse(JSON.parse(row.speakers));
    const segments = row.original_count === null ? this.#segments.allUnedited(id) : this.#segments.all(id);
    return {
      name: row.name,
      language: row.language,
      durationSeconds: row.duration_seconds,
      createdAt: row.created_at,
      text: presentText(row, segments),
      segments: segments.map(({ id: _id, ...segment }) => ({
        ...segment,
        speaker: speakerName(segment.speaker, names),
      })),
      notes: row.notes === null ? [] : notesSchema.parse(JSON.parse(row.notes)),
    };
  }
}
