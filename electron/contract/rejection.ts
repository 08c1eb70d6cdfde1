import type { Problem } from './problem.ts';

/** Something that was not accepted with the rest, and why. */
export interface Rejection {
  /** The file's name, the folder's name or the link. */
  readonly name: string;
  readonly problem: Problem;
}

/** Transcripts in folders that were added for their recordings but hold none. */
export interface FoundTranscripts {
  /** Paths of the folders. */
  readonly folders: readonly string[];
  /** Files in them whose names are those of transcripts. */
  readonly count: number;
}

/** Returns what could be imported of what was rejected; a folder given twice counts once. */
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
