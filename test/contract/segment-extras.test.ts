import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { exportFormats } from '../../electron/contract/choices.ts';
import {
  personExtraNames,
  segmentExtrasSchema,
  type ExtraName,
  type Segment,
  type SegmentExtras,
} from '../../electron/contract/segment-schema.ts';
import type { EditOperation } from '../../electron/contract/transcript.ts';
import { onlyHighlights, type TranscriptContent } from '../../electron/core/formats/content.ts';
import { newSegment } from '../../electron/core/transcript/segment.ts';
import { packWords } from '../../electron/core/transcript/word-times.ts';
import { writeTranscript } from '../../electron/core/formats/formats.ts';
import { readTranscript } from '../../electron/core/formats/read/read-transcript.ts';
import { defaultWriteOptions } from '../../electron/core/formats/write/write-options.ts';
import type { Longhand } from '../../electron/core/longhand.ts';
import { ExportSources } from '../../electron/core/store/library/export-sources.ts';
import { add, openCore, waitUntilSettled } from '../support/core.ts';
import { transcriptOf } from '../support/transcript-of.ts';
import { startOnDevice, type TestService } from '../support/servers/on-device.ts';
import { quickEngine, silentWav } from '../support/speech/quick-speech.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { foundIn } from '../support/replace-preview.ts';
import { defaultTaskOptions } from '../support/default-task-options.ts';
import { unzip } from '../unit/core/formats/unzip.ts';

const texts = ['The quick brown fox', 'jumps over', 'the lazy dog.'];

/** The words of a segment of one second: each letter takes 50 ms. */
const words = (segment: Segment) =>
  [...segment.text.matchAll(/\S+/gu)].map(({ 0: word, index: from }) => {
    const to = from + word.length;
    const start = segment.start + from / 20;
    return { from, to, start, end: start + word.length / 20, probability: 0.5 };
  });

/** A value of each known extra of a segment: the compiler requires new ones. */
const known = (segment: Segment): Readonly<Record<ExtraName, unknown>> => ({
  words: packWords(segment, words(segment)),
  speakerConfidence: 0.75,
  noSpeaker: true,
  highlight: true,
});

const extraOf = (index: number) => ({ of: index, list: [0.25, null, 'ж'] });

/** The engine's transcript, with all known extras and an unknown one in each segment. */
const spoken = texts.map((text, index): Segment => {
  const segment = newSegment(index, index + 1, text);
  return { ...segment, extras: segmentExtrasSchema.parse({ ...known(segment), witness: extraOf(index) }) };
});

let temporary: TemporaryFolder;
let folder: string;
let service: TestService;
let longhand: Longhand;
/** The transcript of the service. */
let heardId: number;
/** A transcript with all extras, imported from Longhand's own JSON. */
let id: number;

/** A core with one transcript of the on-device service, and one with what a service must not set as well. */
beforeAll(async () => {
  temporary = await temporaryFolder();
  folder = temporary.path;
  service = await startOnDevice({
    dataFolder: join(folder, 'service'),
    engine: quickEngine({ language: 'en', segments: spoken }),
  });
  longhand = openCore(join(folder, 'data'));
  longhand.services.openOnDevice(service.baseUrl, service.key);
  longhand.start();
  const recording = join(folder, 'fox.wav');
  await writeFile(recording, silentWav(3));
  await add(longhand, [recording]);
  const [row] = await waitUntilSettled(longhand, 'done');
  heardId = transcriptOf(row);
  const content = { ...contentOf('data', heardId), segments: spoken };
  const file = join(folder, 'fox.json');
  await writeFile(file, await writeTranscript(content, 'json', defaultWriteOptions));
  const { added } = await longhand.library.importFiles([file], defaultTaskOptions);
  id = added[0]?.id ?? -1;
});

afterAll(async () => {
  await longhand.close();
  await service.stop();
  await temporary.remove();
});

const revision = (): number => longhand.edits.open(id)?.revision ?? -1;
const edit = (operation: EditOperation) => longhand.edits.edit(id, revision(), operation);
const extras = () => longhand.edits.open(id)?.segments.map((segment) => segment.extras);
const withoutSpeaker = ({ speakerConfidence: _one, noSpeaker: _other, ...rest }: SegmentExtras = {}) => rest;

function readSources<T>(data: string, read: (sources: ExportSources) => T): T {
  const reader = new Database(join(folder, data, 'longhand.db'), { readonly: true });
  try {
    return read(new ExportSources(reader));
  } finally {
    reader.close();
  }
}

function contentOf(data: string, transcript: number): TranscriptContent {
  const content = readSources(data, (sources) => sources.content(transcript));
  if (content === null) throw new Error('no such transcript');
  return content;
}

const highlights = ({ segments }: Pick<TranscriptContent, 'segments'>) =>
  segments.map((segment) => segment.extras?.highlight);

describe('the extras of a segment', () => {
  it('arrive from the engine through the service, the client and the store, except those of a person', () => {
    const heard = spoken.map(({ extras: all = {} }) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !personExtraNames.has(name))),
    );
    expect(longhand.transcripts.get(heardId)?.segments.map((segment) => segment.extras)).toEqual(heard);
    expect(longhand.edits.openBeginning(heardId)?.segments.map((segment) => segment.extras)).toEqual(heard);
  });

  it.each(exportFormats.filter((format) => format !== 'json'))(
    'that are unknown do not change the export as %s',
    async (format) => {
      const content = contentOf('data', id);
      const plain = {
        ...content,
        segments: content.segments.map(({ extras: { witness: _witness, ...known } = {}, ...rest }) => ({
          ...rest,
          extras: known,
        })),
      };
      const written = async (one: TranscriptContent) => {
        const file = await writeTranscript(one, format, defaultWriteOptions);
        return typeof file === 'string' ? file : unzip(file).get('word/document.xml');
      };
      expect(await written(content)).toEqual(await written(plain));
    },
  );

  it('are exported as JSON and imported from it', async () => {
    const json = await writeTranscript(contentOf('data', id), 'json', defaultWriteOptions);
    const read = await readTranscript('json', String(json));
    expect(read?.segments).toMatchObject(spoken);
    expect(longhand.transcripts.get(id)?.segments).toEqual(spoken);
    expect(longhand.edits.openBeginning(id)?.segments.map((segment) => segment.extras)).toEqual(
      spoken.map((segment) => segment.extras),
    );
  });

  it.each<readonly [EditOperation, readonly (number | undefined)[]]>([
    [{ kind: 'set-text', segment: 1, text: 'leaps over' }, [0, 1, 2]],
    [{ kind: 'split', segment: 0, offset: 4, atSeconds: null }, [0, 0, 1, 2]],
    [{ kind: 'merge', segment: 1 }, [0, 1]],
    [{ kind: 'move-boundary', segment: 1, edge: 'end', toSeconds: 2.5 }, [0, 1, 2]],
    [{ kind: 'move-word', segment: 1, edge: 'end', by: -1 }, [0, 1, 2]],
    [{ kind: 'set-times', segment: 1, start: 1.25, end: 2.5 }, [0, 1, 2]],
    [{ kind: 'insert', after: 0, text: 'new', fillsGap: false }, [0, undefined, 1, 2]],
    [{ kind: 'put-back', ...(spoken[1] as Segment), speaker: null }, [0, 1, 1, 2]],
    [{ kind: 'delete', segments: [1] }, [0, 2]],
    [{ kind: 'retime', factor: 0.5, offsetSeconds: 1 }, [0, 1, 2]],
    [{ kind: 'set-speaker', segments: [0, 2], speaker: 0 }, [0, 1, 2]],
    [
      {
        kind: 'replace',
        query: { text: 'the', matchCase: false, wholeWords: false },
        replacement: 'a',
      },
      [0, 1, 2],
    ],
  ])('stay through the edit %j, its undo, its redo and a restore', (operation, after) => {
    const all = spoken.map((segment) => segment.extras);
    edit(operation);
    const changed = extras();
    // What becomes of the known ones is tested where their rules are.
    expect(changed?.map((one) => one?.['witness'])).toEqual(
      after.map((index) => (index === undefined ? undefined : extraOf(index))),
    );
    longhand.edits.undo(id, revision());
    expect(extras()).toEqual(all);
    longhand.edits.redo(id, revision());
    expect(extras()).toEqual(changed);
    expect(longhand.edits.original(id).segments).toEqual(
      spoken.map((segment) => expect.objectContaining(segment)),
    );
    edit({ kind: 'restore' });
    // Who was assigned a speaker stays assigned.
    expect(extras()?.map(withoutSpeaker)).toEqual(all.map(withoutSpeaker));
    longhand.edits.undo(id, revision());
    longhand.edits.undo(id, revision());
    expect(extras()).toEqual(all);
  });

  it('are restored from a backup, in the transcript, its original and its history', async () => {
    edit({ kind: 'merge', segment: 0 });
    const file = join(folder, 'library.longhand');
    await longhand.library.backups.write(file, { appVersion: '1.2.3', replace: false }, defaultTaskOptions);
    const other = openCore(join(folder, 'other'));
    onTestFinished(() => other.close());
    other.start();
    await other.library.backups.open(file, defaultTaskOptions);
    await other.library.backups.restore(defaultTaskOptions);
    const restored = other.edits.open(id);
    expect(restored?.segments).toEqual(longhand.edits.open(id)?.segments);
    expect(other.edits.original(id).segments).toEqual(
      spoken.map((segment) => expect.objectContaining(segment)),
    );
    other.edits.undo(id, restored?.revision ?? -1);
    expect(other.transcripts.get(id)?.segments).toEqual(spoken);
    longhand.edits.undo(id, revision());
  });

  it('can be a highlight of words, which are exported alone with their times, and imported from JSON', async () => {
    const hasHighlights = () => readSources('data', (sources) => sources.hasHighlights(id));
    edit({ kind: 'set-highlight', segments: [0, 1, 2], isHighlighted: false });
    expect(hasHighlights()).toBe(false);
    const passages = [
      { segment: 0, from: 5, text: 'uick' },
      { segment: 2, from: 9, text: 'dog' },
    ];
    edit({ kind: 'highlight-words', passages, isHighlighted: true });
    expect(hasHighlights()).toBe(true);
    const content = contentOf('data', id);
    const only = onlyHighlights(content) ?? content;
    expect(await writeTranscript(only, 'txt', defaultWriteOptions)).toBe('quick\n\ndog.\n');
    expect(only.segments.map(({ start, end }) => [start, end])).toEqual([
      [0.2, 0.45],
      [2.45, 3],
    ]);
    const json = await writeTranscript(content, 'json', defaultWriteOptions);
    const ranges = [[{ from: 4, to: 9 }], undefined, [{ from: 9, to: 13 }]];
    expect(highlights(content)).toEqual(ranges);
    expect(highlights((await readTranscript('json', String(json))) ?? content)).toEqual(ranges);
    longhand.edits.undo(id, revision());
    longhand.edits.undo(id, revision());
    expect(extras()).toEqual(spoken.map((segment) => segment.extras));
  });

  it('stay when a text is replaced in all transcripts', async () => {
    const query = { text: 'the', matchCase: false, wholeWords: false };
    const { replacer } = longhand.library;
    const { groups } = foundIn(await replacer.find({ ...query, mode: 'text' }, [id], defaultTaskOptions));
    const targets = groups.map(({ matches }) => ({
      id,
      matches: matches.map(({ segment, offset }) => ({ segment, offset })),
      speakers: [],
    }));
    await replacer.run(
      { query, mode: 'text', replacement: 'a', targets, mergesSpeakers: false },
      defaultTaskOptions,
    );
    expect(longhand.edits.open(id)?.segments).toMatchObject(
      ['a quick brown fox', 'jumps over', 'a lazy dog.'].map((text, index) => ({
        text,
        extras: { witness: extraOf(index) },
      })),
    );
  });
});
