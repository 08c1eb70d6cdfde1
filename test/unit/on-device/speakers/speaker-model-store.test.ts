import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  SpeakerModelStore,
  type SpeakerModelStoreOptions,
} from '../../../../electron/on-device/speakers/speaker-model-store.ts';
import {
  type PublishedSpeakerFile,
  speakerModelFiles,
  type SpeakerModelPart,
  speakerModelParts,
} from '../../../../electron/on-device/speakers/speaker-models.ts';
import { systemClock } from '../../../../electron/core/system.ts';
import { OwnFolderInspector } from '../../../../electron/on-device/models/own-folder-inspector.ts';
import { workerUrl } from '../../../../electron/workers/registry.ts';
import { eagerClock } from '../../../support/clocks/eager-clock.ts';
import { type Behaviour, FileServer } from '../../../support/servers/file-server.ts';
import { writeStandInModels } from '../../../support/speech/stand-in-speaker-models.ts';
import { testFolder } from '../../../support/test-folder.ts';

let folder: string;
let server: FileServer;
let behave: (path: string) => Behaviour;
let files: Readonly<Record<SpeakerModelPart, PublishedSpeakerFile>>;

/** A server with the stand-in models at the published paths, of which the store expects the digests. */
beforeEach(async () => {
  folder = await testFolder();
  behave = () => ({});
  const source = await writeStandInModels(join(folder, 'source'));
  const all = speakerModelParts.map(async (part) => {
    const file = speakerModelFiles[part];
    const bytes = await readFile(join(source, file.path));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { part, bytes, file: { ...file, sizeBytes: bytes.length, sha256 } };
  });
  const published = await Promise.all(all);
  files = Object.fromEntries(published.map(({ part, file }) => [part, file])) as typeof files;
  const served = published.map(({ file, bytes }) => [new URL(file.url).pathname, bytes] as const);
  server = await FileServer.start(Object.fromEntries(served), (path) => behave(path));
  onTestFinished(() => server.stop());
});

const open = (more: Partial<SpeakerModelStoreOptions> = {}): SpeakerModelStore =>
  new SpeakerModelStore({
    downloadFolder: join(folder, 'kept'),
    mirrors: [server.origin],
    clock: eagerClock,
    ownFolders: new OwnFolderInspector(systemClock, workerUrl('own-folder')),
    files,
    ...more,
  });

const idle = new AbortController().signal;
const total = (): number => Object.values(files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

describe('the models that tell voices apart', () => {
  it('are described with size, licence and origin before they are downloaded', async () => {
    const { isReady, parts, keptBytes } = await open({ files: speakerModelFiles }).describe();
    expect({ isReady, keptBytes }).toEqual({ isReady: false, keptBytes: 0 });
    expect(parts.map(({ licence, origin, sizeBytes }) => [licence, origin, sizeBytes])).toEqual([
      ['CC-BY-4.0', 'github.com/k2-fsa/sherpa-onnx', 26_530_550],
      ['MIT', 'huggingface.co/csukuangfj/sherpa-onnx-pyannote-segmentation-3-0', 5_992_913],
      ['CC-BY-4.0', 'raw.githubusercontent.com/kaixxx/noScribe', 134_376],
      ['CC-BY-4.0', 'raw.githubusercontent.com/kaixxx/noScribe', 133_852],
    ]);
  });

  it('can be used after the download, and not after their deletion', async () => {
    const store = open();
    const reported: number[] = [];
    await store.download((bytes) => reported.push(bytes), idle);
    expect(reported.at(-1)).toBe(total());
    expect(reported).toEqual(reported.toSorted((a, b) => a - b));
    expect(await store.describe()).toMatchObject({ isReady: true, ownFolder: null, keptBytes: total() });
    expect(store.locate()).toEqual({ folder: join(folder, 'kept/speakers'), isOwn: false });
    await store.remove();
    expect(store.locate()).toBeNull();
  });

  it('keep their bytes when the download is stopped, and resume', async () => {
    const big = basename(new URL(files.segmentation.url).pathname);
    behave = (path) => (path.endsWith(big) ? { stallAfter: 10_000 } : {});
    const store = open();
    const abort = new AbortController();
    const reason = new Error('Stopped.');
    const download = store.download(() => undefined, abort.signal);
    await expect.poll(() => server.requests.some(({ path }) => path.endsWith(big))).toBe(true);
    abort.abort(reason);
    await expect(download).rejects.toBe(reason);
    expect(store.locate()).toBeNull();
    behave = () => ({});
    await open().download(() => undefined, idle);
    expect(open().locate()).not.toBeNull();
  });

  it('are discarded when they are not the published ones', async () => {
    behave = (path) => (path.endsWith('plda.npz') ? { content: new Uint8Array(files.plda.sizeBytes) } : {});
    const store = open();
    await expect(store.download(() => undefined, idle)).rejects.toMatchObject({
      problem: { code: 'model_damaged' },
    });
    expect(await store.describe()).toMatchObject({ isReady: false });
  });

  it('report servers that do not respond', async () => {
    behave = () => ({ status: 404 });
    await expect(open().download(() => undefined, idle)).rejects.toMatchObject({
      problem: { code: 'model_unreachable' },
    });
  });

  it('can be in a folder of the user, even after a restart', async () => {
    const own = await writeStandInModels(join(folder, 'mine'));
    await open().useFolder(own);
    expect(await open().describe()).toMatchObject({ isReady: true, ownFolder: 'mine' });
    expect(open().locate()).toEqual({ folder: own, isOwn: true });
    await rm(join(own, 'plda.npz'));
    expect(await open().describe()).toMatchObject({ isReady: false, ownFolder: 'mine' });
    await open().forgetFolder();
    expect(open().locate()).toBeNull();
  });

  it('are refused in a folder that lacks a file', async () => {
    const own = await writeStandInModels(join(folder, 'mine'), { plda: null });
    await expect(open().useFolder(own)).rejects.toMatchObject({
      problem: { code: 'model_folder_incomplete', detail: 'missing: plda.npz' },
    });
    expect(await open().describe()).toMatchObject({ ownFolder: null });
  });
});
