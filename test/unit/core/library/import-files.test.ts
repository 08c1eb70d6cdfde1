import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importFiles } from '../../../../electron/core/library/import-files.ts';
import { temporaryFolder } from '../../../support/core.ts';
import { openStore } from '../store/store-kit.ts';

it('brings each content in once, and says what it left out', async () => {
  const folder = await temporaryFolder();
  const store = openStore(join(folder.path, 'data'));
  const file = async (name: string, content: string): Promise<string> => {
    await writeFile(join(folder.path, name), content);
    return join(folder.path, name);
  };
  const subtitles = '1\n00:00:01,000 --> 00:00:02,500\nHello there\n';
  const report = await importFiles(
    store,
    [
      await file('Talk.srt', subtitles),
      await file('Talk again.srt', subtitles),
      await file('notes.txt', 'Only words.'),
      await file('other.json', '{"a":1}'),
      await file('empty.vtt', 'WEBVTT\n'),
      join(folder.path, 'missing.srt'),
    ],
    7,
  );
  expect(report).toMatchObject({
    added: [{ name: 'Talk' }, { name: 'notes' }],
    known: 1,
    leftOut: [
      { name: 'other.json', problem: { code: 'not_a_transcript' } },
      { name: 'empty.vtt', problem: { code: 'not_a_transcript' } },
      { name: 'missing.srt', problem: { code: 'path_missing' } },
    ],
  });
  expect(store.transcripts.get(report.added[0]?.id ?? -1)).toMatchObject({
    name: 'Talk',
    durationSeconds: 2.5,
    segments: [{ start: 1, end: 2.5, text: 'Hello there' }],
  });
  await store.close();
  await folder.remove();
});
