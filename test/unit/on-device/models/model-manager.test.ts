import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Accuracy } from '../../../../electron/contract/choices.ts';
import type { ModelCheck, SpeechModelView } from '../../../../electron/contract/speech-models.ts';
import {
  modelCatalog,
  type ModelPart,
  modelSizeBytes,
  publishedFilesOf,
} from '../../../../electron/on-device/models/model-catalog.ts';
import { modelMirrors, publicMirrors } from '../../../../electron/on-device/models/model-download.ts';
import {
  bundledModelFolder,
  findModel,
  locateModel,
  readModelFile,
} from '../../../../electron/on-device/models/model-files.ts';
import {
  ModelManager,
  type ModelManagerOptions,
} from '../../../../electron/on-device/models/model-manager.ts';
import { OwnFolderInspector } from '../../../../electron/on-device/models/own-folder-inspector.ts';
import { systemClock } from '../../../../electron/core/system.ts';
import { workerUrl } from '../../../../electron/workers/registry.ts';
import { eagerClock } from '../../../support/clocks/eager-clock.ts';
import type { Clock } from '../../../../electron/core/ports.ts';
import { quietLogger } from '../../../support/core.ts';
import { FileServer, type Behaviour } from '../../../support/servers/file-server.ts';
import { modelsFolder } from '../../../support/speech/speech-audio.ts';

const tiny = bundledModelFolder(modelsFolder, 'tiny');

let folder: string;
let server: FileServer;
let behave: (path: string, request: number) => Behaviour;
let models: ModelManager;

function manager(more: Partial<ModelManagerOptions> = {}): ModelManager {
  return new ModelManager({
    bundledFolder: join(folder, 'bundled'),
    downloadFolder: join(folder, 'kept'),
    mirrors: [server.origin],
    clock: eagerClock,
    logger: quietLogger,
    access: 'write',
    ownFolders: new OwnFolderInspector(systemClock, workerUrl('own-folder')),
    ...more,
  });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhand-models-'));
  behave = () => ({});
  const { repository, revision } = modelCatalog.tiny;
  const files = publishedFilesOf('tiny').map(
    async ({ path }) =>
      [`/${repository}/resolve/${revision}/${path}`, await readFile(join(tiny, path))] as const,
  );
  server = await FileServer.start(Object.fromEntries(await Promise.all(files)), (path, n) => behave(path, n));
  models = manager();
});
afterEach(async () => {
  await models.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const sizeOfPart = (part: ModelPart): number => modelCatalog.tiny.files[part]?.sizeBytes ?? 0;

const fast = async (): Promise<SpeechModelView | undefined> => (await models.list())[0];

/** A folder of the user with the tiny model in it. */
async function ownFolder(): Promise<string> {
  const own = join(folder, 'my-whisper');
  await cp(tiny, own, { recursive: true });
  return own;
}

describe('a download', () => {
  test('makes the model available to the engine', async () => {
    expect(await fast()).toMatchObject({ name: 'Whisper tiny', state: { kind: 'absent', keptBytes: 0 } });
    const reported: string[] = [];
    models.onChange(([first]) => reported.push(first?.state.kind ?? ''));
    await models.download('fast');
    expect(await fast()).toMatchObject({ state: { kind: 'ready', origin: 'downloaded' } });
    expect([...new Set(reported)]).toEqual(['downloading', 'ready']);
    const folders = { bundledFolder: join(folder, 'bundled'), downloadFolder: join(folder, 'kept') };
    const source = locateModel(folders, 'tiny');
    expect(source?.origin).toBe('downloaded');
    const bytes = source === null ? null : await readModelFile(source, 'encoder');
    expect(bytes?.length).toBe(modelCatalog.tiny.files.encoder?.sizeBytes);
  });

  test('requested twice concurrently runs once', async () => {
    await Promise.all([models.download('fast'), models.download('fast')]);
    expect(server.requests).toHaveLength(4);
    await models.download('fast');
    expect(server.requests).toHaveLength(4);
  });

  test('keeps its bytes when stopped, and resumes after a restart', async () => {
    behave = (path) => (path.endsWith('encoder_model_quantized.onnx') ? { stallAfter: 5_000_000 } : {});
    const download = models.download('fast');
    await expect
      .poll(async () => (await fast())?.state)
      .toMatchObject({
        kind: 'downloading',
        doneBytes: expect.toSatisfy((bytes: number) => bytes > 6_000_000),
      });
    await models.stopDownload('fast');
    await download;
    const kept = 5_000_000 + sizeOfPart('vocabulary') + sizeOfPart('generation');
    expect(await fast()).toMatchObject({ state: { kind: 'absent', keptBytes: kept } });

    models = manager();
    behave = () => ({});
    expect(await fast()).toMatchObject({ state: { kind: 'absent', keptBytes: kept } });
    const before = server.requests.length;
    await models.download('fast');
    expect(await fast()).toMatchObject({ state: { kind: 'ready' } });
    expect(server.requests.slice(before).map(({ from }) => from)).toEqual([5_000_000, 0]);
  });

  test('without a reachable mirror reports that, keeps its bytes and can be retried', async () => {
    models = manager({ mirrors: ['http://127.0.0.1:9', 'http://127.0.0.1:10'] });
    await models.download('fast');
    expect(await fast()).toMatchObject({
      state: { kind: 'failed', problem: { code: 'model_unreachable' }, keptBytes: 0 },
    });
    models = manager({ mirrors: ['http://127.0.0.1:9', server.origin] });
    await models.download('fast');
    expect(await fast()).toMatchObject({ state: { kind: 'ready' } });
  });

  test('stays with the mirror that had the first file', async () => {
    const empty = await FileServer.start({});
    models = manager({ mirrors: [empty.origin, server.origin] });
    await models.download('fast');
    await empty.stop();
    expect([empty.requests.length, server.requests.length]).toEqual([1, 4]);
  });

  test('of wrong content is rejected', async () => {
    behave = (path) => (path.endsWith('.json') ? { content: Buffer.from('{}') } : {});
    await models.download('fast');
    expect(await fast()).toMatchObject({ state: { kind: 'failed', problem: { code: 'model_damaged' } } });
  });

  test('without enough free space does not start', async () => {
    models = manager({ freeBytes: async () => modelSizeBytes('tiny') });
    await models.download('fast');
    expect(await fast()).toMatchObject({ state: { kind: 'failed', problem: { code: 'disk_full' } } });
    expect(server.requests).toEqual([]);
  });

  test('can be removed', async () => {
    await models.download('fast');
    await models.remove('fast');
    expect(await fast()).toMatchObject({ state: { kind: 'absent', keptBytes: 0 } });
  });
});

const heard = (change: Partial<ModelCheck> = {}): ModelCheck => ({
  passed: true,
  said: 'ask not',
  heard: 'ask not',
  errorRate: 0,
  timesRealTime: 3.5,
  failure: null,
  ...change,
});
const passing = async (): Promise<ModelCheck> => heard();
const failing = async (): Promise<ModelCheck> => heard({ passed: false, heard: 'a', errorRate: 1 });
const modelFor = (accuracy: Accuracy, translateToEnglish = false) =>
  findModel(
    { bundledFolder: join(folder, 'bundled'), downloadFolder: join(folder, 'kept') },
    { accuracy, translateToEnglish, language: 'auto' },
  );
const tinyOption = async () => (await models.options()).options.find(({ id }) => id === 'tiny');
const unable = (): Promise<ModelCheck> => Promise.reject(new Error('the service is not running'));

describe('a chosen model', () => {
  test('is downloaded, checked and then used, even after a restart', async () => {
    expect(await models.use('accurate', 'tiny', passing)).toBe(true);
    expect((await models.list())[2]).toMatchObject({
      id: 'tiny',
      name: 'Whisper tiny',
      speed: { timesRealTime: 3.5, source: 'sample' },
    });
    expect(modelFor('accurate')).toMatchObject({ model: 'tiny', source: { origin: 'downloaded' } });
    models = manager();
    expect((await models.list())[2]).toMatchObject({ id: 'tiny' });
    expect(await tinyOption()).toMatchObject({ check: { passed: true }, isMeasured: true });
    // It is not checked again.
    expect(await models.use('balanced', 'tiny', failing)).toBe(true);
  });

  test('that fails its check is not used, until it passes', async () => {
    expect(await models.use('accurate', 'tiny', failing)).toBe(false);
    expect((await models.list())[2]).toMatchObject({ id: 'small' });
    expect(await tinyOption()).toMatchObject({ check: { passed: false, heard: 'a' } });
    // Nor where it is the default one.
    expect(modelFor('fast')).toMatchObject({ model: 'tiny', source: null });
    expect(await models.use('accurate', 'tiny', passing)).toBe(true);
    expect(modelFor('fast')).toMatchObject({ source: { origin: 'downloaded' } });
  });

  test('is used for each accuracy that chooses it while it is checked', async () => {
    const checked = Promise.withResolvers<ModelCheck>();
    const first = models.use('accurate', 'tiny', () => checked.promise);
    await expect.poll(async () => (await tinyOption())?.checking).toBe(true);
    const second = models.use('balanced', 'tiny', failing);
    checked.resolve(heard());
    expect(await Promise.all([first, second])).toEqual([true, true]);
    expect((await models.list()).map(({ id }) => id)).toEqual(['tiny', 'tiny', 'tiny']);
    expect(await tinyOption()).toMatchObject({ checking: false });
  });

  test('that could not be checked is not used', async () => {
    expect(await models.use('accurate', 'tiny', unable)).toBe(false);
    expect((await models.list())[2]).toMatchObject({ id: 'small' });
    expect(await models.use('accurate', 'tiny', passing)).toBe(true);
  });

  test('is not used when its download is stopped, or another one is chosen meanwhile', async () => {
    behave = () => ({ stallAfter: 1000 });
    const using = models.use('accurate', 'tiny', passing);
    await expect.poll(async () => (await tinyOption())?.state.kind).toBe('downloading');
    await models.stopDownload('accurate', 'tiny');
    expect(await using).toBe(false);
    expect((await models.list())[2]).toMatchObject({ id: 'small' });
  });

  test('can be removed, and its default takes its place', async () => {
    await models.use('accurate', 'tiny', passing);
    await models.remove('accurate');
    expect((await models.list())[2]).toMatchObject({ id: 'small' });
    expect(await tinyOption()).toMatchObject({ state: { kind: 'absent', keptBytes: 0 }, check: null });
  });

  test('is not recorded by a program that only lists the models', async () => {
    const before = await models.list();
    await rm(join(folder, 'kept', 'models.json'));
    const reader = manager({ access: 'read' });
    expect(await reader.list()).toEqual(before);
    await reader.close();
    await expect(readFile(join(folder, 'kept', 'models.json'))).rejects.toThrow('ENOENT');
  });

  test('stays when a later version has other defaults, and is replaced by a folder of the user', async () => {
    await models.list();
    const records = JSON.parse(await readFile(join(folder, 'kept', 'models.json'), 'utf8'));
    expect(records.choices).toEqual({ fast: 'tiny', balanced: 'base', accurate: 'small' });
    await models.use('accurate', 'tiny', passing);
    await models.useFolder('accurate', await ownFolder());
    expect((await models.list())[2]).toMatchObject({ id: 'small', ownFolder: 'my-whisper' });
    await models.use('accurate', 'tiny', passing);
    expect((await models.list())[2]).toMatchObject({ id: 'tiny', ownFolder: null });
  });
});

describe('a folder of the user', () => {
  test('replaces the model, even after a restart, until it is removed', async () => {
    const own = await ownFolder();
    await models.useFolder('accurate', own);
    const shown = {
      name: 'Whisper tiny',
      ownFolder: 'my-whisper',
      sizeBytes: modelSizeBytes('tiny'),
      state: { kind: 'ready', origin: 'own' },
    };
    expect((await models.list())[2]).toMatchObject(shown);
    models = manager();
    expect((await models.list())[2]).toMatchObject(shown);
    await models.forgetFolder('accurate');
    expect((await models.list())[2]).toMatchObject({ name: 'Whisper small', ownFolder: null });
  });

  test.each([
    ['nothing in it', async (own: string) => rm(join(own, 'config.json')), 'model_folder_empty'],
    ['a file missing', async (own: string) => rm(join(own, 'vocab.json')), 'model_folder_incomplete'],
    [
      'another kind of model',
      async (own: string) => writeFile(join(own, 'config.json'), config({ model_type: 'bert' })),
      'model_folder_empty',
    ],
    [
      'the bands of large-v3 and the tokens of other models',
      async (own: string) => writeFile(join(own, 'config.json'), config({ num_mel_bins: 128 })),
      'model_folder_unsuitable',
    ],
    [
      'a broken config',
      async (own: string) => writeFile(join(own, 'config.json'), '{'),
      'model_folder_empty',
    ],
  ])('with %s is rejected with the reason', async (_, spoil, code) => {
    const own = await ownFolder();
    await spoil(own);
    await expect(models.useFolder('accurate', own)).rejects.toMatchObject({
      problem: { code, params: { folder: 'my-whisper' } },
    });
    expect((await models.list())[2]).toMatchObject({ ownFolder: null });
  });

  test('with fewer decoder than encoder layers, as in turbo models, does not translate', async () => {
    const own = await ownFolder();
    await models.useFolder('accurate', own);
    expect(modelFor('accurate', true)).toMatchObject({ model: 'small', source: { origin: 'own' } });
    await writeFile(join(own, 'config.json'), config({ encoder_layers: 32, decoder_layers: 4 }));
    expect((await models.list())[2]).toMatchObject({ translatesWith: 'Whisper base' });
    expect(modelFor('accurate', true)).toMatchObject({ model: 'base' });
    expect(modelFor('accurate')).toMatchObject({ model: 'small', source: { origin: 'own' } });
    // Nor while its drive is disconnected.
    await rm(own, { recursive: true });
    expect((await models.list())[2]).toMatchObject({ translatesWith: 'Whisper base' });
    await cp(tiny, own, { recursive: true });
    expect((await models.list())[2]).toMatchObject({ translatesWith: null });
    expect(modelFor('accurate', true)).toMatchObject({ model: 'small' });
  });

  test.skipIf(process.platform === 'win32')('with a pipe for its configuration blocks nothing', async () => {
    const own = await ownFolder();
    await models.useFolder('fast', own);
    await rm(join(own, 'config.json'));
    execFileSync('mkfifo', [join(own, 'config.json')]);
    expect(await fast()).toMatchObject({
      state: { kind: 'unusable', problem: { code: 'model_folder_empty' } },
    });
    await expect(models.useFolder('balanced', own)).rejects.toMatchObject({
      problem: { code: 'model_folder_empty' },
    });
  });

  test('on a drive that does not respond is unusable, until it responds', async () => {
    await models.useFolder('fast', await ownFolder());
    const impatientClock: Clock = {
      now: () => 0,
      schedule: (_delayMs, callback) => {
        callback();
        return () => undefined;
      },
    };
    models = manager({ ownFolders: new OwnFolderInspector(impatientClock, workerUrl('own-folder')) });
    const states: (string | undefined)[] = [];
    models.onChange(([first]) => states.push(first?.state.kind));
    expect(await fast()).toMatchObject({
      state: { kind: 'unusable', problem: { code: 'model_folder_unreachable' } },
      ownFolder: 'my-whisper',
    });
    await expect(models.useFolder('balanced', await ownFolder())).rejects.toMatchObject({
      problem: { code: 'model_folder_unreachable' },
    });
    await expect.poll(() => states.at(-1)).toBe('ready');
  });

  test('is reported as missing, and is used again when its drive is back', async () => {
    const own = await ownFolder();
    await models.useFolder('fast', own);
    await rm(join(own, 'config.json'));
    expect(await fast()).toMatchObject({
      state: { kind: 'unusable', problem: { code: 'model_folder_empty' } },
      name: 'my-whisper',
    });
    await cp(tiny, own, { recursive: true });
    expect(await fast()).toMatchObject({ state: { kind: 'ready', origin: 'own' } });
  });
});

describe('speeds', () => {
  test('are stored for each model', async () => {
    await models.recordSpeed({ speedKey: 'tiny', timesRealTime: 20 }, 'recordings');
    const own = await ownFolder();
    await models.useFolder('fast', own);
    expect(await fast()).toMatchObject({ speed: null });
    await models.measure('fast', async () => ({ speedKey: own, timesRealTime: 12.5 }));
    expect(await fast()).toMatchObject({
      speed: { timesRealTime: 12.5, source: 'sample' },
      measuring: false,
    });
    models = manager();
    expect(await fast()).toMatchObject({ speed: { timesRealTime: 12.5, source: 'sample' } });
    await models.forgetFolder('fast');
    expect(await fast()).toMatchObject({ speed: { timesRealTime: 20, source: 'recordings' } });
  });

  test('are at least those of models that take more work, whatever slowed a measurement', async () => {
    const measured = Object.entries({ tiny: 4, base: 15, small: 9 });
    for (const [speedKey, timesRealTime] of measured)
      await models.recordSpeed({ speedKey, timesRealTime }, 'sample');
    expect((await models.list()).map(({ speed }) => speed?.timesRealTime)).toEqual([15, 15, 9]);
  });

  test('belong to the model that was measured, even if another one is chosen meanwhile', async () => {
    await models.measure('fast', async () => {
      await models.useFolder('fast', await ownFolder());
      return { speedKey: 'tiny', timesRealTime: 12.5 };
    });
    expect(await fast()).toMatchObject({ ownFolder: 'my-whisper', speed: null });
    await models.forgetFolder('fast');
    expect(await fast()).toMatchObject({ speed: { timesRealTime: 12.5, source: 'sample' } });
  });

  test('are not stored when the measurement fails', async () => {
    const failing = models.measure('fast', () => Promise.reject(new Error('busy')));
    await expect(failing).rejects.toThrow('busy');
    expect(await fast()).toMatchObject({ speed: null, measuring: false });
  });

  test('in an unreadable file are replaced', async () => {
    await mkdir(join(folder, 'kept'), { recursive: true });
    await writeFile(join(folder, 'kept', 'models.json'), '{"speeds": {"tiny": "quick"');
    models = manager();
    await models.recordSpeed({ speedKey: 'tiny', timesRealTime: 20 }, 'recordings');
    expect(await fast()).toMatchObject({ speed: { timesRealTime: 20, source: 'recordings' } });
  });
});

test('a bundled model is preferred to a downloaded one, unless it is damaged', async () => {
  await models.download('fast');
  const bundled = bundledModelFolder(join(folder, 'bundled'), 'tiny');
  await mkdir(dirname(bundled), { recursive: true });
  await cp(tiny, bundled, { recursive: true });
  expect(await fast()).toMatchObject({ state: { origin: 'bundled' } });
  await writeFile(join(bundled, 'vocab.json'), '{}');
  expect(await fast()).toMatchObject({ state: { origin: 'downloaded' } });
});

test('the user can configure other mirrors', () => {
  expect(modelMirrors(undefined)).toEqual(publicMirrors);
  expect(modelMirrors(' , ftp://x, nonsense')).toEqual(publicMirrors);
  expect(modelMirrors('https://models.example.com/, http://10.0.0.1:8080')).toEqual([
    'https://models.example.com',
    'http://10.0.0.1:8080',
  ]);
});

const config = (change: object): string =>
  JSON.stringify({ model_type: 'whisper', num_mel_bins: 80, vocab_size: 51_865, ...change });
