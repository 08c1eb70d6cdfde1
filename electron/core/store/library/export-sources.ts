import { isAbsolute } from 'node:path';
import { parseBoundedJson } from '../../../contract/bounded-json.ts';
import { languageTag } from '../../../contract/languages.ts';
import type Database from 'better-sqlite3';
import { z } from 'zod';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { speakerName, type TranscriptContent } from '../../formats/content.ts';
import { currentText, type TextRow } from './current-text.ts';
import { SegmentRows } from './segment-rows.ts';

/** The properties of a transcript that determine the names and folders of its exported files. */
export interface ExportMetadata {
  readonly id: TranscriptId;
  readonly name: string;
  readonly language: string | null;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Where its recording was last seen; `null` for a link, or if unknown. */
  readonly recordingPath: string | null;
  readonly recordingFingerprint: string | null;
  /** Whether it is a text without times. */
  readonly isUntimed: boolean;
}

interface MetadataRow {
  readonly id: number;
  readonly name: string;
  readonly language: string | null;
  readonly created_at: number;
  readonly recording_path: string | null;
  readonly recording_fingerprint: string | null;
  readonly is_untimed: number;
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

/** Reads what is exported. A read-only connection is enough. */
export class ExportSources {
  readonly #metadata: Database.Statement<[TranscriptId], MetadataRow>;
  readonly #highlights: Database.Statement<[TranscriptId], number>;
  readonly #content: Database.Statement<[TranscriptId], ContentRow>;
  readonly #segments: SegmentRows;

  constructor(database: Database.Database) {
    this.#metadata = database.prepare(
      `SELECT id, name, language, created_at, recording_path, recording_fingerprint,
         EXISTS (SELECT 1 FROM timeless_texts WHERE transcript_id = transcripts.id AND text <> '') AS is_untimed
       FROM transcripts WHERE id = ?`,
    );
    this.#highlights = database
      .prepare<[TranscriptId], number>(
        `SELECT EXISTS (SELECT 1 FROM segments WHERE transcript_id = ? AND extras LIKE '%"highlight"%'
           AND json_valid(extras) AND json_type(extras, '$.highlight') IN ('true', 'array'))`,
      )
      .pluck();
    this.#content = database.prepare(
      `SELECT name, language, duration_seconds, created_at, transcripts.text, edit_states.speakers, edit_states.notes,
         edit_states.text AS edited_text, edit_states.original_count
       FROM transcripts LEFT JOIN edit_states ON edit_states.transcript_id = transcripts.id
       WHERE transcripts.id = ?`,
    );
    this.#segments = new SegmentRows(database);
  }

  /** Returns `null` if there is no such transcript. */
  metadata(id: TranscriptId): ExportMetadata | null {
    const row = this.#metadata.get(id);
    if (row === undefined) return null;
    return {
      id: row.id,
      name: row.name,
      language: row.language === null ? null : languageTag(row.language),
      createdAt: row.created_at,
      // For a restored transcript, only the name of the recording may be known.
      recordingPath:
        row.recording_path !== null && isAbsolute(row.recording_path) ? row.recording_path : null,
      recordingFingerprint: row.recording_fingerprint,
      isUntimed: row.is_untimed === 1,
    };
  }

  /** Returns whether something in a transcript is highlighted. */
  hasHighlights(id: TranscriptId): boolean {
    return this.#highlights.get(id) === 1;
  }

  /** Returns a transcript with its edits; `null` if there is none. */
  content(id: TranscriptId): TranscriptContent | null {
    const row = this.#content.get(id);
    if (row === undefined) return null;
    const names = row.speakers === null ? [] : namesSchema.parse(parseBoundedJson(row.speakers));
    const segments = row.original_count === null ? this.#segments.allUnedited(id) : this.#segments.all(id);
    return {
      name: row.name,
      language: row.language === null ? null : languageTag(row.language),
      durationSeconds: row.duration_seconds,
      createdAt: row.created_at,
      text: currentText(row, segments),
      segments: segments.map(({ id: _id, ...segment }) => ({
        ...segment,
        speaker: speakerName(segment.speaker, names),
      })),
      notes: row.notes === null ? [] : notesSchema.parse(parseBoundedJson(row.notes)),
    };
  }
}
