import fc from 'fast-check';
import { createRequire } from 'node:module';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../../../../support/test-folder.ts';
import {
  AutomaticGain,
  VoiceDetector,
} from '../../../../../electron/on-device/engine/voice/voice-detector.ts';

const frame = (loudness: number): Float32Array => new Float32Array(512).fill(loudness);
const framesOf = (seconds: number): number => Math.round((seconds * 16_000) / 512);

describe('the gain', () => {
  it('leaves loud audio unchanged', () => {
    expect(new AutomaticGain().next(frame(0.8))).toBe(1);
  });

  it('amplifies quiet audio of either sign', () => {
    expect(new AutomaticGain().next(frame(-0.01))).toBeCloseTo(50);
  });

  it('has a limit, even in silence', () => {
    expect(new AutomaticGain().next(frame(0.0001))).toBe(100);
    expect(new AutomaticGain().next(frame(0))).toBe(100);
  });

  it('doubles every half second after loud audio', () => {
    const gain = new AutomaticGain();
    gain.next(frame(0.5));
    const gains = Array.from({ length: framesOf(2) }, () => gain.next(frame(0.001)));
    expect(gains[0]).toBeLessThan(1.1);
    expect(gains.at(framesOf(1) - 1)).toBeCloseTo(4, 0);
    expect(gains.at(framesOf(2) - 1)).toBeCloseTo(16, -1);
  });

  it('falls immediately at loud audio', () => {
    const gain = new AutomaticGain();
    gain.next(frame(0.001));
    expect(gain.next(frame(0.5))).toBe(1);
  });

  it('never amplifies beyond its target', () => {
    fc.assert(
      fc.property(fc.array(fc.float({ min: -1, max: 1, noNaN: true })), (levels) => {
        const gain = new AutomaticGain();
        for (const level of levels) {
          const factor = gain.next(frame(level));
          expect(factor).toBeGreaterThanOrEqual(1);
          expect(Math.abs(level) * factor).toBeLessThanOrEqual(Math.max(0.5, Math.abs(level)) + 1e-6);
        }
      }),
    );
  });
});

it('a model that is not the published one is not loaded', async () => {
  const path = createRequire(import.meta.url).resolve('@ricky0123/vad-web/dist/silero_vad_v5.onnx');
  const model = await readFile(path);
  model.writeUInt8((model.at(-1) ?? 0) ^ 1, model.length - 1);
  const changed = join(await testFolder(), 'model.onnx');
  await writeFile(changed, model);
  await expect(VoiceDetector.load(changed)).rejects.toMatchObject({ name: 'ModelError' });
});
