import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inspectInBatches, type Found } from '../../../../electron/core/media/inspect-files.ts';
import { FileInspector } from '../../../../electron/core/media/file-inspector.ts';
import { workerUrl } from '../../../../electron/workers/registry.ts';
import { putRecording } from '../../../support/put-recording.ts';
import { workerRunning } from '../../../support/worker-running.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { silentWav } from '../../../support/speech/quick-speech.ts';

function openInspector(url = workerUrl('inspect')): FileInspector {
  const inspector = new FileInspector(url);
  onTestFinished(() => inspector.close());
  return inspector;
}

const never = new AbortController().signal;

async function all(found: AsyncIterable<readonly Found[]>): Promise<readonly Found[]> {
  const examined: Found[] = [];
  for await (const together of found) examined.push(...together);
  return examined;
}

/** A folder with `count` files, some of which are not recordings by name or content. */
async function folderOf(count: number): Promise<string> {
  const folder = join(await testFolder(), 'Season');
  await mkdir(folder);
  for (let number = 0; number < count; number += 1) {
    const recording = silentWav(1, 4096);
    recording.writeUInt32LE(number, 2048);
    await writeFile(join(folder, `episode ${number}.wav`), number % 50 === 7 ? 'some text' : recording);
  }
  await putRecording(join(folder, 'long', 'speech.mp3'));
  return folder;
}

describe('a file inspector', () => {
  it('finds exactly what is found without a thread, in the same order', async () => {
    const paths = [await folderOf(700), '/nowhere/at-all.mp3'];
    const links = ['https://a.example/1.mp3', 'no link'];
    const { inspect } = openInspector();

    const [found, again] = await Promise.all([
      all(inspect(paths, links, never)),
      all(inspect(paths, [], never)),
    ]);

    expect(found).toStrictEqual(await all(inspectInBatches(paths, links, never)));
    expect(found.filter(({ kind }) => kind === 'file')).toHaveLength(687);
    expect(again).toStrictEqual(found.slice(0, -links.length));
  });

  it('stops when it is aborted, and serves the next caller', async () => {
    const folder = await folderOf(700);
    const { inspect } = openInspector();
    const stop = new AbortController();
    const reason = new Error('enough');
    const seen: Found[] = [];
    const reading = (async () => {
      for await (const together of inspect([folder], [], stop.signal)) {
        seen.push(...together);
        stop.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(seen.length).toBeLessThan(700);
    expect(await all(inspect([], ['https://a.example/1.mp3'], never))).toHaveLength(1);
  });

  it('rejects when its thread crashes, and starts another', async () => {
    const { inspect } = openInspector(
      workerRunning(`inspect({ paths }) { if (paths[0] === 'crashing') process.exit(1); }`),
    );
    await expect(all(inspect(['crashing'], [], never))).rejects.toThrow('has ended');
    expect(await all(inspect(['fine'], [], never))).toStrictEqual([]);
  });

  it('rejects all inspections when it is closed', async () => {
    const inspector = openInspector(workerRunning('inspect: () => new Promise(() => {})'));
    const asked = Promise.allSettled([all(inspector.inspect(['a.mp3'], [], never))]);
    await inspector.close();
    expect(await asked).toMatchObject([
      { status: 'rejected', reason: { message: 'the inspect thread is closed' } },
    ]);
    await expect(all(inspector.inspect(['a.mp3'], [], never))).rejects.toThrow('closed');
  });
});
