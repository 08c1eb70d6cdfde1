import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { startCommandLine, type CommandLine } from '../../support/command-line-here.ts';
import { saveTranscript } from '../core/library/library-kit.ts';
import { openStore } from '../core/store/store-kit.ts';

async function save({ dataFolder }: CommandLine, name: string, texts: readonly string[]): Promise<void> {
  const store = openStore(dataFolder);
  saveTranscript(store, name, texts);
  await store.close();
}

it('prints durations that are rounded as in the window', async () => {
  const line = await startCommandLine();
  await save(line, 'Radio', ['We heard.']);
  const database = new Database(join(line.dataFolder, 'longhand.db'));
  database.exec('UPDATE transcripts SET duration_seconds = 48.6');
  database.close();
  expect((await line.run(['list'])).stdout).toMatch(/ 0:49 {2}Radio\n/);
});

it('says how many passages a search has found beyond those that it prints', async () => {
  const line = await startCommandLine();
  const texts = Array.from({ length: 5 }, (_, index) => `Ferry ${index}.`);
  await save(line, 'Harbour', texts);
  const { stdout } = await line.run(['search', 'ferry']);
  expect(stdout.split('\n').map((text) => text.trim())).toEqual([
    expect.stringContaining('Harbour'),
    expect.stringContaining('Ferry 0.'),
    expect.stringContaining('Ferry 1.'),
    expect.stringContaining('Ferry 2.'),
    'and 2 more in this transcript',
    '',
  ]);
  expect((await line.run(['search', 'ferry', '--json'])).json[0]).toMatchObject({ passageCount: 5 });
  await save(line, 'Quay', ['Ferry.']);
  expect((await line.run(['search', 'ferry', '--limit', '1'])).stderr).toBe('1 more transcript matches.\n');
});
