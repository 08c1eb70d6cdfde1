import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { z } from 'zod';
import { isRunning } from '../../store/database/lease.ts';
import { HeldFolder } from './held-folder.ts';

const draftName = /^\.longhand-backup-\d+-\d+\.unfinished$/;
/** Those of drafts that could not be removed when their backup ended are told apart. */
const noteName = /^backup-draft-\d+-\d+(?<left>-left)?\.json$/;

const noteSchema = z.object({ draft: z.string(), pid: z.number(), host: z.string() });
type Note = z.infer<typeof noteSchema>;

/** A backup that is being written in the folder where it is wanted. */
export interface Draft {
  readonly path: string;
  readonly folder: HeldFolder;
  /** A file in the data folder that tells a later start of the draft, should this one be killed. */
  readonly note: string;
}

/** Says where the draft of a backup is to be written. Nothing is there yet. @throws when there is no such folder. */
export function beginDraft(dataFolder: string, target: string): Draft {
  const number = `${process.pid}-${threadId}`;
  const draft = {
    path: join(dirname(target), `.longhand-backup-${number}.unfinished`),
    folder: new HeldFolder(dirname(target)),
    note: join(dataFolder, `backup-draft-${number}.json`),
  };
  try {
    const told: Note = { draft: draft.path, pid: process.pid, host: hostname() };
    writeFileSync(draft.note, JSON.stringify(told));
  } catch {
    // A backup on another drive is wanted most when this one is full: only one that is killed needs its note.
  }
  return draft;
}

/**
 * Leaves nothing of a draft, whether it has become a backup or not, and wherever its folder was moved. What is on a
 * drive that was taken out goes once it is there again; see {@link removeLeftDrafts}.
 */
export function endDraft({ path, folder, note }: Draft): void {
  const now = folder.find();
  folder.close();
  if (now !== null && isRemoved(join(now, basename(path)))) rmSync(note, { force: true });
  else if (existsSync(note)) renameSync(note, note.replace(/\.json$/, '-left.json'));
}

/**
 * Removes the drafts of processes that were killed, and those that could not be removed before.
 *
 * @param atStart whether this process has begun none yet: one of its number is left by another one then.
 */
export function removeLeftDrafts(dataFolder: string, atStart: boolean): void {
  for (const name of readdirSync(dataFolder)) {
    const parts = noteName.exec(name);
    if (parts === null) continue;
    const note = join(dataFolder, name);
    const told = readNote(note);
    // Killed before it had told of the draft, it has not begun it either.
    if (told === null || isOver(told, parts.groups?.['left'] !== undefined, atStart))
      rmSync(note, { force: true });
  }
}

/** Whether the draft of a note needs no note any more, if need be because it is removed here. */
function isOver({ draft, pid, host }: Note, couldNotBeRemoved: boolean, atStart: boolean): boolean {
  // An empty folder may stand where its drive is connected at other times.
  if (couldNotBeRemoved) return existsSync(draft) && isRemoved(draft);
  const isAtWork = host !== hostname() || (pid === process.pid ? !atStart : isRunning(pid));
  return !isAtWork && existsSync(dirname(draft)) && isRemoved(draft);
}

/** Removes a draft with what SQLite has put beside it. Tells whether nothing of it is left. */
function isRemoved(path: string): boolean {
  try {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
    return true;
  } catch {
    return false;
  }
}

function readNote(path: string): Note | null {
  try {
    const { success, data } = noteSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return success && draftName.test(basename(data.draft)) ? data : null;
  } catch {
    return null;
  }
}
