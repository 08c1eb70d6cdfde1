import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { LeftOut } from '../../../contract/model/left-out.ts';
import { importedExtensions } from '../../../contract/model/library.ts';
import { walk } from '../../media/walk.ts';

/** Files that are to be brought into the library, and what could not be looked into on the way to them. */
export interface FoundFiles {
  readonly paths: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

const extensions: ReadonlySet<string> = new Set(importedExtensions);

/**
 * The files that were chosen, and of folders those whose endings are those of transcripts.
 *
 * @param onFound told how many there are by now.
 * @throws the signal's reason when it is aborted.
 */
export async function findFiles(
  chosen: readonly string[],
  signal: AbortSignal,
  onFound: (count: number) => void,
): Promise<FoundFiles> {
  const paths = new Set<string>();
  const leftOut: LeftOut[] = [];
  for (const path of chosen) {
    if (!(await isFolder(path))) paths.add(path);
    else {
      for await (const found of walk(path, signal)) {
        if (found.kind === 'unreadable') {
          leftOut.push({ name: basename(found.path), problem: found.problem });
        } else if (extensions.has(extname(found.path).slice(1).toLowerCase())) paths.add(found.path);
        onFound(paths.size);
      }
    }
    signal.throwIfAborted();
  }
  return { paths: [...paths], leftOut };
}

/** What is not there is not a folder: reading it says why. */
async function isFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  return stats?.isDirectory() ?? false;
}
