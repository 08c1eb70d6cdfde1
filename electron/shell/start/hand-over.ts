import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  opendirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { exportFormats } from '../../contract/choices.ts';
import { path as pathSchema, service } from '../../contract/command.ts';
import { exportFormatsSchema } from '../../contract/export.ts';
import { jobOptionsSchema } from '../../contract/options.ts';
import type { RecordingInputs } from '../../core/media/links.ts';
import type { CommandChoices, CommandReply } from '../../core/queue/adding/add-requested.ts';
import { problemSchema } from '../../core/store/items/item-json-schemas.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { ownFiles, uuidForm } from '../../core/own-files.ts';
import type { Logger } from '../../core/ports.ts';
import { systemClock } from '../../core/system.ts';

/** The names of requests, of replies and reports of failures, and of those that are not written completely. */
const requestForm = new RegExp(`^${uuidForm}\\.json$`);
const endedForm = new RegExp(`^${uuidForm}\\.(?:reply|failed)$`);
const partialForm = new RegExp(`^${uuidForm}\\.(?:json|reply)\\.part$`);

const folderSchema = pathSchema.refine(isAbsolute, 'is not absolute');

// A window and a command of different versions may exchange these files: their fields keep the earlier names `files` and
// `endedFiles`.
const choicesSchema: z.ZodType<CommandChoices, unknown> = z
  .strictObject({
    service: service.nullable(),
    options: jobOptionsSchema.partial().transform(omitUndefined),
    files: z
      .strictObject({
        formats: exportFormatsSchema,
        folder: folderSchema.nullable(),
        linkFolder: folderSchema,
      })
      .nullable(),
    again: z.boolean(),
  })
  .transform(({ files, ...choices }) => ({ ...choices, exports: files }));

const handedOverSchema = z.object({
  paths: z.array(z.string()),
  links: z.array(z.string()),
  command: z.strictObject({ window: z.string().nullable(), choices: choicesSchema }).nullable().default(null),
});

const replySchema: z.ZodType<CommandReply, unknown> = z
  .object({
    ids: z.array(z.int()),
    rejected: z.array(z.object({ name: z.string(), problem: problemSchema })),
    endedFiles: z.array(
      z.object({
        item: z.int(),
        format: z.enum(exportFormats),
        folder: z.string().nullable(),
        name: z.string().optional(),
      }),
    ),
  })
  .transform(({ endedFiles, ...reply }) => ({ ...reply, settledExports: endedFiles }));

/** Recordings that another launch of the program has handed over. */
export interface HandedOverRecordings extends RecordingInputs {
  /** The command that waits for the result; `null`: the window shows the recordings before it adds them. */
  readonly command: {
    /**
     * The owner of the lease whose window adds them without asking; any other window shows them before it adds them.
     */
    readonly window: string | null;
    readonly choices: CommandChoices;
  } | null;
}

const folderIn = (dataFolder: string): string => join(dataFolder, 'hand-over');

/**
 * Leaves recordings for the window that works in the data folder. In a file, because a long list does not fit into the
 * message of the single-instance lock, and so that nothing is lost if the window ends before it has added them.
 *
 * @returns the path at which {@link takeReply} finds the reply, unless the window asks the user first; see also
 *   {@link withdraw}.
 * @throws the system's error when the folder cannot be written.
 */
export function handOverRecordings(dataFolder: string, recordings: HandedOverRecordings): string {
  const folder = folderIn(dataFolder);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${randomUUID()}.json`);
  writeAtomically(path, storedRecordings(recordings));
  return replyPathOf(path);
}

const replyPathOf = (path: string): string => path.replace(/\.json$/, '.reply');
/**
 * What the recordings are renamed to if they cannot be added: unlike writing a reply, that needs no space on a full
 * disk.
 */
const failedPathOf = (path: string): string => path.replace(/\.(?:json|reply)$/, '.failed');
const recordingsPathOf = (reply: string): string => reply.replace(/\.reply$/, '.json');

/** Returns what {@link handedOverSchema} reads. */
function storedRecordings({ command, ...recordings }: HandedOverRecordings): object {
  if (command === null) return { ...recordings, command };
  const { exports, ...choices } = command.choices;
  return { ...recordings, command: { window: command.window, choices: { ...choices, files: exports } } };
}

/** Returns what {@link replySchema} reads. */
const storedReply = ({ ids, rejected, settledExports }: CommandReply): object => ({
  ids,
  rejected,
  endedFiles: settledExports,
});

/** Writes a file that appears under its final name only when it is complete. */
function writeAtomically(path: string, content: object): void {
  writeFileSync(`${path}.part`, JSON.stringify(content));
  renameSync(`${path}.part`, path);
}

/**
 * Returns the reply and deletes it; `null` while there is none. There will be none if the window shows the recordings before
 * it adds them (`shown`), or if it could not add them or not write its reply (`failed`).
 *
 * @throws the system's error when it cannot be read.
 */
export function takeReply(path: string): CommandReply | 'shown' | 'failed' | null {
  // Checked before the reply, which is written before the recordings are deleted.
  const isTaken = !existsSync(recordingsPathOf(path));
  if (existsSync(failedPathOf(path))) {
    rmSync(failedPathOf(path), { force: true });
    return 'failed';
  }
  if (!existsSync(path)) return isTaken ? 'shown' : null;
  const reply = replySchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  rmSync(path, { force: true });
  return reply;
}

/** Takes back recordings that a window did not add before it was closed. @param reply the path of their reply. */
export const withdraw = (reply: string): void => rmSync(recordingsPathOf(reply), { force: true });

/** A `.part` file that has not changed for this long is abandoned: writing one takes milliseconds. */
const abandonedMs = 60_000;

/** Whether a file that is not complete has not been written to for a while. */
function isAbandoned(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && systemClock.now() - stats.mtimeMs > abandonedMs;
}

/** How often a folder that cannot be watched is checked. */
const pollMs = 1000;

export interface HandOverInboxOptions {
  readonly dataFolder: string;
  readonly logger: Logger;
  /** The owner of this window's lease on the data folder. */
  readonly leaseOwner: string;
  /**
   * Resolves with the reply once the recordings are stored; without the choices of a command, with `null` once they are
   * shown.
   */
  readonly add: (recordings: RecordingInputs, choices: CommandChoices | null) => Promise<CommandReply | null>;
}

/** Adds the recordings that other launches have handed over, and those that they hand over later. */
export class HandOverInbox {
  readonly #folder: string;
  readonly #logger: Logger;
  readonly #add: HandOverInboxOptions['add'];
  readonly #leaseOwner: string;
  #stopWatching: () => void = () => undefined;
  #isBusy = false;
  #pending: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor({ dataFolder, logger, leaseOwner, add }: HandOverInboxOptions) {
    this.#folder = folderIn(dataFolder);
    this.#logger = logger;
    this.#add = add;
    this.#leaseOwner = leaseOwner;
    try {
      mkdirSync(this.#folder, { recursive: true });
      this.#deleteLeftovers();
    } catch (error) {
      logger.warn('the hand-over folder could not be cleaned', { error: String(error) });
    }
    this.#watch();
    this.check();
  }

  /** Other programs may have used up the watches that the system has; the window opens without one. */
  #watch(): void {
    try {
      // Throws if the folder is a file: that could be watched, but not the folder that replaces it later.
      opendirSync(this.#folder).closeSync();
      const watcher = watch(this.#folder, () => this.check());
      this.#stopWatching = () => watcher.close();
      watcher.on('error', (error) => {
        watcher.close();
        this.#poll(error);
      });
    } catch (error) {
      this.#poll(error);
    }
  }

  #poll(error: unknown): void {
    this.#logger.warn('the hand-over folder is not watched', { error: String(error) });
    const timer = setInterval(() => {
      if (!this.#isBusy && existsSync(this.#folder)) this.check();
    }, pollMs);
    this.#stopWatching = () => clearInterval(timer);
  }

  /** Checks for new files, unless it is closed: the next start adds them. */
  check(): void {
    if (this.#isClosed) return;
    this.#isBusy = true;
    const pending = this.#pending
      .then(() => this.#addAll())
      // The next check retries.
      .catch((error: unknown) =>
        this.#logger.warn('the hand-over folder could not be read', { error: String(error) }),
      )
      .finally(() => {
        if (this.#pending === pending) this.#isBusy = false;
      });
    this.#pending = pending;
  }

  /** Stops watching, and waits until the recordings in progress are added. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWatching();
    await this.#pending;
  }

  /** Returns the paths of the files of this program whose names have a form. */
  #files(form: RegExp): readonly string[] {
    return ownFiles(readdirSync(this.#folder, { withFileTypes: true }), form).map((name) =>
      join(this.#folder, name),
    );
  }

  /** Deletes replies whose recipients exited before reading them, and what killed processes had not written completely. */
  #deleteLeftovers(): void {
    for (const path of this.#files(endedForm)) rmSync(path, { force: true });
    for (const path of this.#files(partialForm)) if (isAbandoned(path)) rmSync(path, { force: true });
  }

  async #addAll(): Promise<void> {
    for (const path of this.#files(requestForm)) {
      try {
        const { command, ...recordings } = handedOverSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
        // A command that left them for an earlier window may be gone or have done the work itself.
        const choices = command?.window === this.#leaseOwner ? command.choices : null;
        const reply = await this.#add(recordings, choices);
        if (reply !== null) writeAtomically(replyPathOf(path), storedReply(reply));
      } catch (error) {
        this.#logger.error('handed-over recordings could not be added', { error: String(error) });
        if (existsSync(path)) renameSync(path, failedPathOf(path));
      }
      rmSync(path, { force: true });
    }
  }
}
