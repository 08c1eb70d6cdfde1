import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { TranscriptId } from '../../electron/contract/identifiers.ts';
import type { Diarize } from '../../electron/core/library/speaker-identification.ts';
import type { Longhand } from '../../electron/core/longhand.ts';
import { CancelledError } from '../../electron/workers/protocol.ts';
import { openCore } from '../support/core.ts';
import { testFolder } from '../support/test-folder.ts';
import { newLink, openStore } from '../unit/core/store/store-kit.ts';

interface Kit {
  readonly longhand: Longhand;
  readonly ids: readonly TranscriptId[];
  /** Resolves once the speakers of a transcript are being identified. */
  readonly identifying: Promise<void>;
  readonly texts: () => Promise<readonly string[]>;
}

/** The core on transcripts with an auto export, which wait for their speakers. Identifying them never ends on its own. */
async function kit(...names: readonly string[]): Promise<Kit> {
  const folder = await testFolder();
  const texts = join(folder, 'texts');
  const recording = join(folder, 'talk.wav');
  await writeFile(recording, 'talk');
  const store = openStore(join(folder, 'data'));
  const itemIds = store.items.add(names.map((name) => newLink(`https://example.com/${name}`)));
  const ids = itemIds.map((itemId, i) => {
    const name = names[i] ?? '';
    const { id } = store.transcripts.save({
      itemId,
      service: 'https://cloud.example',
      jobId: name,
      name,
      durationSeconds: 1,
      transcript: { language: 'en', text: 'Hello.', segments: [{ start: 0, end: 1, text: 'Hello.' }] },
      recording: { path: recording, sizeBytes: 4, fingerprint: null },
      createdAt: 0,
    });
    store.autoExports.request(itemId, [{ format: 'txt', folder: texts }]);
    store.speakerRequests.add(id, null);
    return id;
  });
  await store.close();

  const identifying = Promise.withResolvers<void>();
  const diarize: Diarize = ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new CancelledError()), { once: true });
      identifying.resolve();
    });
  const longhand = openCore(join(folder, 'data'), { createDiarizer: () => diarize });
  onTestFinished(() => longhand.close());
  return {
    longhand,
    ids,
    identifying: identifying.promise,
    texts: async () => (await readdir(texts).catch((): string[] => [])).toSorted(),
  };
}

it('writes the files of all recordings whose speakers are not identified after all', async () => {
  const { longhand, identifying, texts } = await kit('one', 'two', 'three');
  longhand.start();
  await identifying;
  expect(await texts()).toEqual([]);
  longhand.speakers.cancelAll();
  await expect.poll(texts).toEqual(['one.txt', 'three.txt', 'two.txt']);
});

it('writes the files of a recording when the caller who waits for its speakers leaves', async () => {
  const { longhand, ids, identifying, texts } = await kit('one');
  const abort = new AbortController();
  const [id] = ids;
  if (id === undefined) throw new Error('Nothing was saved.');
  const run = longhand.speakers.identify(id, null, { signal: abort.signal, onProgress: () => undefined });
  await identifying;
  abort.abort();
  await expect(run).rejects.toThrow(CancelledError);
  await expect.poll(texts).toEqual(['one.txt']);
});
