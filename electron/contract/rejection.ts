import type { Problem } from './problem.ts';

/** Something that was not taken along with the rest, and why. */
export interface Rejection {
  /** The file's name, the folder's name or the link. */
  readonly name: string;
  readonly problem: Problem;
}

/** Transcripts in folders that were given for their recordings, and hold none. */
export interface FoundTranscripts {
  /** Paths of the folders. */
  readonly folders: readonly string[];
  /** Files in them that are transcripts by their names. */
  readonly count: number;
}

/** What could be imported of what was left out; a folder that was given twice counts once. */
export function importableTranscripts(leftOut: readonly Pick<Rejection, 'problem'>[]): FoundTranscripts {
  const counts = new Map(
    leftOut.flatMap(({ problem: { code, params } }) =>
      code === 'folder_of_transcripts'
        ? [[String(params?.['path']), Number(params?.['count'])] as const]
        : [],
    ),
  );
  return { folders: [...counts.keys()], count: [...counts.values()].reduce((sum, count) => sum + count, 0) };
}
