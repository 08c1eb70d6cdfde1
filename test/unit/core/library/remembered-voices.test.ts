import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { VoiceSpan } from '../../../../electron/contract/speakers.ts';
import { RememberedVoices } from '../../../../electron/core/library/remembered-voices.ts';
import type { Store } from '../../../../electron/core/store/store.ts';
import { systemClock } from '../../../../electron/core/system.ts';
import { SpeakerEngine } from '../../../../electron/on-device/speakers/thread/speaker-engine.ts';
import { workerUrl } from '../../../../electron/workers/registry.ts';
import { quietLogger } from '../../../support/core.ts';
import { inChunks, readWav, silence, wavFile } from '../../../support/speech/speech-audio.ts';
import { standInEmbedding, writeStandInModels } from '../../../support/speech/stand-in-speaker-models.ts';
import { audioOf, inTurn } from '../../../support/speech/tone-voices.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { openStore } from '../store/store-kit.ts';

// The real thread, with stand-in models. One for all tests: once it has ended, no
// other thread can load ONNX Runtime.
const engine = new SpeakerEngine(workerUrl('speaker'), undefined, 1);
afterAll(() => engine.close());

let folder: string;
let models: string;
let store: Store;
let voices: RememberedVoices;
let described: number;
/** The spans of the last request. */
let describedSpans: readonly VoiceSpan[];

const open = (): RememberedVoices =>
  new RememberedVoices({
    folder,
    clock: systemClock,
    logger: quietLogger,
    edits: store.edits,
    transcripts: store.transcripts,
    createVoiceDescriber:
      () =>
      async ({ recording, ...request }) => {
        described += 1;
        describedSpans = request.spans;
        const samples = inChunks(readWav(recording));
        return engine.describe({ models: { folder: models, isOwn: true }, samples, ...request });
      },
  });

beforeEach(async () => {
  folder = await testFolder();
  models = await writeStandInModels(join(folder, 'models'));
  store = openStore(join(folder, 'data'));
  described = 0;
  voices = open();
  onTestFinished(async () => {
    await voices.close();
    await store.close();
  });
});

/** Saves a conversation of people whose segments are assigned to speakers in the order of their first turns. */
async function save(name: string, people: readonly number[], seconds = 4): Promise<number> {
  const turns = inTurn(people, seconds);
  const file = wavFile(audioOf(turns, turns.at(-1)!.end + 1));
  const path = join(folder, name);
  await writeFile(path, file);
  const { id } = store.transcripts.save({
    itemId: null,
    service: 'on-device',
    jobId: name,
    name,
    durationSeconds: null,
    transcript: {
      text: '',
      segments: turns.map(({ start, end }) => ({ start, end, text: 'Speech.' })),
      language: 'en',
    },
    recording: { path, sizeBytes: file.length, fingerprint: null },
    createdAt: 1,
  });
  const numbers = [...new Set(people)];
  people.forEach((person, segment) => {
    const { revision } = store.edits.open(id)!;
    const speaker = numbers.indexOf(person);
    store.edits.edit(id, revision, { kind: 'set-speaker', segments: [segment], speaker });
  });
  return id;
}

const name = (id: number, names: readonly string[]): void => {
  store.edits.edit(id, store.edits.open(id)!.revision, { kind: 'name-speakers', names });
};

it('suggests the name of a remembered voice in another recording, and no other, even after a restart', async () => {
  const first = await save('first.wav', [0, 1, 0, 1]);
  name(first, ['Anna', 'Ben']);
  await voices.remember(first, ['Anna']);
  const second = await save('second.wav', [2, 0, 2, 0]);
  expect(await voices.suggest(second)).toEqual([{ speaker: 1, name: 'Anna' }]);
  voices = open();
  expect(await voices.suggest(second)).toEqual([{ speaker: 1, name: 'Anna' }]);
  // A named speaker gets no suggestion, nobody gets a name that is taken, and strangers get none.
  name(second, ['', 'Anna']);
  expect(await voices.suggest(second)).toEqual([]);
  name(second, ['Anna', '']);
  expect(await voices.suggest(second)).toEqual([]);
  expect(await voices.suggest(await save('third.wav', [1, 2, 10]))).toEqual([]);
});

it('keeps nothing of a voice that is forgotten', async () => {
  const id = await save('talk.wav', [0, 1]);
  name(id, ['Anna', 'Ben']);
  await voices.remember(id, ['Ben', 'Anna']);
  expect(voices.list().map((voice) => voice.name)).toEqual(['Anna', 'Ben']);
  await voices.forget('Anna');
  expect(await readFile(join(folder, 'voices.json'), 'utf8')).not.toContain('Anna');
  // What a process leaves that is killed while it writes.
  await writeFile(join(folder, 'voices.json.new'), 'Anna');
  await voices.forget('Ben');
  expect((await readdir(folder)).filter((file) => file.includes('voices'))).toEqual([]);
  await writeFile(join(folder, 'voices.json.new'), 'Anna');
  await open().close();
  expect((await readdir(folder)).filter((file) => file.includes('voices'))).toEqual([]);
  // Without remembered voices nothing is compared.
  described = 0;
  expect(await voices.suggest(await save('other.wav', [0]))).toEqual([]);
  expect(described).toBe(0);
});

it('finds a speaker by the name as it was typed', async () => {
  const id = await save('talk.wav', [0, 1]);
  name(id, [' Anna\tLee ', 'Ben']);
  await voices.remember(id, [' Anna\tLee ', ' ']);
  expect(voices.list().map((voice) => voice.name)).toEqual(store.edits.open(id)?.speakers.slice(0, 1));
});

it('replaces a voice of the same name', async () => {
  const id = await save('talk.wav', [0, 1]);
  name(id, ['Anna', 'Ben']);
  await voices.remember(id, ['Anna']);
  const other = await save('other.wav', [3, 4]);
  name(other, ['Anna']);
  await voices.remember(other, ['Anna']);
  expect(voices.list().length).toBe(1);
  expect(await voices.suggest(await save('third.wav', [0, 3]))).toEqual([{ speaker: 1, name: 'Anna' }]);
});

it('does not compare voices of another model', async () => {
  const id = await save('talk.wav', [0, 1]);
  name(id, ['Anna']);
  await voices.remember(id, ['Anna']);
  const other = await save('other.wav', [0, 2]);
  await writeStandInModels(models, {
    embedding: Uint8Array.of(...standInEmbedding(), 0x5a, 0x01, 0x78),
  });
  expect(await voices.suggest(other)).toEqual([]);
  await voices.remember(id, ['Anna']);
  expect(await voices.suggest(other)).toEqual([{ speaker: 0, name: 'Anna' }]);
});

it('says what is missing, and remembers nothing then', async () => {
  const short = await save('short.wav', [0, 1], 2);
  name(short, ['Anna', 'Ben']);
  await expect(voices.remember(short, ['Anna'])).rejects.toThrow('voice_too_short');
  await expect(voices.remember(short, ['Nobody'])).rejects.toThrow('voice_too_short');
  await expect(voices.remember(999, ['Anna'])).rejects.toThrow('transcript_gone');
  const id = await save('talk.wav', [0, 1]);
  name(id, ['Anna', 'Ben']);
  await writeFile(join(folder, 'talk.wav'), wavFile(silence(0.6)));
  await expect(voices.remember(id, ['Anna'])).rejects.toThrow('voice_too_short');
  await rm(join(folder, 'talk.wav'));
  await expect(voices.remember(id, ['Anna'])).rejects.toThrow('file_missing');
  expect(voices.list()).toEqual([]);
});

it('starts with none when its file is damaged', async () => {
  await writeFile(join(folder, 'voices.json'), '{"voices":[{"name":7}]}');
  expect(voices.list()).toEqual([]);
  const id = await save('talk.wav', [0, 1]);
  name(id, ['Anna', 'Ben']);
  await voices.remember(id, ['Anna']);
  expect(open().list().length).toBe(1);
});

it('compares no more voices than a recording may have speakers', async () => {
  const first = await save('first.wav', [0]);
  name(first, ['Anna']);
  await voices.remember(first, ['Anna']);
  const path = join(folder, 'crowd.wav');
  await writeFile(path, wavFile(audioOf(inTurn([0], 4), 5)));
  const speakers = Array.from({ length: 150 }, (_, speaker) => `Speaker ${speaker}`);
  const { id } = store.transcripts.save({
    itemId: null,
    service: 'on-device',
    jobId: 'crowd.wav',
    name: 'crowd.wav',
    durationSeconds: null,
    transcript: {
      text: '',
      segments: [...speakers, ...speakers].map((speaker, segment) => ({
        start: segment * 4,
        end: segment * 4 + 3,
        text: 'Speech.',
        speaker,
      })),
      language: 'en',
    },
    recording: { path, sizeBytes: 1, fingerprint: null },
    createdAt: 1,
  });
  name(
    id,
    speakers.map(() => ''),
  );
  await voices.suggest(id);
  expect(describedSpans.length).toBe(200);
  expect(new Set(describedSpans.map(({ voice }) => voice)).size).toBe(100);
});
