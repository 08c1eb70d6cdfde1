import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { examineTogether, type Examined } from '../../../../electron/core/media/intake.ts';
import { IntakeThread } from '../../../../electron/core/media/intake-thread.ts';
import { putRecording } from '../../../support/recordings.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { speechlessWave } from '../../../support/speech/quick-speech.ts';

const workerUrl = new URL('../../../../electron/core/media/intake-worker.ts', import.meta.url);

function openThread(url = workerUrl): IntakeThread {
  const thread = new IntakeThread(url);
  onTestFinished(() => thread.close());
  return thread;
}

const threadOf = (source: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';${source}`)}`,
  );

const never = new AbortController().signal;

async function all(found: AsyncIterable<readonly Examined[]>): Promise<readonly Examined[]> {
  const examined: Examined[] = [];
  for await (const together of found) examined.push(...together);
  return examined;
}

/** A folder of so many recordings, some of whose names or contents are none. */
async function folderOf(count: number): Promise<string> {
  const folder = join(await testFolder(), 'Season');
  await mkdir(folder);
  for (let number = 0; number < count; number += 1) {
    const recording = speechlessWave(1, 4096);
    recording.writeUInt32LE(number, 2048);
    await writeFile(join(folder, `episode ${number}.wav`), number % 50 === 7 ? 'some text' : recording);
  }
  await putRecording(join(folder, 'long', 'speech.mp3'));
  return folder;
}

describe('a thread that examines recordings', () => {
  it('finds exactly what is found without it, in the same order', async () => {
    const paths = [await folderOf(700), '/nowhere/at-all.mp3'];
    const links = ['https://a.example/1.mp3', 'no link'];
    const { examine } = openThread();

    const [found, again] = await Promise.all([
      all(examine(paths, links, never)),
      all(examine(paths, [], never)),
    ]);

    expect(found).toStrictEqual(await all(examineTogether(paths, links, never)));
    expect(found.filter(({ kind }) => kind === 'file')).toHaveLength(687);
    expect(again).toStrictEqual(found.slice(0, -links.length));
  });

  it('stops when nobody wants to know any more, and serves the next', async () => {
    const folder = await folderOf(700);
    const { examine } = openThread();
    const stop = new AbortController();
    const reason = new Error('enough');
    const seen: Examined[] = [];
    const reading = (async () => {
      for await (const together of examine([folder], [], stop.signal)) {
        seen.push(...together);
        stop.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(seen.length).toBeLessThan(700);
    expect(await all(examine([], ['https://a.example/1.mp3'], never))).toHaveLength(1);
  });

  it('tells when it broke down, and begins anew', async () => {
    const { examine } = openThread(
      threadOf(`parentPort.on('message', ({ kind, request, paths }) => {
        if (kind !== 'examine') return;
        if (paths[0] === 'breaking') throw new Error('broken');
        parentPort.postMessage({ kind: 'done', request });
      });`),
    );
    await expect(all(examine(['breaking'], [], never))).rejects.toThrow('broken');
    expect(await all(examine(['fine'], [], never))).toStrictEqual([]);
  });

  it('ends with everything that it was asked', async () => {
    const thread = openThread(threadOf(`parentPort.on('message', () => {});`));
    const asked = Promise.allSettled([all(thread.examine(['a.mp3'], [], never))]);
    await thread.close();
    expect(await asked).toMatchObject([
      { status: 'rejected', reason: { message: 'the intake thread is closed' } },
    ]);
    await expect(all(thread.examine(['a.mp3'], [], never))).rejects.toThrow('closed');
  });
});
