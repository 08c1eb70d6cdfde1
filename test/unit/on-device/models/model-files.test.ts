import { cp, mkdir, mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  modelSizeBytes,
  ModelError,
  type ModelId,
  type ModelPart,
  modelsFor,
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
    expect(modelsFor({ accuracy, translateToEnglish, language: 'auto' })[0]).toBe(model);
  });

  it.each([
    ['transcribes', false, 'auto', ['large-v3-turbo']],
    ['cannot translate', true, 'auto', ['small', 'base']],
    ['detects a language that nobody knows', false, 'zz', ['large-v3-turbo']],
  ] as const)('a chosen model %s', (_, translateToEnglish, language, models) => {
    const demand = { accuracy: 'accurate', translateToEnglish, language } as const;
    expect(modelsFor(demand, { accurate: 'large-v3-turbo' })).toEqual(models);
  });

  it('is another one only where the chosen one does not know the language', () => {
    const choices = { balanced: 'parakeet-v3' } as const;
    const demand = { accuracy: 'balanced', translateToEnglish: false } as const;
    expect(modelsFor({ ...demand, language: 'de' }, choices)).toEqual(['parakeet-v3']);
    expect(modelsFor({ ...demand, language: 'ja' }, choices)).toEqual(['base', 'small', 'tiny']);
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

  const read = (model: ModelId, part: ModelPart): Promise<Uint8Array> =>
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
