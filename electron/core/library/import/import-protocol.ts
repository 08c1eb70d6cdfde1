import type { Problem } from '../../../contract/problem.ts';
import type { NewTranscript } from '../../store/library/transcript-store.ts';

/** What a file holds of a transcript. */
export type FileContent = Pick<
  NewTranscript,
  'name' | 'durationSeconds' | 'transcript' | 'notes' | 'wordCount'
> & {
  /** Unix milliseconds; `null` where the file does not tell. */
  readonly createdAt: number | null;
};

/** What came of reading a file. */
export type FileReading =
  | {
      readonly kind: 'read';
      /** SHA-256 of the file's bytes, by which the same content is known again. */
      readonly digest: string;
      readonly content: FileContent;
    }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** To the thread that reads files. */
export interface ToImportThread {
  readonly kind: 'read';
  readonly request: number;
  readonly path: string;
}

/** From it: one answer to each request. */
export type FromImportThread = FileReading & { readonly request: number };
