import { useEffect, useState } from 'react';
import type { CommandInput, CommandName, CommandResult } from '../electron/contract/commands.ts';
import type { Problem } from '../electron/contract/problem.ts';
import { asProblem } from './notices.ts';
import { useStore } from './use-store.ts';

/** Milliseconds without a change of the input before a command is sent. */
const debounceMs = 200;

/** The response to a command for an input that changes. */
export interface DebouncedResponse<N extends CommandName> {
  /** The latest result, perhaps for an earlier input; `null` before the first one, and after an error. */
  readonly result: CommandResult<N> | null;
  /** Why the latest command failed. */
  readonly problem: Problem | null;
  /** Whether the response to the current input has not arrived. */
  readonly isPending: boolean;
}

/**
 * Sends a command with the latest of its inputs, when that has not changed for a moment.
 *
 * @param input `null`: nothing is sent. A new object counts as a new input, so memoize it.
 * @param onError called with each error; must be a stable function
 */
export function useDebouncedCommand<N extends CommandName>(
  name: N,
  input: CommandInput<N> | null,
  onError?: (error: unknown) => void,
): DebouncedResponse<N> {
  const { invoke } = useStore();
  const [response, setResponse] = useState<{
    readonly input: CommandInput<N> | null;
    readonly result: CommandResult<N> | null;
    readonly problem: Problem | null;
  }>({ input: null, result: null, problem: null });
  useEffect(() => {
    if (input === null) return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      invoke(name, input)
        .then((result) => isCurrent && setResponse({ input, result, problem: null }))
        .catch((error: unknown) => {
          if (!isCurrent) return;
          setResponse({ input, result: null, problem: asProblem(error) });
          onError?.(error);
        });
    }, debounceMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [invoke, name, input, onError]);
  const { result, problem } = response;
  return { result, problem, isPending: input !== null && response.input !== input };
}
