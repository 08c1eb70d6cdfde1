import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openCore, rowsOf } from '../../support/core.ts';
import { startCommandLine } from '../../support/command-line-here.ts';
import { silentWav } from '../../support/speech/quick-speech.ts';

it('transcribes what is in a folder and what arrives, each content once, until it is stopped', async () => {
  const { folder, dataFolder, run } = await startCommandLine();
  const inbox = join(folder, 'inbox');
  await mkdir(inbox);
  await writeFile(join(inbox, 'first.wav'), silentWav(1));
  const stop = new AbortController();
  const watched = run(['watch', 'inbox', '--to', 'json', '--json'], { interrupted: stop.signal });
  const written = async (): Promise<readonly string[]> =>
    (await readdir(inbox)).filter((name) => name.endsWith('.json')).toSorted();
  await vi.waitFor(async () => expect(await written()).toEqual(['first.json']), { timeout: 20_000 });
  await writeFile(join(inbox, 'copy.wav'), silentWav(1));
  await writeFile(join(inbox, 'second.wav'), silentWav(2));
  await vi.waitFor(async () => expect(await written()).toEqual(['first.json', 'second.json']), {
    timeout: 20_000,
  });
  stop.abort();
  const { json } = await watched;
  const added = json.filter(({ type }) => type === 'added').map(({ count }) => count);
  expect(added).toEqual([1, 1]);

  await rm(join(inbox, 'second.json'));
  const longhand = openCore(dataFolder);
  expect(longhand.watch.folders()).toEqual([]);
  await longhand.close();
});

it('does not transcribe a recording again whose transcript is in the trash and whose row was cleared', async () => {
  const { folder, dataFolder, run } = await startCommandLine();
  const inbox = join(folder, 'inbox');
  await mkdir(inbox);
  await writeFile(join(inbox, 'first.wav'), silentWav(1));
  const watchUntilWritten = async (name: string): Promise<unknown> => {
    const stop = new AbortController();
    const watched = run(['watch', 'inbox', '--to', 'json', '--json'], { interrupted: stop.signal });
    await vi.waitFor(async () => expect(await readdir(inbox)).toContain(name), { timeout: 20_000 });
    stop.abort();
    const { json } = await watched;
    return json.filter(({ type }) => type === 'file').map(({ path }) => basename(String(path)));
  };
  expect(await watchUntilWritten('first.json')).toEqual(['first.json']);
  const longhand = openCore(dataFolder);
  await longhand.library.trash(longhand.queue.transcripts(rowsOf(longhand).map(({ id }) => id)));
  longhand.queue.clearDoneAndCancelled();
  await longhand.close();

  await rm(join(inbox, 'first.json'));
  await writeFile(join(inbox, 'second.wav'), silentWav(2));
  expect(await watchUntilWritten('second.json')).toEqual(['second.json']);
  expect(await readdir(inbox)).not.toContain('first.json');
});

it('stops at once when nothing is in progress, and exits with 0', async () => {
  const { folder, run } = await startCommandLine();
  await mkdir(join(folder, 'inbox'));
  const { code, stdout } = await run(['watch', 'inbox'], { interrupted: AbortSignal.timeout(500) });
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
});

it('continues what an earlier run left in these folders', async () => {
  const { folder, run } = await startCommandLine();
  const inbox = join(folder, 'inbox');
  await mkdir(inbox);
  await writeFile(join(inbox, 'talk.wav'), silentWav(1));
  const early = new AbortController();
  const first = run(['watch', 'inbox', '--to', 'json', '--service', 'http://127.0.0.1:9'], {
    interrupted: early.signal,
    environment: { LONGHAND_API_KEY: 'key' },
  });
  // The address does not answer: the user is needed, and the recording stays in the queue.
  expect((await first).code).toBe(3);
  const { stderr, code } = await run(['status']);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const again = await run(['watch', 'inbox'], { environment: { LONGHAND_API_KEY: 'key' } });
  expect(again.code).toBe(3);
});

it('sends nothing to an account in the first run after the database was damaged', async () => {
  const { folder, dataFolder, run } = await startCommandLine();
  await mkdir(join(folder, 'inbox'));
  await writeFile(join(folder, 'inbox', 'talk.wav'), silentWav(1));
  await mkdir(dataFolder);
  await writeFile(join(dataFolder, 'longhand.db'), 'this is not a database'.repeat(500));
  expect((await run(['list'])).stderr).toContain('there was no backup');
  const watch = () =>
    run(['watch', 'inbox', '--service', 'http://127.0.0.1:9'], { environment: { LONGHAND_API_KEY: 'key' } });
  const queued = async () => (await run(['status', '--json'])).stdout;
  const first = await watch();
  expect(first.code).toBe(3);
  expect(first.stderr).toContain('charged again');
  expect(await queued()).not.toContain('talk.wav');
  await watch();
  expect(await queued()).toContain('talk.wav');
});

it.skipIf(process.platform === 'win32')('says that a link has taken the place of a folder', async () => {
  const { folder, run } = await startCommandLine();
  const inbox = join(folder, 'inbox');
  await mkdir(inbox);
  await writeFile(join(inbox, 'first.wav'), silentWav(1));
  const stop = new AbortController();
  let text = '';
  const stderr = {
    isTerminal: false,
    columns: 80,
    clearLine: () => undefined,
    write: (one: string) => void (text += one),
  };
  const watched = run(['watch', 'inbox', '--to', 'json'], { interrupted: stop.signal, stderr });
  await vi.waitFor(async () => expect(await readdir(inbox)).toContain('first.json'), { timeout: 20_000 });
  await rename(inbox, `${inbox} before`);
  await symlink(`${inbox} before`, inbox);
  await vi.waitFor(() => expect(text).toContain('A link has taken the place of this folder.'), {
    timeout: 20_000,
  });
  stop.abort();
  await watched;
});

it('reports a folder that is missing, and adds nothing', async () => {
  const { run } = await startCommandLine();
  const { code, stderr } = await run(['watch', 'nowhere']);
  expect(code).toBe(3);
  expect(stderr).toContain('nowhere');
});
