import { savedDurations } from './saved-durations.ts';
import { languageTag } from '../../../contract/languages.ts';
import { basename } from 'node:path';
import type Database from 'better-sqlite3';
import type { ItemId, TranscriptId } from '../../../contract/identifiers.ts';
import type { RecordingFile, Transcript } from '../../../contract/library-commands.ts';
import type { ServiceAddress } from '../../../contract/service.ts';
import { isNamed, type TimedNote, type SpokenSegment } from '../../formats/content.ts';
import { countWordsInSteps, countWords } from '../../transcript/word-count.ts';
import type { Item } from '../../item/item.ts';
import { currentText, type TextRow } from './current-text.ts';
import { EditLog } from './edit-log.ts';
import { extrasColumn, SegmentRows } from './segment-rows.ts';
import type { SearchIndex } from './search-index.ts';
import { publishedCondition, type StagedTranscripts } from './staged-transcripts.ts';
import { importService, restoredService } from './transcript-tables.ts';

/** Segments per commit when a transcript is saved in several: a few milliseconds. */
const segmentsPerCommit = 500;
/** UTF-16 units that are stored in one commit while other work waits. */
const lengthPerCommit = 200_000;

/** A transcript that has no ID yet. */
export interface NewTranscript {
  readonly itemId: ItemId | null;
  readonly service: string;
  readonly jobId: string;
  readonly name: string;
  readonly durationSeconds: number | null;
  /** The duration that the file of its recording states; absent or `null` if it is unknown. */
  readonly statedSeconds?: number | null;
  /** How much of its recording could not be read; absent or `null` if it is unknown. */
  readonly unreadableSeconds?: number | null;
  readonly transcript: {
    readonly text: string;
    readonly segments: readonly SpokenSegment[];
    readonly language: string | null;
  };
  /** Absent unless the caller has counted the words already, which takes a while in a long text. */
  readonly wordCount?: number;
  /** Its notes, in any order. */
  readonly notes?: readonly TimedNote[];
  /** `null` for a link, or for a transcript without a recording. */
  readonly recording: RecordingFile | null;
  readonly createdAt: number;
}

/** A long transcript that is stored but not yet visible in the library; see {@link TranscriptStore.stage}. */
export interface StagedTranscript {
  readonly id: TranscriptId;
  readonly wordCount: number;
  /** The distinct names of speakers. */
  readonly speakers: readonly string[];
}

/** A transcript of the library or the trash. */
export interface SavedTranscript {
  readonly id: TranscriptId;
  readonly isTrashed: boolean;
}

interface TranscriptRow extends TextRow {
  readonly id: number;
  readonly item_id: number | null;
  readonly name: string;
  readonly language: string | null;
  readonly duration_seconds: number | null;
  readonly word_count: number;
  readonly created_at: number;
}

interface RecordingRow {
  readonly recording_path: string | null;
  readonly recording_bytes: number | null;
  readonly recording_fingerprint: string | null;
}

/** A row of which {@link savedTranscriptOf} makes a transcript. */
export interface SavedTranscriptRow {
  readonly id: TranscriptId;
  readonly isTrashed: 0 | 1;
}

/** Returns the transcript of a row. */
export const savedTranscriptOf = ({ id, isTrashed }: SavedTranscriptRow): SavedTranscript => ({
  id,
  isTrashed: isTrashed === 1,
});

/** The hash of the file that an item has sent, if it is known by now, and the file's modification time. */
const sentContent = `(SELECT content_hash FROM items WHERE id = ?), (SELECT source ->> '$.mtimeMs' FROM items WHERE id = ?)`;

interface ContentRow extends SavedTranscriptRow {
  readonly name: string;
  readonly isImported: 0 | 1;
  readonly path: string | null;
  readonly contentHash: string | null;
  readonly mtimeMs: number | null;
}

/**
 * The saved transcripts. Triggers update the search index on every change of `name` and of a segment's `text`, so never
 * delete segments and insert them again: a change of one segment must only cost the update of one.
 */
export class TranscriptStore {
  readonly #database: Database.Database;
  readonly #index: SearchIndex;
  readonly #staged: StagedTranscripts;
  readonly #segments: SegmentRows;
  readonly #selectTranscript: Database.Statement<[TranscriptId], TranscriptRow>;
  readonly #selectByJob: Database.Statement<[string, string], SavedTranscriptRow>;

  constructor(database: Database.Database, index: SearchIndex, staged: StagedTranscripts) {
    this.#database = database;
    this.#index = index;
    this.#staged = staged;
    this.#segments = new SegmentRows(database);
    this.#selectTranscript = database.prepare(
      `SELECT t.id, item_id, name, language, duration_seconds, coalesce(e.word_count, t.word_count) AS word_count,
         created_at, t.text, e.text AS edited_text, e.original_count
       FROM transcripts t LEFT JOIN edit_states e ON e.transcript_id = t.id WHERE t.id = ?`,
    );
    this.#selectByJob = database.prepare(
      'SELECT id, trashed_at IS NOT NULL AS isTrashed FROM transcripts WHERE service = ? AND job_id = ?',
    );
  }

  /**
   * Saves a job's transcript, or finds the one that was saved for the same job.
   *
   * @param staged The result of {@link stage}.
   */
  save(
    newTranscript: NewTranscript,
    staged: StagedTranscript | null = null,
  ): { readonly id: TranscriptId; readonly wordCount: number } {
    const wordCount = staged?.wordCount ?? wordCountOf(newTranscript);
    const { segments } = newTranscript.transcript;
    return this.#database.transaction(() => {
      const savedId = this.#findSavedOrFreeJobId(newTranscript);
      if (savedId !== null) return { id: savedId, wordCount };
      const id = staged?.id ?? this.#add(newTranscript, wordCount);
      const speakers = [...(staged?.speakers ?? [])];
      if (staged === null) this.#index.insertAndIndex(id, () => this.#addSegments(id, segments, speakers));
      else this.#publish(id, newTranscript);
      this.#addSpeakersAndNotes(id, newTranscript, speakers, wordCount);
      return { id, wordCount };
    })();
  }

  /**
   * Returns the saved transcript of the same job if its text is the same. If the text differs (a restored backup can
   * cause that), moves that transcript to a new job ID, so that both are kept.
   */
  #findSavedOrFreeJobId({ service, jobId, transcript }: NewTranscript): TranscriptId | null {
    const id = this.ofJob(service, jobId)?.id ?? null;
    if (id === null) return null;
    const text = this.#database
      .prepare<[TranscriptId], string>('SELECT text FROM transcripts WHERE id = ?')
      .pluck()
      .get(id);
    if (text === transcript.text) return id;
    // A backup may contain these job IDs as well.
    const identity = (attempt: number): string => JSON.stringify([service, jobId, id, attempt]);
    let attempt = 0;
    while (this.ofJob(restoredService, identity(attempt)) !== null) attempt += 1;
    this.#database
      .prepare('UPDATE transcripts SET service = ?, job_id = ? WHERE id = ?')
      .run(restoredService, identity(attempt), id);
    return null;
  }

  /**
   * Like {@link save}, but a long transcript takes several steps. Returns `null` if the job's transcript exists already.
   */
  *saveStaged(newTranscript: NewTranscript): Generator<void, TranscriptId | null> {
    if (this.#findSavedOrFreeJobId(newTranscript) !== null) return null;
    if (!isLong(newTranscript.transcript)) return this.save(newTranscript).id;
    const staged = yield* this.stage(newTranscript);
    try {
      yield;
      const { id } = this.save(newTranscript, staged);
      return id === staged.id ? id : null;
    } finally {
      this.releaseStaged(staged);
    }
  }

  /**
   * Stores a long transcript in several steps, without showing it in the library. The caller must call
   * {@link releaseStaged} after saving or discarding it.
   */
  *stage(newTranscript: NewTranscript): Generator<void, StagedTranscript> {
    const { text, segments } = newTranscript.transcript;
    const speakers: string[] = [];
    const wordCount = newTranscript.wordCount ?? (yield* countWordsInSteps(text));
    const add = (id: TranscriptId, from: number) => () =>
      this.#addSegments(id, segments.slice(from, from + segmentsPerCommit), speakers, from);
    const id = yield* this.#staged.stage({
      begin: ({ service, jobId, trashedAt }) =>
        this.#add({ ...newTranscript, itemId: null, service, jobId }, wordCount, trashedAt),
      pieces: function* pieces(stagedId) {
        for (let from = 0; from < segments.length; from += segmentsPerCommit) yield add(stagedId, from);
      },
    });
    return { id, wordCount, speakers };
  }

  /** Ends staging; a transcript that was not saved is removed later. */
  releaseStaged({ id }: StagedTranscript): void {
    this.#staged.release(id);
  }

  #publish(id: TranscriptId, { itemId, service, jobId }: NewTranscript): void {
    this.#database
      .prepare(
        `UPDATE transcripts SET item_id = ?, service = ?, job_id = ?, trashed_at = NULL,
           (content_hash, content_mtime_ms) = (${sentContent}) WHERE id = ?`,
      )
      .run(itemId, service, jobId, itemId, itemId, id);
    // As the trigger does for a transcript that is inserted with its job.
    this.#database
      .prepare(
        `INSERT INTO service_jobs (service, job_id, requested_at)
           VALUES (?, ?, (SELECT added_at FROM items WHERE id = ?))
         ON CONFLICT (service, job_id) DO UPDATE SET gone_at = NULL, noted = 0, followed = 0`,
      )
      .run(service, jobId, itemId);
    this.#staged.indexLater(id);
  }

  #add(newTranscript: NewTranscript, wordCount: number, trashedAt: number | null = null): TranscriptId {
    const { lastInsertRowid } = this.#database
      .prepare(
        `INSERT INTO transcripts (item_id, service, job_id, name, language, duration_seconds, stated_seconds,
           unreadable_seconds, word_count, text, created_at, recording_path, recording_bytes, recording_fingerprint,
           trashed_at, content_hash, content_mtime_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${sentContent})`,
      )
      .run(
        newTranscript.itemId,
        newTranscript.service,
        newTranscript.jobId,
        newTranscript.name,
        newTranscript.transcript.language,
        newTranscript.durationSeconds,
        newTranscript.statedSeconds ?? null,
        newTranscript.unreadableSeconds ?? null,
        wordCount,
        newTranscript.transcript.text,
        newTranscript.createdAt,
        ...recordingColumns(newTranscript.recording),
        trashedAt,
        newTranscript.itemId,
        newTranscript.itemId,
      );
    return Number(lastInsertRowid);
  }

  /** Adds new names to `speakers`. @param from The number of the first segment. */
  #addSegments(id: TranscriptId, segments: readonly SpokenSegment[], speakers: string[], from = 0): void {
    const insert = this.#database.prepare(
      `INSERT INTO segments (transcript_id, number, start_seconds, end_seconds, text, speaker, extras)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    segments.forEach((segment, index) => {
      const speaker = isNamed(segment.speaker) ? findOrAdd(speakers, segment.speaker) : null;
      const { start, end, text } = segment;
      insert.run(id, from + index, start, end, text, speaker, extrasColumn(segment));
    });
  }

  /**
   * Stores speakers and notes as those of edited transcripts are stored; revision 0 means that no edit was made yet.
   */
  #addSpeakersAndNotes(
    id: TranscriptId,
    { transcript, notes = [] }: NewTranscript,
    speakers: readonly string[],
    wordCount: number,
  ): void {
    if (speakers.length + notes.length === 0) return;
    const segmentCount = transcript.segments.length;
    const numbered = notes
      .toSorted((a, b) => a.atSeconds - b.atSeconds)
      .map(({ atSeconds, text }, index) => ({ id: segmentCount + index, atSeconds, text }));
    new EditLog(this.#database).setHead(id, {
      revision: 0,
      lastEdit: null,
      nextId: segmentCount + notes.length,
      speakers,
      notes: numbered,
      wordCount,
      originalCount: segmentCount,
      text: segmentCount === 0 ? transcript.text : null,
    });
  }

  get(id: TranscriptId): Transcript | null {
    const row = this.#selectTranscript.get(id);
    if (row === undefined) return null;
    const segments = this.#segments.all(id).map(({ id: _id, speaker: _speaker, ...segment }) => segment);
    return { ...metadataOf(row), itemId: row.item_id, text: currentText(row, segments), segments };
  }

  /**
   * Returns the job IDs of the trashed transcripts among `ids`, grouped by service. Leaves out jobs that the service no
   * longer has, and jobs known only from a backup, which may never have been imported.
   *
   * @param since only of transcripts that were saved after this time, Unix milliseconds
   */
  trashedJobs(ids: readonly TranscriptId[], since: number): ReadonlyMap<ServiceAddress, readonly string[]> {
    const jobs = this.#database
      .prepare<[number, string], { service: ServiceAddress; jobId: string }>(
        `SELECT t.service, t.job_id AS jobId FROM transcripts t
           LEFT JOIN service_jobs j ON j.service = t.service AND j.job_id = t.job_id
         WHERE t.trashed_at IS NOT NULL AND t.created_at > ? AND j.gone_at IS NULL
           AND (t.item_id IS NOT NULL OR j.followed = 0)
           AND t.id IN (SELECT value FROM json_each(?))
         ORDER BY t.id`,
      )
      .all(since, JSON.stringify(ids));
    const byService = Map.groupBy(jobs, ({ service }) => service);
    return new Map([...byService].map(([service, all]) => [service, all.map(({ jobId }) => jobId)]));
  }

  /** See {@link savedDurations}. */
  durationsSince(service: string, since: number): readonly number[] {
    return savedDurations(this.#database, service, since);
  }

  /** Returns the transcript of an item; `null` before the item is done, or if the transcript was deleted. */
  ofItem({ service, state }: Pick<Item, 'service' | 'state'>): SavedTranscript | null {
    return state.kind !== 'done' || state.jobId === null ? null : this.ofJob(service, state.jobId);
  }

  /** Returns the transcript of a job, even one in the trash; `null` if none was saved. */
  ofJob(service: string, jobId: string): SavedTranscript | null {
    const row = this.#selectByJob.get(service, jobId);
    return row === undefined ? null : savedTranscriptOf(row);
  }

  /**
   * Returns the transcripts that have this name, or had it before they were renamed, even those in the trash, whatever the
   * extension of their recordings.
   */
  named(name: string): readonly SavedTranscript[] {
    const select = 'SELECT t.id, t.trashed_at IS NOT NULL AS isTrashed FROM transcripts t';
    // One query for the library and one for the trash, so that SQLite uses the index of each.
    const queries = ['t.trashed_at IS NULL AND t', 't.trashed_at IS NOT NULL AND t', 'e'].map((named) => {
      const join = named === 'e' ? 'JOIN earlier_names e ON e.transcript_id = t.id' : '';
      const condition = `${select} ${join} WHERE ${publishedCondition} AND ${named}.name COLLATE NOCASE`;
      // A slash follows the dot in ASCII.
      return `${condition} = @name UNION ${condition} >= @dot AND ${named}.name COLLATE NOCASE < @slash`;
    });
    return this.#database
      .prepare<[{ name: string; dot: string; slash: string }], SavedTranscriptRow>(queries.join(' UNION '))
      .all({ name, dot: `${name}.`, slash: `${name}/` })
      .map(savedTranscriptOf);
  }

  /** Returns where a transcript's recording was last seen; `null` for one without a file. */
  recordingOf(id: TranscriptId): RecordingFile | null {
    const row = this.#database
      .prepare<[TranscriptId], RecordingRow>(
        'SELECT recording_path, recording_bytes, recording_fingerprint FROM transcripts WHERE id = ?',
      )
      .get(id);
    if (row === undefined || row.recording_path === null) return null;
    return {
      path: row.recording_path,
      sizeBytes: row.recording_bytes ?? 0,
      fingerprint: row.recording_fingerprint,
    };
  }

  /** Returns the fingerprint of the recording that was transcribed, whatever is linked now; `null` if unknown. */
  transcribedFingerprint(id: TranscriptId): string | null {
    const fingerprint = this.#database
      .prepare<[TranscriptId], string | null>(
        'SELECT coalesce(transcribed_fingerprint, recording_fingerprint) FROM transcripts WHERE id = ?',
      )
      .pluck()
      .get(id);
    return fingerprint ?? null;
  }

  /**
   * Stores where a transcript's recording is; `null`: it has none. The fingerprint that was transcribed stays stored if the
   * new file has another one; an imported transcript has only that of its file. If a transcript has the name of its file,
   * and a file with the same content replaces it, the transcript gets the new file's name.
   */
  setRecording(id: TranscriptId, recording: RecordingFile | null): void {
    const [path, bytes, fingerprint] = recordingColumns(recording);
    const before = this.recordingOf(id);
    const isSameContent = before !== null && fingerprint !== null && before.fingerprint === fingerprint;
    const oldName = isSameContent ? basename(before.path) : null;
    const newName = basename(path ?? '');
    const columns = { id, path, bytes, fingerprint, importService, oldName, newName };
    this.#database
      .prepare(
        `UPDATE transcripts SET name = iif(name = @oldName, @newName, name), recording_path = @path, recording_bytes = @bytes, recording_fingerprint = @fingerprint,
           transcribed_fingerprint = CASE WHEN service <> @importService
             THEN nullif(coalesce(transcribed_fingerprint, recording_fingerprint), @fingerprint) END
         WHERE id = @id`,
      )
      .run(columns);
  }

  /** Returns every transcript outside the trash whose recording has a known fingerprint, and where it was last seen. */
  recordings(): readonly {
    readonly id: TranscriptId;
    readonly path: string;
    readonly fingerprint: string;
  }[] {
    return this.#database
      .prepare<[], { id: TranscriptId; path: string; fingerprint: string }>(
        `SELECT id, recording_path AS path, recording_fingerprint AS fingerprint FROM transcripts
         WHERE recording_path IS NOT NULL AND recording_fingerprint IS NOT NULL AND trashed_at IS NULL`,
      )
      .all();
  }

  /** Returns the distinct paths where recordings were last seen. */
  recordingPaths(): readonly string[] {
    return this.#database
      .prepare<[], string>('SELECT DISTINCT recording_path FROM transcripts WHERE recording_path IS NOT NULL')
      .pluck()
      .all();
  }

  /**
   * Returns the transcripts of recordings with this fingerprint, whatever file is linked now. Transcribed ones come before
   * imported ones, and among each, those in the library before those in the trash.
   */
  withContent(fingerprint: string): readonly (SavedTranscript & {
    readonly name: string;
    readonly isImported: boolean;
    /** Where the recording was last seen; `null` if another file is linked in its place, or none. */
    readonly path: string | null;
    /** The SHA-256 of the whole recording that was transcribed; `null` if unknown. */
    readonly contentHash: string | null;
    /** When that file was last modified, Unix milliseconds; `null` if unknown. */
    readonly mtimeMs: number | null;
  })[] {
    return this.#database
      .prepare<[string, string], ContentRow>(
        `SELECT id, name, service = ? AS isImported, trashed_at IS NOT NULL AS isTrashed,
           CASE WHEN transcribed_fingerprint IS NULL THEN recording_path END AS path,
           content_hash AS contentHash, content_mtime_ms AS mtimeMs
         FROM transcripts WHERE coalesce(transcribed_fingerprint, recording_fingerprint) = ?
         ORDER BY isImported, isTrashed, item_id IS NULL`,
      )
      .all(importService, fingerprint)
      .map((row) => ({ ...row, isImported: row.isImported === 1, isTrashed: row.isTrashed === 1 }));
  }
}

/** Whether a transcript is too long for one commit while other work waits. */
export const isLong = ({ text, segments }: Pick<NewTranscript['transcript'], 'text' | 'segments'>): boolean =>
  segments.length > segmentsPerCommit || text.length > lengthPerCommit;

const wordCountOf = ({ wordCount, transcript }: NewTranscript): number =>
  wordCount ?? countWords(transcript.text);

/** Returns the index of a name, and adds it if it is new. */
function findOrAdd(names: string[], name: string): number {
  const index = names.indexOf(name);
  return index === -1 ? names.push(name) - 1 : index;
}

const metadataOf = (row: TranscriptRow): Omit<Transcript, 'itemId' | 'text' | 'segments'> => ({
  id: row.id,
  name: row.name,
  language: row.language === null ? null : languageTag(row.language),
  durationSeconds: row.duration_seconds,
  wordCount: row.word_count,
  createdAt: row.created_at,
});

const recordingColumns = (recording: RecordingFile | null): [string | null, number | null, string | null] => [
  recording?.path ?? null,
  recording?.sizeBytes ?? null,
  recording?.fingerprint ?? null,
];
