import type { CommandAnswer, CommandInput, CommandName } from './commands.ts';
import type { EventName, Events } from './events.ts';
import type { Problem } from './problem.ts';

/**
 * The channels of the process boundary. Only the preload script can use the last five: `file` and `dropped` pass on what
 * the user drops on the window, `pasted` says that the user pastes, and `copying` and `copied` that the page is about to
 * change the clipboard and has done so.
 */
export const channels = {
  command: 'longhand:command',
  event: 'longhand:event',
  file: 'longhand:file',
  dropped: 'longhand:dropped',
  pasted: 'longhand:pasted',
  copying: 'longhand:copying',
  copied: 'longhand:copied',
} as const;

/**
 * An answer to a command as JSON: Electron would copy an object into the page's context member by member, which takes
 * longer than rendering it. An answer with bytes stays an object.
 */
export type PackedAnswer = string | AnyAnswer;

/** Returns an answer as it crosses the process boundary. */
export const packAnswer = (answer: AnyAnswer): PackedAnswer =>
  answer.ok && holdsBytes(answer.value) ? answer : JSON.stringify(answer);

/** Whether a value is bytes or has members that are. */
const holdsBytes = (value: unknown): boolean =>
  ArrayBuffer.isView(value) ||
  (typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((member) => ArrayBuffer.isView(member)));

/** The answer to any command. */
export type AnyAnswer =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: Problem };

/** The interface that the preload script exposes as `window.longhand`. */
export interface Bridge {
  invoke<N extends CommandName>(name: N, input: CommandInput<N>): Promise<CommandAnswer<N>>;
  /** Listens to an event; the returned function removes the listener. */
  on<N extends EventName>(name: N, listener: (payload: Events[N]) => void): () => void;
  /** Returns the path of a file that the user dropped or chose, which commands may then name. */
  pathForFile(file: File): string;
}
