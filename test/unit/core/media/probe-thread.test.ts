import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { Mp4OutputFormat } from 'mediabunny';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ProbeThread } from '../../../../electron/core/media/probe-thread.ts';
import { systemClock } from '../../../../electron/core/system.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { repack } from '../../../support/speech/repacked.ts';
import { kennedy } from '../../../support/speech/speech-audio.ts';

const workerUrl = new URL('../../../../electron/core/media/probe-worker.ts', import.meta.url);

function openThread(url = workerUrl): ProbeThread {
  const thread = new ProbeThread(systemClock, url);
  onTestFinished(() => thread.close());
  return thread;
}

/** A thread that one recording keeps busy for ever, and another breaks. */
const badThread = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ request, path }) => {
      parentPort.postMessage({ kind: 'looking', request });
      if (path === 'endless') for (;;);
      if (path === 'breaking') throw new Error('broken');
      parentPort.postMessage({ kind: 'found', request, seconds: path.length });
    });`)}`,
);

describe('a thread that looks for lengths', () => {
  it('finds them, and tells nothing of what is no recording', async () => {
    const { lengthOf } = openThread();
    const [speech, nothing, again] = await Promise.all([
      lengthOf(kennedy.mp3),
      lengthOf(join(await testFolder(), 'nowhere.mp3')),
      lengthOf(kennedy.wav),
    ]);
    expect(speech).toBeCloseTo(kennedy.seconds, 0);
    expect(nothing).toBe(null);
    expect(again).toBeCloseTo(kennedy.seconds, 0);
  });

  it('gives up a recording that keeps it busy or breaks it, and goes on with the next', async () => {
    const { lengthOf } = openThread(badThread);
    const all = ['one', 'endless', 'two', 'breaking', 'three'].map(lengthOf);
    expect(await Promise.all(all)).toEqual([3, null, 3, null, 5]);
  });

  it('finds a length or none, wherever a recording was damaged', { timeout: 60_000 }, async () => {
    const { lengthOf } = openThread();
    const folder = await testFolder();
    const path = join(folder, 'speech.mp4');
    await repack(path, new Mp4OutputFormat({ fastStart: 'in-memory' }));
    const sound = {
      mp4: await readFile(path),
      wav: await readFile(kennedy.wav),
      mp3: await readFile(kennedy.mp3),
    };
    const broken = join(folder, 'broken');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('mp4' as const, 'wav' as const, 'mp3' as const),
        fc.array(fc.tuple(fc.nat({ max: 6000 }), fc.nat({ max: 255 })), { maxLength: 40 }),
        fc.nat({ max: 40_000 }),
        async (kind, damage, length) => {
          const content = Buffer.from(sound[kind].subarray(0, length));
          for (const [at, byte] of damage) if (at < content.length) content[at] = byte;
          await writeFile(broken, content);
          const seconds = await lengthOf(broken);
          expect(seconds === null || seconds > 0).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('tells nothing more once it is closed', async () => {
    const thread = openThread();
    await thread.close();
    expect(await thread.lengthOf(kennedy.mp3)).toBe(null);
  });
});
