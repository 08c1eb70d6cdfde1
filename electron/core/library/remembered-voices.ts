import { readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { maxSpeakerNameLength, maxSpeakers } from '../../contract/limits.ts';
import { errorCode } from '../../contract/errors.ts';
import type { TranscriptId } from '../../contract/identifiers.ts';
import { ProblemError } from '../../contract/problem.ts';
import type { DescribedVoices, NameSuggestion, RememberedVoice, VoiceSpan } from '../../contract/speakers.ts';
import type { DraftSegment, TranscriptDocument } from '../../contract/transcript.ts';
import type { Clock, Logger } from '../ports.ts';
import type { EditStore } from '../store/library/edit-store.ts';
import type { TranscriptStore } from '../store/library/transcript-store.ts';
import { locateRecording } from './speaker-identification.ts';
import { replaceControls } from '../transcript/plain-text.ts';

/** Voices to describe. */
export interface DescribeVoicesRequest {
  /** The path of the recording. */
  readonly recording: string;
  readonly spans: readonly VoiceSpan[];
  readonly signal: AbortSignal;
}

/** Describes voices by where they speak. @throws ProblemError when it fails; CancelledError */
export type DescribeVoices = (request: DescribeVoicesRequest) => Promise<DescribedVoices>;

export interface RememberedVoicesOptions {
  /** The data folder. */
  readonly folder: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly edits: EditStore;
  readonly transcripts: TranscriptStore;
  /** @throws ProblemError `speaker_models_missing` */
  readonly createVoiceDescriber: () => DescribeVoices;
}

/** A voice sounds like a remembered one from this cosine similarity on. */
const minSimilarity = 0.6;
/** Shorter segments are not used: they hold little but the end of one voice and the beginning of another. */
const minSpanSeconds = 1.5;
/** Only the middle of longer segments is used: the models were trained with a few seconds. */
const maxSpanSeconds = 6.5;
/** A voice needs at least this much speech in all. */
const minVoiceSeconds = 3;
/** Speech beyond this does not improve the description of a voice and is not used. */
const enoughSeconds = 20;

const voiceSchema = z.object({
  name: z.string().min(1).max(maxSpeakerNameLength),
  rememberedAt: z.number(),
  model: z.string(),
  embedding: z.array(z.number()).min(1).max(10_000),
});
const fileSchema = z.object({ voices: z.array(voiceSchema) });
type StoredVoice = z.infer<typeof voiceSchema>;

/**
 * Voices that the user has let this computer remember, each with a name that is suggested for speakers who sound alike.
 * They are in a separate file and not in the database, so that no backup contains them and a forgotten voice is gone.
 */
export class RememberedVoices {
  readonly #options: RememberedVoicesOptions;
  readonly #path: string;
  readonly #closed = new AbortController();
  #voices: readonly StoredVoice[] | null = null;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(options: RememberedVoicesOptions) {
    this.#options = options;
    this.#path = join(options.folder, 'voices.json');
    // A killed process may have left a voice there that no list shows.
    this.#writing = rm(stagedPathOf(this.#path), { force: true }).catch(() => undefined);
  }

  list(): readonly RememberedVoice[] {
    return this.#read()
      .map(({ name, rememberedAt }) => ({ name, rememberedAt }))
      .toSorted((a, b) => a.name.localeCompare(b.name));
  }

  /**
   * Remembers the voices of speakers of a transcript, from the passages in which they speak; voices of the same names
   * are replaced.
   *
   * @throws ProblemError `transcript_gone`, `voice_too_short` if a speaker says too little, what `locateRecording` throws
   *   or `createVoiceDescriber`; CancelledError
   */
  async remember(id: TranscriptId, typedNames: readonly string[]): Promise<void> {
    const document = this.#open(id);
    // Normalized like the names that an edit stores.
    const names = [
      ...new Set(typedNames.map((name) => replaceControls(name).trim()).filter((name) => name !== '')),
    ];
    if (names.length === 0) return;
    const wanted = new Set(names.map((name) => document.speakers.indexOf(name)));
    const spans = spansOf(document.segments, (speaker) => wanted.has(speaker));
    for (const name of names)
      if (!spans.has(document.speakers.indexOf(name)))
        throw new ProblemError({ code: 'voice_too_short', params: { name } });
    const describe = await this.#findDescriber(id);
    const { model, voices } = await describe([...spans.values()].flat());
    const added = names.map((name) => {
      const embedding = voices.get(document.speakers.indexOf(name));
      if (embedding === undefined) throw new ProblemError({ code: 'voice_too_short', params: { name } });
      return { name, rememberedAt: this.#options.clock.now(), model, embedding: [...embedding] };
    });
    await this.#change((before) => [...before.filter(({ name }) => !names.includes(name)), ...added]);
  }

  async forget(name: string): Promise<void> {
    await this.#change((before) => before.filter((voice) => voice.name !== name));
  }

  /**
   * Returns names for unnamed speakers who sound like remembered voices. Each name is suggested at most once, and not
   * at all if a speaker already has it. Returns none, rather than an error, if voices cannot be compared: the user did
   * not ask for suggestions.
   */
  async suggest(id: TranscriptId): Promise<readonly NameSuggestion[]> {
    try {
      if (this.#read().length === 0) return [];
      // Before the transcript, which may be long, is read.
      const describe = await this.#findDescriber(id);
      const document = this.#open(id);
      const isUnnamed = (speaker: number): boolean => (document.speakers[speaker] ?? '') === '';
      const spans = [...spansOf(document.segments, isUnnamed).values()].slice(0, maxSpeakers).flat();
      if (spans.length === 0) return [];
      const described = await describe(spans);
      const candidates = this.#read().filter(
        ({ name, model }) => model === described.model && !document.speakers.includes(name),
      );
      return matchVoices(described.voices, candidates);
    } catch (error) {
      this.#options.logger.info('voices were not compared', { error: String(error) });
      return [];
    }
  }

  /** Stops describing voices, and resolves when nothing is being written. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#writing;
  }

  /** Stops at once: another process has the data folder. */
  abandon(): void {
    this.#closed.abort();
  }

  #open(id: TranscriptId): TranscriptDocument {
    const document = this.#options.edits.open(id);
    if (document === null) throw new ProblemError({ code: 'transcript_gone' });
    return document;
  }

  /** Returns what describes voices of a transcript's recording, once both it and the models are found. */
  async #findDescriber(id: TranscriptId): Promise<(spans: readonly VoiceSpan[]) => Promise<DescribedVoices>> {
    const describe = this.#options.createVoiceDescriber();
    const recording = await locateRecording(id, this.#options.transcripts);
    return (spans) => describe({ recording, spans, signal: this.#closed.signal });
  }

  /** Returns the stored voices; none if the file cannot be read, since they can be remembered again. */
  #read(): readonly StoredVoice[] {
    if (this.#voices !== null) return this.#voices;
    try {
      this.#voices = fileSchema.parse(JSON.parse(readFileSync(this.#path, 'utf8'))).voices;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT')
        this.#options.logger.warn('the remembered voices cannot be read', { error: String(error) });
      this.#voices = [];
    }
    return this.#voices;
  }

  async #change(update: (before: readonly StoredVoice[]) => readonly StoredVoice[]): Promise<void> {
    const write = this.#writing.then(() => this.#write(update(this.#read())));
    this.#writing = write.catch(() => undefined);
    await write;
  }

  async #write(voices: readonly StoredVoice[]): Promise<void> {
    this.#closed.signal.throwIfAborted();
    const staged = stagedPathOf(this.#path);
    if (voices.length === 0) {
      await rm(this.#path, { force: true });
      await rm(staged, { force: true });
    } else {
      await writeFile(staged, JSON.stringify({ voices }), { mode: 0o600 });
      await rename(staged, this.#path);
    }
    this.#voices = voices;
  }
}

/** Returns the path at which voices are written before they replace those of `path`. */
const stagedPathOf = (path: string): string => `${path}.new`;

/** Returns where each speaker that `isWanted` can be heard, without those who say too little. */
function spansOf(
  segments: readonly DraftSegment[],
  isWanted: (speaker: number) => boolean,
): ReadonlyMap<number, readonly VoiceSpan[]> {
  const voices = new Map<number, { readonly spans: VoiceSpan[]; seconds: number }>();
  for (const { start, end, speaker } of segments) {
    if (speaker === null || end - start < minSpanSeconds || !isWanted(speaker)) continue;
    const voice = voices.get(speaker) ?? { spans: [], seconds: 0 };
    if (voice.seconds >= enoughSeconds) continue;
    voices.set(speaker, voice);
    const length = Math.min(end - start, maxSpanSeconds);
    const from = Math.max(0, (start + end - length) / 2);
    voice.spans.push({ voice: speaker, start: from, end: from + length });
    voice.seconds += length;
  }
  return new Map(
    [...voices].flatMap(([speaker, { spans, seconds }]) =>
      seconds < minVoiceSeconds ? [] : [[speaker, spans]],
    ),
  );
}

/** Pairs voices with remembered ones, the most similar first. */
function matchVoices(
  voices: DescribedVoices['voices'],
  remembered: readonly StoredVoice[],
): readonly NameSuggestion[] {
  const pairs = [...voices].flatMap(([speaker, embedding]) =>
    remembered.map(({ name, embedding: other }) => ({
      speaker,
      name,
      similarity: embedding.reduce((sum, value, k) => sum + value * (other[k] ?? 0), 0),
    })),
  );
  const matches: NameSuggestion[] = [];
  for (const { speaker, name, similarity } of pairs.toSorted((a, b) => b.similarity - a.similarity)) {
    if (similarity < minSimilarity) break;
    if (matches.some((match) => match.speaker === speaker || match.name === name)) continue;
    matches.push({ speaker, name });
  }
  return matches;
}
