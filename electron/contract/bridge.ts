import type { CommandAnswer, CommandInput, CommandName } from './commands.ts';
import type { EventName, Events } from './events.ts';
import type { Problem } from './problem.ts';

/** The two channels of the process boundary. */
export const channels = { command: 'longhand:command', event: 'longhand:event' } as const;

/**
 * Answers cross into the page's own world as text: Electron copies an object there member by member, which takes longer
 * than drawing it. An answer with bytes, which text cannot hold, crosses unchanged.
 */
export type PackedAnswer = string | AnyAnswer;

/** An answer as it crosses the process boundary. */
export const packAnswer = (answer: AnyAnswer): PackedAnswer =>
  answer.ok && holdsBytes(answer.value) ? answer : JSON.stringify(answer);

/** Whether a value is bytes, or has members that are. */
const holdsBytes = (value: unknown): boolean =>
  ArrayBuffer.isView(value) ||
  (typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((member) => ArrayBuffer.isView(member)));

/** The answer to any command. */
export type AnyAnswer =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: Problem };

/** What the preload script gives the window as `window.longhand`. */
export interface Bridge {
  invoke<N extends CommandName>(name: N, input: CommandInput<N>): Promise<CommandAnswer<N>>;
  /** Listens to one event; the returned function stops that. */
  on<N extends EventName>(name: N, listener: (payload: Events[N]) => void): () => void;
  /** The path of a file that the user dropped or chose. */
  pathForFile(file: File): string;
}
