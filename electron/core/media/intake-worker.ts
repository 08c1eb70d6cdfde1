/** The thread that examines recordings: of a large folder the main process takes in what was found, and no more. */
import { performance } from 'node:perf_hooks';
import { parentPort } from 'node:worker_threads';
import { examineTogether } from './intake.ts';
import { toldAhead, type FromIntakeThread, type ToIntakeThread } from './intake-protocol.ts';
import { openQuickly } from './open-file.ts';
import { stepBack } from './step-back.ts';

interface Request {
  readonly stop: AbortController;
  /** How often it may tell what it has found. */
  credit: number;
  onCredit: () => void;
}

stepBack();

const requests = new Map<number, Request>();
const tell = (message: FromIntakeThread): void => parentPort?.postMessage(message);

async function examine({
  request,
  paths,
  links,
}: Extract<ToIntakeThread, { kind: 'examine' }>): Promise<void> {
  const stop = new AbortController();
  const state: Request = { stop, credit: toldAhead, onCredit: () => undefined };
  requests.set(request, state);
  try {
    const open = openQuickly(() => performance.now());
    for await (const examined of examineTogether(paths, links, stop.signal, open)) {
      while (state.credit === 0 && !stop.signal.aborted)
        await new Promise<void>((resolve) => (state.onCredit = resolve));
      stop.signal.throwIfAborted();
      state.credit -= 1;
      tell({ kind: 'found', request, examined });
      // What it is told meanwhile is heard between two files only.
      await new Promise((resolve) => setImmediate(resolve));
    }
    tell({ kind: 'done', request });
  } catch (error) {
    if (!stop.signal.aborted) tell({ kind: 'failed', request, message: String(error) });
  } finally {
    requests.delete(request);
  }
}

parentPort?.on('message', (message: ToIntakeThread) => {
  if (message.kind === 'examine') {
    void examine(message);
    return;
  }
  const state = requests.get(message.request);
  if (state === undefined) return;
  if (message.kind === 'more') state.credit += 1;
  else state.stop.abort();
  state.onCredit();
});
