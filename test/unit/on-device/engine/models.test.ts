import { cp, mkdir, mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ModelError } from '../../../../electron/on-device/engine/engine.ts';
import {
  modelFolder,
  modelFor,
  modelSizeBytes,
  readModelPart,
} from '../../../../electron/on-device/engine/models.ts';
import { coresToUse } from '../../../../electron/on-device/engine/thread/worker-engine.ts';
import { modelsFolder } from '../../../support/speech/speech-audio.ts';

describe('the model for a request', () => {
  it.each([
    ['fast', false, 'tiny'],
    ['balanced', false, 'base'],
    ['accurate', false, 'small'],
    ['fast', true, 'base'],
    ['balanced', true, 'base'],
    ['accurate', true, 'small'],
  ] as const)('%s, translated: %s', (accuracy, translateToEnglish, model) => {
    expect(modelFor({ accuracy, translateToEnglish })).toBe(model);
  });
});

describe("a model's files", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'longhand-models-'));
    await mkdir(dirname(modelFolder(folder, 'tiny')), { recursive: true });
    await cp(modelFolder(modelsFolder, 'tiny'), modelFolder(folder, 'tiny'), { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('are read when they are the published ones', async () => {
    let bytes = 0;
    for (const part of ['encoder', 'decoder', 'vocabulary', 'generation'] as const) {
      bytes += (await readModelPart(folder, 'tiny', part)).length;
    }
    expect(bytes).toBe(modelSizeBytes('tiny'));
  });

  it.each([
    ['missing', (path: string) => rm(path), 'cannot be read'],
    ['cut off', (path: string) => truncate(path, 1000), 'has 1000 bytes instead of'],
  ])('are refused when one is %s', async (_, spoil, message) => {
    await spoil(join(modelFolder(folder, 'tiny'), 'vocab.json'));
    const reading = readModelPart(folder, 'tiny', 'vocabulary');
    await expect(reading).rejects.toThrow(ModelError);
    await expect(reading).rejects.toThrow(message);
  });

  it('are refused when the model is not there at all', async () => {
    await expect(readModelPart(folder, 'small', 'encoder')).rejects.toThrow(ModelError);
  });
});

it.each([
  [1, 1],
  [2, 2],
  [4, 3],
  [8, 7],
  [64, 8],
])('of %i cores it uses %i', (cores, used) => {
  expect(coresToUse(cores)).toBe(used);
});
