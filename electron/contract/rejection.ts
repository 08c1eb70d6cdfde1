import type { Problem } from './problem.ts';

/** Something that was not accepted, and why. */
export interface Rejection {
  /** The file's name, the folder's name or the link. */
  readonly name: string;
  readonly problem: Problem;
}

/** Transcripts in folders that the user added. */
export interface FoundTranscripts {
  /** Paths of the folders. */
  readonly folders: readonly string[];
  /** How many files in them have the extension of a transcript. */
  readonly count: number;
}

/** Returns the transcripts in rejected folders, which contain no recordings; a folder that occurs twice counts once. */
export function importableTranscripts(rejected: readonly Pick<Rejection, 'problem'>[]): FoundTranscripts {
  const counts = new Map(
    rejected.flatMap(({ problem: { code, params } }) =>
      code === 'folder_of_transcripts'
        ? [[String(params?.['path']), Number(params?.['count'])] as const]
        : [],
    ),
  );
  return { folders: [...counts.keys()], count: [...counts.values()].reduce((sum, count) => sum + count, 0) };
}
