import { describe, expect, it } from 'vitest';
import { SampleQueue } from '../../../../../electron/on-device/engine/thread/sample-queue.ts';

const chunk = (value: number, length = 10): Float32Array => new Float32Array(length).fill(value);

describe('a queue of samples', () => {
  it('requests one chunk at a time until it holds enough', () => {
    let asked = 0;
    const queue = new SampleQueue(25, () => asked++);
    void queue[Symbol.asyncIterator]().next();
    expect(asked).toBe(1);
    queue.push(chunk(1));
    queue.push(chunk(2));
    expect(asked).toBe(3);
    queue.push(chunk(3));
    expect(asked).toBe(3);
  });

  it('requests nothing before it is read', () => {
    let asked = 0;
    const queue = new SampleQueue(25, () => asked++);
    expect(queue).toBeDefined();
    expect(asked).toBe(0);
  });

  it('yields all chunks in order until the end', async () => {
    let next = 0;
    const queue: SampleQueue = new SampleQueue(15, () => {
      next++;
      queueMicrotask(() => (next <= 5 ? queue.push(chunk(next)) : queue.end()));
    });
    const values: (number | undefined)[] = [];
    for await (const samples of queue) values.push(samples[0]);
    expect(values).toEqual([1, 2, 3, 4, 5]);
  });

  it('yields the chunks before an error, then throws it', async () => {
    const queue = new SampleQueue(10, () => undefined);
    queue.push(chunk(1));
    queue.fail(new Error('The file ends here.'));
    const heard: Float32Array[] = [];
    const listen = async (): Promise<void> => {
      for await (const samples of queue) heard.push(samples);
    };
    await expect(listen()).rejects.toThrow('The file ends here.');
    expect(heard.length).toBe(1);
  });

  it('resumes a waiting reader', async () => {
    const queue = new SampleQueue(10, () => undefined);
    const reader = queue[Symbol.asyncIterator]();
    const waiting = reader.next();
    queue.end();
    expect((await waiting).done).toBe(true);
  });
});
