import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WorkerThread } from '../../../electron/core/worker-thread.ts';

type To = {
  readonly request: number;
  readonly kind: 'echo' | 'break' | 'exit' | 'wait';
  readonly words: string;
};
type From = { readonly request: number; readonly words: string };

/** A thread that runs what is at `workerUrl`. */
function threadAt(workerUrl: URL): WorkerThread<To, From> {
  const thread = new WorkerThread<To, From>({ workerUrl, name: 'echo' });
  onTestFinished(() => thread.close());
  return thread;
}

/** A thread that gives back what it is told, breaks down or falls silent. */
function openThread(): WorkerThread<To, From> {
  const source = `
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ request, kind, words }) => {
      if (kind === 'break') throw new Error(words);
      if (kind === 'exit') process.exit(3);
      if (kind === 'echo') parentPort.postMessage({ request, words });
    });`;
  return threadAt(new URL(`data:text/javascript,${encodeURIComponent(source)}`));
}

/** Says one thing and waits for what comes back. */
function ask(thread: WorkerThread<To, From>, kind: To['kind'], words = ''): Promise<string> {
  const answer = Promise.withResolvers<string>();
  const conversation = thread.converse({
    hear: (message) => answer.resolve(message.words),
    fail: answer.reject,
  });
  conversation.say({ kind, words });
  return answer.promise.finally(() => conversation.end());
}

describe('a thread', () => {
  it('answers each who asks', async () => {
    const thread = openThread();
    expect(await Promise.all(['one', 'two', 'three'].map((words) => ask(thread, 'echo', words)))).toEqual([
      'one',
      'two',
      'three',
    ]);
  });

  it.each([
    ['break', 'no memory'],
    ['exit', 'the echo thread has ended'],
  ] as const)('that ends by a %s tells all who wait, and the next start it anew', async (kind, reason) => {
    const thread = openThread();
    const asked = Promise.allSettled([
      ask(thread, 'wait'),
      ask(thread, kind, 'no memory'),
      ask(thread, 'wait'),
    ]);
    const told = (await asked).map((one) => (one.status === 'rejected' ? String(one.reason) : one.value));
    expect(told).toEqual([`Error: ${reason}`, `Error: ${reason}`, `Error: ${reason}`]);
    expect(await ask(thread, 'echo', 'again')).toBe('again');
  });

  it('that is ended in mid-work tells all who wait, and the next start it anew', async () => {
    const thread = openThread();
    const asked = Promise.allSettled([ask(thread, 'wait')]);
    await thread.restart();
    expect(await asked).toMatchObject([
      { status: 'rejected', reason: { message: 'the echo thread was ended' } },
    ]);
    expect(await ask(thread, 'echo', 'again')).toBe('again');
  });

  it('that is closed tells all who wait, and starts no more', async () => {
    const thread = openThread();
    const asked = Promise.allSettled([ask(thread, 'wait')]);
    await thread.close();
    expect(await asked).toMatchObject([
      { status: 'rejected', reason: { message: 'the echo thread is closed' } },
    ]);
    await expect(ask(thread, 'echo')).rejects.toThrow('the echo thread is closed');
  });

  it('that cannot be started tells so to whoever asks', async () => {
    const fail = vi.fn<(error: Error) => void>();
    // Node runs nothing that is not on this computer.
    const conversation = threadAt(new URL('https://example.com/')).converse({ hear: () => undefined, fail });
    conversation.say({ kind: 'echo', words: 'one' });
    conversation.end();
    expect(fail).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'ERR_INVALID_URL_SCHEME' }));
  });

  it('says nothing to somebody who no longer listens', async () => {
    const thread = openThread();
    const heard: string[] = [];
    const conversation = thread.converse({ hear: ({ words }) => heard.push(words), fail: () => undefined });
    conversation.say({ kind: 'echo', words: 'late' });
    conversation.end();
    await ask(thread, 'echo', 'next');
    expect(heard).toEqual([]);
  });
});
