import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { z } from 'zod';
import { isRunning } from '../../store/database/lease.ts';

const draftName = /^\.longhand-backup-\d+-\d+\.unfinished$/;
const noteName = /^backup-draft-\d+-\d+\.json$/;

const noteSchema = z.object({ draft: z.string(), pid: z.number(), host: z.string() });

/** A backup that is being written in the folder where it is wanted. */
export interface Draft {
  readonly path: string;
  /** A file in the data folder that tells a later start of the draft, should this one be killed. */
  readonly note: string;
}

/** Says where the draft of a backup is to be written. Nothing is there yet. */
export function beginDraft(dataFolder: string, target: string): Draft {
  const number = `${process.pid}-${threadId}`;
  const draft = {
    path: join(dirname(target), `.longhand-backup-${number}.unfinished`),
    note: join(dataFolder, `backup-draft-${number}.json`),
  };
  const told: z.infer<typeof noteSchema> = { draft: draft.path, pid: process.pid, host: hostname() };
  writeFileSync(draft.note, JSON.stringify(told));
  return draft;
}

/** Leaves nothing of a draft, whether it has become a backup or not. */
export function endDraft({ path, note }: Draft): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
  rmSync(note, { force: true });
}

/** Removes the drafts of processes that were killed. To be called before this one writes any. */
export function removeLeftDrafts(dataFolder: string): void {
  for (const name of readdirSync(dataFolder)) {
    if (!noteName.test(name)) continue;
    const note = join(dataFolder, name);
    const told = readNote(note);
    // Killed before it had told of the draft, it has not begun it either.
    if (told === null) rmSync(note, { force: true });
    else if (isLeft(told)) endDraft({ path: told.draft, note });
  }
}

function readNote(path: string): z.infer<typeof noteSchema> | null {
  try {
    const { success, data } = noteSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return success && draftName.test(basename(data.draft)) ? data : null;
  } catch {
    return null;
  }
}

/** Whether nobody is at work on it any more, and its drive is connected. */
function isLeft({ draft, pid, host }: z.infer<typeof noteSchema>): boolean {
  if (host !== hostname() || !existsSync(dirname(draft))) return false;
  return pid === process.pid || !isRunning(pid);
}
