import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { WindowUpdate } from '../../../../electron/on-device/engine/speech-engine.ts';
import { frameSamples, framesIn, type Frame } from '../../../../electron/on-device/engine/voice/frame.ts';
import { run, ScriptedModel, sentence } from './scripted-model.ts';

describe('a long silence', () => {
  const stateCount = 5000;
  const voiceSeconds = 4;

  /** A recording of silence, with a state of the detector for each second, and voice at its end. */
  async function* frames(states: WeakRef<Float32Array>[]): AsyncGenerator<Frame> {
    const silentFrames = 32 * stateCount;
    const samples = new Float32Array(frameSamples);
    for (let i = 0; i < silentFrames + framesIn(voiceSeconds); i++) {
      const frame = { samples, start: i * frameSamples, voiced: i >= silentFrames };
      if (i % 32 > 0) yield frame;
      else {
        const detectorState = Float32Array.of(i);
        states.push(new WeakRef(detectorState));
        yield { ...frame, detectorState };
      }
    }
  }

  it('does not fill the memory with states of the voice detector', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const states: WeakRef<Float32Array>[] = [];
    let keptStates = Infinity;
    const checkpoints: WindowUpdate['checkpoint'][] = [];
    await run(new ScriptedModel({ tokens: sentence }), 0, {
      voiceDetector: {
        async *frames() {
          yield* frames(states);
          await new Promise(setImmediate);
          collectGarbage();
          keptStates = states.filter((state) => state.deref() !== undefined).length;
        },
      },
      onWindow: ({ checkpoint }) => checkpoints.push(checkpoint),
    });
    expect(states.length).toBeGreaterThanOrEqual(stateCount);
    expect(keptStates).toBeLessThan(1200);
    const [checkpoint] = checkpoints;
    const neededSamples = (checkpoint?.atSamples ?? 0) - 10 * 16_000;
    expect(checkpoint?.voices.atSamples).toBeLessThanOrEqual(neededSamples);
    expect(checkpoint?.voices.atSamples).toBeGreaterThan(neededSamples - 60 * 16_000);
  });
});
