import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { Mp4OutputFormat } from 'mediabunny';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DurationProber, unknownDuration } from '../../../../electron/core/media/duration-prober.ts';
import { systemClock } from '../../../../electron/core/system.ts';
import { workerUrl } from '../../../../electron/workers/registry.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { repack } from '../../../support/speech/repacked.ts';
import { workerRunning } from '../../../support/worker-running.ts';
import { kennedy } from '../../../support/speech/speech-audio.ts';

function openProber(url = workerUrl('probe')): DurationProber {
  const prober = new DurationProber(systemClock, url);
  onTestFinished(() => prober.close());
  return prober;
}

const lengthsOf =
  ({ probe }: DurationProber) =>
  async (path: string): Promise<number | null> =>
    (await probe(path)).seconds;

/** A worker that one recording keeps busy forever, and another crashes. */
const badWorker = workerRunning(`
  duration(path, { report }) {
    report('started');
    if (path === 'endless') for (;;);
    if (path === 'crashing') process.exit(1);
    return { seconds: path.length, unmeasured: null };
  }`);

describe('a duration prober', () => {
  it('finds durations, and none of other files', async () => {
    const lengthOf = lengthsOf(openProber());
    const [speech, nothing, again] = await Promise.all([
      lengthOf(kennedy.mp3),
      lengthOf(join(await testFolder(), 'nowhere.mp3')),
      lengthOf(kennedy.wav),
    ]);
    expect(speech).toBeCloseTo(kennedy.seconds, 0);
    expect(nothing).toBe(null);
    expect(again).toBeCloseTo(kennedy.seconds, 0);
  });

  it('gives up a recording that takes too long or crashes the thread, and continues with the next', async () => {
    const lengthOf = lengthsOf(openProber(badWorker));
    const all = ['one', 'endless', 'two', 'crashing', 'three'].map(lengthOf);
    expect(await Promise.all(all)).toEqual([3, null, 3, null, 5]);
  });

  it('finds a duration or none, wherever a recording was damaged', async () => {
    const lengthOf = lengthsOf(openProber());
    const folder = await testFolder();
    const path = join(folder, 'speech.mp4');
    await repack(path, new Mp4OutputFormat({ fastStart: 'in-memory' }));
    const audio = {
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
          const content = Buffer.from(audio[kind].subarray(0, length));
          for (const [at, byte] of damage) if (at < content.length) content[at] = byte;
          await writeFile(broken, content);
          const seconds = await lengthOf(broken);
          expect(seconds === null || seconds > 0).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('finds nothing after it is closed', async () => {
    const prober = openProber();
    await prober.close();
    expect(await prober.probe(kennedy.mp3)).toStrictEqual(unknownDuration);
  });
});
