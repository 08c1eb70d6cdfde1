import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { RecordingFile } from '../../../contract/library-commands.ts';
import { foldCase } from '../../../contract/unicode.ts';
import { hasMediaExtension } from '../../media/detect-media.ts';
import { inspectFile } from '../../media/inspect-files.ts';

/** A language tag at the end of a name, as in `talk.en.srt` or `talk.pt-BR.vtt`. */
const languageSuffix = /\.[a-z]{2,3}(?:-[a-z0-9]{2,8})?$/u;

const stemOf = (name: string): string => foldCase(basename(name, extname(name)));

/** Finds the recording next to a transcript file that has the same name. Reads each folder once. */
export class SiblingRecordings {
  readonly #names = new Map<string, Promise<ReadonlyMap<string, readonly string[]>>>();

  /**
   * Returns the recording of `talk.srt`, `talk.en.srt` or `talk.mp3.srt`: the file of that name with the extension of a
   * recording. `null` if there is none, or more than one, or if it is not a recording.
   */
  async find(transcriptPath: string): Promise<RecordingFile | null> {
    const folder = dirname(transcriptPath);
    const stem = stemOf(transcriptPath);
    const inFolder = await this.#recordingsIn(folder);
    const [name, ...others] = inFolder.get(stem) ?? inFolder.get(stem.replace(languageSuffix, '')) ?? [];
    if (name === undefined || others.length > 0) return null;
    const file = await inspectFile(join(folder, name));
    if (file.kind !== 'file') return null;
    return { path: file.path, sizeBytes: file.sizeBytes, fingerprint: file.fingerprint };
  }

  /** Returns the file names of recordings in a folder, by name with and without extension. */
  #recordingsIn(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
    const names = this.#names.get(folder) ?? readRecordings(folder);
    this.#names.set(folder, names);
    return names;
  }
}

async function readRecordings(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = await readdir(folder).catch((): string[] => []);
  const recordings = names.filter(hasMediaExtension);
  return new Map([...Map.groupBy(recordings, stemOf), ...Map.groupBy(recordings, foldCase)]);
}
