import type { CommandAnswer, CommandInput, CommandName } from './commands.ts';
import type { EventName, Events } from './events.ts';

/** The two channels of the process boundary. */
export const channels = { command: 'longhand:command', event: 'longhand:event' } as const;

/** What the preload script gives the window as `window.longhand`. */
export interface Bridge {
  invoke<N extends CommandName>(name: N, input: CommandInput<N>): Promise<CommandAnswer<N>>;
  /** Listens to one event; the returned function ends it. */
  on<N extends EventName>(name: N, listener: (payload: Events[N]) => void): () => void;
  /** The path of a file that the user dropped or chose. */
  pathForFile(file: File): string;
}
