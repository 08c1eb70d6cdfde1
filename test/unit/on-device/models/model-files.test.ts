import { cp, mkdir, mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  modelFor,
  modelSizeBytes,
  ModelError,
  type ModelName,
  type ModelPart,
} from '../../../../electron/on-device/models/model-catalog.ts';
import { bundledModelFolder, readModelFile } from '../../../../electron/on-device/models/model-files.ts';
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
    await mkdir(dirname(bundledModelFolder(folder, 'tiny')), { recursive: true });
    await cp(bundledModelFolder(modelsFolder, 'tiny'), bundledModelFolder(folder, 'tiny'), {
      recursive: true,
    });
  });
  afterEach(() => rm(folder, { recursive: true }));

  const read = (model: ModelName, part: ModelPart): Promise<Uint8Array> =>
    readModelFile({ origin: 'bundled', model, folder: bundledModelFolder(folder, model) }, part);

  it('are read when they are published ones', async () => {
    let bytes = 0;
    for (const part of ['encoder', 'decoder', 'vocabulary', 'generation'] as const) {
      bytes += (await read('tiny', part)).length;
    }
    expect(bytes).toBe(modelSizeBytes('tiny'));
  });

  it.each([
    ['missing', (path: string) => rm(path), 'cannot be read'],
    ['truncated', (path: string) => truncate(path, 1000), 'has 1000 bytes instead of'],
  ])('are rejected when one is %s', async (_, spoil, message) => {
    await spoil(join(bundledModelFolder(folder, 'tiny'), 'vocab.json'));
    const reading = read('tiny', 'vocabulary');
    await expect(reading).rejects.toThrow(ModelError);
    await expect(reading).rejects.toThrow(message);
  });

  it('are rejected when the model is missing', async () => {
    await expect(read('small', 'encoder')).rejects.toThrow(ModelError);
  });
});
