import { appendFileSync, readdirSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isProcessAlive } from '../../store/database/lease.ts';
import { makeFolder } from '../../make-folder.ts';
import { ownFiles } from '../../own-files.ts';
import { parseJsonLines } from './json-lines.ts';
import { temporaryFileForm, temporaryFileOwner } from './publish-file.ts';

/*
 * Exports write hidden temporary files into the folders of the user. Each thread records these folders in the data
 * folder, so that a later start can remove what a killed process left there.
 */

const recordName = /^(?<owner>(?<pid>\d+)-\d+)\.jsonl$/;
const recordsOf = (dataFolder: string): string => join(dataFolder, 'export-folders');

/** Records the folders into which this thread writes, each once. */
export class ExportFolders {
  readonly #records: string;
  readonly #path: string;
  readonly #recorded = new Set<string>();

  constructor(dataFolder: string) {
    this.#records = recordsOf(dataFolder);
    this.#path = join(this.#records, `${temporaryFileOwner}.jsonl`);
  }

  add(folders: Iterable<string>): void {
    const added = [...new Set(folders)].filter((folder) => !this.#recorded.has(folder));
    if (added.length === 0) return;
    for (const folder of added) this.#recorded.add(folder);
    try {
      makeFolder(this.#records, { mode: 0o700 });
      appendFileSync(this.#path, added.map((folder) => `${JSON.stringify(folder)}\n`).join(''), {
        mode: 0o600,
      });
    } catch {
      // A full drive must not prevent an export to another one.
    }
  }
}

/**
 * Removes the temporary files that exports of killed processes left. Folders that are gone or cannot be changed are
 * skipped.
 *
 * @param dataFolder the one in which this process, which has not exported anything yet, holds the lease; it may export
 *   as soon as this function has returned its promise
 */
export async function removeAbandonedFiles(dataFolder: string): Promise<void> {
  const records = recordsOf(dataFolder);
  for (const name of namesIn(records)) {
    const { pid, owner = '' } = recordName.exec(name)?.groups ?? {};
    // Another process with this data folder may be exporting. A record with the ID of this process is from an earlier
    // one.
    if (pid === undefined || (pid !== String(process.pid) && isProcessAlive(Number(pid)))) continue;
    const path = join(records, name);
    for (const folder of await foldersIn(path))
      await removeTemporaryFiles(folder, owner).catch(() => undefined);
    await rm(path, { force: true });
  }
}

/** Returns the names in a folder, before this process can add its own. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

async function foldersIn(record: string): Promise<ReadonlySet<string>> {
  return new Set(parseJsonLines(await readFile(record, 'utf8'), (line) => z.string().parse(line)));
}

async function removeTemporaryFiles(folder: string, owner: string): Promise<void> {
  for (const name of ownFiles(await readdir(folder, { withFileTypes: true }), temporaryFileForm(owner)))
    await rm(join(folder, name));
}
