import { basename, extname } from 'node:path';
import { isSubtitleName, type ImportedExtension } from '../../../contract/choices.ts';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import { foldCase } from '../../../contract/unicode.ts';
import { withoutExtension } from '../../media/inspect-files.ts';
import type { Store } from '../../store/store.ts';
import { importService } from '../../store/library/transcript-tables.ts';
import { linesOf } from '../../transcript/plain-text.ts';
import type { Yielder } from '../../yielder.ts';
import type { FileReading } from './read-file.ts';
import { passagesOf, piecesOf, WordsDigest } from './words-digest.ts';

/**
 * What a transcript file of a folder is: `new` to the library, or unreadable, which the import reports; `known`: in the
 * library, which may have exported it; `trashed`: the same for a transcript in the trash; `other`: not a transcript.
 */
export type FolderFileKind =
  { readonly kind: 'new' | 'known' | 'other' } | { readonly kind: 'trashed'; readonly id: TranscriptId };

/** Names of texts that come with software and archives, in the languages of the window. */
const readmeName =
  /^(?:read[ _-]?me|liesmich|l[eé]e(?:me)?|licen[cs]e|licen[cs]ia|lizenz|copying|changelog|changes|install|notice)\b/iu;

/** What Longhand adds to the name of an export: the language, or a number where the name was taken. */
const addedToName = /(?:\.[a-z]{2,3}(?:-[a-z0-9]{2,8})?| \d{1,4})$/iu;

interface FolderTranscriptsOptions {
  readonly store: Store;
  readonly yielder: Yielder;
  readonly signal: AbortSignal;
}

/**
 * Decides which transcript files of folders are worth importing. The import and whatever offers it ask here, so that both
 * count the same. A file that the user names is imported anyway. Works in short slices, and reads each transcript of the
 * library once: meeting programs give all their files one name.
 */
export class FolderTranscripts {
  readonly #options: FolderTranscriptsOptions;
  /** The content of the files that were added. */
  readonly #added = new Set<string>();
  /**
   * The words of transcripts and of added files, by their name. Those that only a transcript in the trash has lead to that
   * one, all others to `null`.
   */
  readonly #words = new Map<string, Map<string, TranscriptId | null>>();
  /** The names whose transcripts of the library are in `#words`. */
  readonly #loaded = new Set<string>();

  constructor(options: FolderTranscriptsOptions) {
    this.#options = options;
  }

  /**
   * Returns what a file is; `null` if it was cancelled. One with the content, or with the name and words, of an added file
   * is known.
   */
  async kindOf(path: string, reading: FileReading): Promise<FolderFileKind | null> {
    const { transcripts, autoExports } = this.#options.store;
    if (reading.kind === 'failed') return { kind: 'new' };
    const { digest, content, wordsDigests } = reading;
    let trashed: TranscriptId | null = null;
    for (const saved of [autoExports.transcriptOf(path), transcripts.ofJob(importService, digest)]) {
      if (saved?.isTrashed === false) return { kind: 'known' };
      trashed ??= saved?.id ?? null;
    }
    if (this.#added.has(digest)) return { kind: 'known' };
    const name = nameOf(path);
    if (trashed === null && content.transcript.segments.length === 0 && readmeName.test(name))
      return { kind: 'other' };
    for (const one of new Set([name, name.replace(addedToName, '')])) {
      if (!this.#loaded.has(one) && !(await this.#load(one))) return null;
      const known = this.#wordsOf(one);
      for (const words of wordsDigests) {
        const found = known.get(words);
        if (found === null) return { kind: 'known' };
        trashed ??= found ?? null;
      }
    }
    return trashed === null ? { kind: 'new' } : { kind: 'trashed', id: trashed };
  }

  /** Notes that a file is imported, or will be: its copies are known from now on. */
  add(path: string, reading: FileReading): void {
    if (reading.kind === 'failed') return;
    this.#added.add(reading.digest);
    // As the library does, it counts `talk.en` as a file of the name `talk`.
    const name = nameOf(path);
    const names = [name, ...[...name.matchAll(/\./gu)].map(({ index }) => name.slice(0, index))];
    for (const one of names) for (const words of reading.wordsDigests) this.#wordsOf(one).set(words, null);
  }

  #wordsOf(name: string): Map<string, TranscriptId | null> {
    const key = foldCase(name);
    const words = this.#words.get(key) ?? new Map<string, TranscriptId | null>();
    this.#words.set(key, words);
    return words;
  }

  /**
   * Reads the words of the transcripts of a name, as they are now and were before they were edited.
   *
   * @returns false if it was cancelled
   */
  async #load(name: string): Promise<boolean> {
    const { store, yielder, signal } = this.#options;
    const words = this.#wordsOf(name);
    for (const { id, isTrashed } of store.transcripts.named(name)) {
      if (signal.aborted) return false;
      const add = (digest: string): void => {
        if (!isTrashed) words.set(digest, null);
        else if (!words.has(digest)) words.set(digest, id);
      };
      const { text, segments } = store.edits.original(id);
      add(await this.#digestOf(passagesOf(text ?? '', segments)));
      if (store.edits.revisionOf(id) !== 0)
        add(await this.#digestOf(linesOf(store.exportSources.content(id)?.text ?? '')));
      await yielder.yieldIfDue();
    }
    this.#loaded.add(name);
    return true;
  }

  async #digestOf(passages: readonly string[]): Promise<string> {
    const digest = new WordsDigest();
    for (const passage of passages)
      for (const piece of piecesOf(passage)) {
        digest.add(piece);
        await this.#options.yielder.yieldIfDue();
      }
    return digest.digest();
  }
}

/** The formats of transcripts by what a file of them holds, the most first. */
const richestFirst: readonly ImportedExtension[] = [
  'json',
  'vtt',
  'ttml',
  'dfxp',
  'csv',
  'srt',
  'sbv',
  'lrc',
  'txt',
];

/**
 * Returns the paths that may add something, those of one name from the richest format on: of several files with the same
 * words, the first one is added. A text that subtitles of its name accompany has their words.
 */
export function richestOfEachName(paths: readonly string[]): readonly string[] {
  const subtitles = new Set(paths.filter(isSubtitleName).map(withoutExtension));
  const remaining = paths.filter((path) => !/\.txt$/iu.test(path) || !subtitles.has(withoutExtension(path)));
  const byName = Map.groupBy(remaining, withoutExtension);
  return [...byName.values()].flatMap((group) => group.toSorted((a, b) => richnessOf(a) - richnessOf(b)));
}

const richnessOf = (path: string): number =>
  richestFirst.findIndex((extension) => path.toLowerCase().endsWith(`.${extension}`));

const nameOf = (path: string): string => basename(path, extname(path));
