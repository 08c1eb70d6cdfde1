import type { Bridge } from '../electron/contract/bridge.ts';
import type { CommandInput, CommandName, CommandResult } from '../electron/contract/commands.ts';
import { ProblemError } from '../electron/contract/problem.ts';

declare global {
  interface Window {
    /** Set by the preload script. */
    readonly longhand: Bridge;
  }
}

/**
 * Sends a command to the main process and waits for its answer.
 *
 * @throws ProblemError when the main process refuses it, with the reason.
 */
export type Invoke = <N extends CommandName>(name: N, input: CommandInput<N>) => Promise<CommandResult<N>>;

/** Returns an {@link Invoke} that uses a bridge. */
export function createInvoke(bridge: Bridge): Invoke {
  return async (name, input) => {
    const answer = await bridge.invoke(name, input);
    if (!answer.ok) throw new ProblemError(answer.problem);
    return answer.value;
  };
}
