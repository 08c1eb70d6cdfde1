import type { z } from 'zod';
import { channels, type AnyAnswer } from '../../contract/bridge.ts';
import { commands, type CommandName } from '../../contract/commands.ts';
import type { EventName, Events } from '../../contract/events.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import type { Logger } from '../../core/ports.ts';
import { storageProblem } from '../../core/storage-problem.ts';
import type { AnswerCommand } from './command-channel.ts';
import type { Handlers } from './handlers.ts';
import { isOwnFrame } from '../pages/pages.ts';

/** UTF-16 units of a foreign text that a refusal contains. */
const maxForeignLength = 200;

/**
 * Answers the commands of one window: checks the sender, parses the input, and returns problems as data. No other page
 * may send commands, least of all the one that decodes media.
 */
export function answerCommands(
  window: Electron.WebContents,
  handlers: Handlers<typeof commands>,
  logger: Logger,
): AnswerCommand {
  const callsInProgress = new Map<CommandName, number>();
  return async (event, name, input) => {
    const { sender, senderFrame } = event;
    const isWindow = sender === window && senderFrame === window.mainFrame && isOwnFrame(senderFrame);
    if (!isWindow) return refuse('a command came from a page that may not send any');
    if (!isCommandName(name)) return refuse(`there is no command ${excerpt(name)}`);
    const parsed = commands[name].input.safeParse(input);
    if (!parsed.success) return refuse(`${name}: ${firstIssue(parsed.error)}`, 'input_refused');
    const calls = callsInProgress.get(name) ?? 0;
    if (calls >= commands[name].maxConcurrentCalls)
      return refuse(`${name}: ${calls} calls of it are in progress`);
    callsInProgress.set(name, calls + 1);
    try {
      // The schema of `name` has just parsed it.
      const handle = handlers[name] as (input: unknown) => unknown;
      return { ok: true, value: await handle(parsed.data) };
    } catch (error) {
      const problem = storageProblem(error);
      if (problem.code === 'internal')
        logger.error('a command failed', { command: name, error: String(error) });
      return { ok: false, problem };
    } finally {
      callsInProgress.set(name, (callsInProgress.get(name) ?? 0) - 1);
    }
  };

  function refuse(detail: string, code: ProblemCode = 'internal'): AnyAnswer {
    logger.warn('a command was refused', { detail });
    return { ok: false, problem: { code, detail } };
  }
}

/** Sends an event to a window. */
export function sendEvent<N extends EventName>(
  contents: Electron.WebContents,
  name: N,
  payload: Events[N],
): void {
  if (!contents.isDestroyed()) contents.send(channels.event, name, JSON.stringify(payload));
}

/** Not the message of the error, which contains every issue: an input may have millions. */
function firstIssue({ issues: [issue] }: z.ZodError): string {
  return issue === undefined ? '' : `${issue.code} at "${excerpt(issue.path.join('.'))}"`;
}

const excerpt = (text: unknown): string =>
  typeof text === 'string' ? text.slice(0, maxForeignLength) : typeof text;

const isCommandName = (name: unknown): name is CommandName =>
  typeof name === 'string' && Object.hasOwn(commands, name);
