import { hash } from 'node:crypto';
import { basename, extname } from 'node:path';
import { isSubtitleName } from '../../../contract/choices.ts';
import { foldCase, normalizeText } from '../../../contract/unicode.ts';
import { splitLabel } from '../../formats/speaker-label.ts';
import type { Store } from '../../store/store.ts';
import { importService } from '../../store/library/transcript-tables.ts';
import { linesOf } from '../../transcript/plain-text.ts';
import type { FileReading } from './read-file.ts';

/**
 * What a transcript file of a folder is: `new` to the library, or unreadable, which the import reports; `known`: in the
 * library, which may have exported it; `trashed`: imported before, and in the trash; `other`: not a transcript.
 */
export type FolderFileKind = 'new' | 'known' | 'trashed' | 'other';

/** Names of texts that come with software and archives, in the languages of the window. */
const readmeName =
  /^(?:read[ _-]?me|liesmich|l[eé]e(?:me)?|licen[cs]e|licen[cs]ia|lizenz|copying|changelog|changes|install|notice)\b/iu;

/** What Longhand adds to the name of an export: the language, or a number where the name was taken. */
const addedToName = /(?:\.[a-z]{2,3}(?:-[a-z0-9]{2,8})?| \d{1,4})$/iu;

/**
 * Decides which transcript files of folders are worth importing. The import and whatever offers it ask here, so that both
 * count the same. A file that the user names is imported anyway.
 */
export class FolderTranscripts {
  readonly #store: Store;
  /** What was new so far: the content of each file, and its words under its name. */
  readonly #seen = new Set<string>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Returns what a file is. The first of several with equal content, or with one name and equal words, is new. */
  kindOf(path: string, reading: FileReading): FolderFileKind {
    const { transcripts, autoExports } = this.#store;
    if (reading.kind === 'failed') return 'new';
    if (autoExports.isInLibrary(path)) return 'known';
    const { digest, content } = reading;
    const imported = transcripts.ofJob(importService, digest);
    if (imported !== null) return imported.isTrashed ? 'trashed' : 'known';
    const { text, segments } = content.transcript;
    const name = basename(path, extname(path));
    if (segments.length === 0 && readmeName.test(name)) return 'other';
    const passages = segments.length === 0 ? linesOf(text) : segments.map((segment) => segment.text);
    if (this.#isInLibrary(name, passages)) return 'known';
    const words = `${foldCase(withoutExtension(path))}\0${hash('sha256', lettersOf(text))}`;
    if (this.#seen.has(digest) || this.#seen.has(words)) return 'known';
    this.#seen.add(digest).add(words);
    return 'new';
  }

  /** Whether the library has a transcript of this name with these words, as it is now or was before it was edited. */
  #isInLibrary(name: string, passages: readonly string[]): boolean {
    const { transcripts, exportSources, edits } = this.#store;
    const names = new Set([name, name.replace(addedToName, '')]);
    return [...names]
      .flatMap((one) => transcripts.named(one))
      .some((id) => {
        if (saysTheSame(passages, exportSources.content(id)?.text ?? '')) return true;
        const original = edits.original(id);
        return saysTheSame(
          passages,
          original.text ?? original.segments.map((segment) => segment.text).join(''),
        );
      });
  }
}

/** Returns paths without texts that a subtitle file of the same name accompanies: they have the same words. */
export function withoutSecondTexts(paths: readonly string[]): readonly string[] {
  const subtitles = new Set(paths.filter(isSubtitleName).map(withoutExtension));
  return paths.filter((path) => !/\.txt$/iu.test(path) || !subtitles.has(withoutExtension(path)));
}

const withoutExtension = (path: string): string => path.slice(0, path.length - extname(path).length);

/** Returns the letters and digits of a text: subtitles break words, and scripts without spaces break anywhere. */
const lettersOf = (text: string): string =>
  normalizeText(text, 'NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '');

/** Whether the passages of a file have the words of a transcript, with or without labels for the speakers. */
function saysTheSame(passages: readonly string[], transcript: string): boolean {
  const letters = lettersOf(transcript);
  const unlabelled = passages.map((passage) => splitLabel(passage)?.text ?? passage);
  return lettersOf(passages.join('')) === letters || lettersOf(unlabelled.join('')) === letters;
}
