import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Rejection } from '../../../contract/rejection.ts';
import { isTranscriptName } from '../../../contract/choices.ts';
import { walk } from '../../media/walk.ts';

/** Files that are to be brought into the library, and what could not be looked into on the way to them. */
export interface FoundFiles {
  readonly paths: readonly string[];
  readonly rejected: readonly Rejection[];
  /** Whether it was called off before all were found. */
  readonly isPart: boolean;
}

/**
 * The files that were chosen, and of folders those whose endings are those of transcripts. Called off, those that were
 * found by then, and of what was not looked at yet what is a file by its name.
 *
 * @param onFound told how many there are by now.
 */
export async function findFiles(
  chosen: readonly string[],
  signal: AbortSignal,
  onFound: (count: number) => void,
): Promise<FoundFiles> {
  const paths = new Set<string>();
  const rejected: Rejection[] = [];
  const lookInto = async (folder: string): Promise<void> => {
    for await (const found of walk(folder, signal)) {
      if (found.kind === 'unreadable') {
        rejected.push({ name: basename(found.path), problem: found.problem });
      } else if (isTranscriptName(found.path)) paths.add(found.path);
      onFound(paths.size);
    }
  };
  for (const [index, path] of chosen.entries()) {
    try {
      signal.throwIfAborted();
      if (await isFolder(path)) await lookInto(path);
      else paths.add(path);
    } catch (error) {
      if (!signal.aborted) throw error;
      for (const rest of chosen.slice(index)) if (isTranscriptName(rest)) paths.add(rest);
      return { paths: [...paths], rejected, isPart: true };
    }
  }
  return { paths: [...paths], rejected, isPart: false };
}

/** What is not there is not a folder: reading it says why. */
async function isFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  return stats?.isDirectory() ?? false;
}
