import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { dropFiles } from '../support/built-program.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { useProgram } from '../support/use-program.ts';

// A folder that has grown over years is dropped at once.

const program = useProgram('once');
const tree = (...names: readonly string[]): string => program.path('Archive', ...names);

/** Names as users choose them, and one that disguises its extension. */
const shows = [
  'Radio',
  'Ünïcödé & Söhne',
  '日本語の番組',
  'إذاعة',
  'Подкаст',
  'हिन्दी',
  '🎙️ Live',
  'gpj.\u202e3pm',
];
const perShow = 300;
const total = shows.length * perShow;
/** On Windows a user may not be allowed to create symbolic links. */
const canLink = process.platform !== 'win32';

beforeAll(async () => {
  let samples = 160;
  for (const [index, show] of shows.entries()) {
    // Each show is nested deeper than the one before.
    const folder = tree(...Array.from({ length: index }, (_, level) => `Level ${level}`), show);
    await mkdir(folder, { recursive: true });
    const takes = Array.from({ length: perShow }, async (_, take) => {
      samples += 1;
      await writeFile(join(folder, `${show} ${take + 1}.wav`), silentWav(samples / 16_000));
    });
    await Promise.all(takes);
    await writeFile(join(folder, 'notes.md'), 'Not a recording.');
    await writeFile(join(folder, '._hidden.wav'), 'A shadow of another system.');
    await mkdir(join(folder, '.cache'));
    await writeFile(join(folder, '.cache', 'hidden.wav'), silentWav(1));
    if (canLink) await symlink(tree(), join(folder, 'back to the top'));
  }
  if (canLink) await symlink(program.path('nowhere'), tree('Gone.mp3'));
  await program.button('Start').click();
  await program.invoke('queue.pauseAll');
});

it('thousands of recordings in nested folders are found once each, and nothing else is', async () => {
  const { page } = program;
  await dropFiles(page, [tree()]);
  const sheet = page.getByRole('dialog', { name: `${total.toLocaleString('en')} recordings to add` });
  await sheet.waitFor({ timeout: 60_000 });
  await sheet.getByRole('button', { name: 'Duplicates', exact: true }).waitFor();
  const rejected = canLink ? 1 : 0;
  await sheet.getByRole('button', { name: `Skipped ${rejected}` }).click();
  await sheet.getByText(`${shows.length} files of other types in the folders were ignored`).waitFor();
  const gone = sheet.getByRole('row', { name: 'Gone.mp3' }).getByText('There is nothing at this path');
  await expect.poll(() => gone.count()).toBe(rejected);
  await program.button(`Add ${total.toLocaleString('en')} recordings`).click();
  await program.button(`All ${total.toLocaleString('en')}`).waitFor({ timeout: 60_000 });
});

it('they are sorted in natural order, and the list can be paged through', async () => {
  const { page } = program;
  const queue = page.getByRole('grid', { name: 'Recordings in the queue' });
  await expect.poll(() => queue.getAttribute('aria-rowcount')).toBe(String(total + 1));
  const at = (index: number) => queue.locator(`[data-index="${index}"] bdi[title]`);
  await queue.press('Home');
  const first = Array.from({ length: 10 }, (_, take) =>
    expect.stringMatching(new RegExp(` ${take + 1}\\.wav$`)),
  );
  await expect.poll(() => Promise.all(first.map((_, index) => at(index).textContent()))).toEqual(first);
  await queue.press('End');
  await expect.poll(() => at(total - 1).textContent()).toMatch(new RegExp(` ${perShow}\\.wav$`));

  // Pages through the whole list: every visible row is loaded.
  await queue.press('Home');
  for (let index = 0; index < total; index += 400) {
    await queue.evaluate((list, top) => list.scrollTo({ top }), index * 52);
    await expect.poll(() => at(index).count()).toBe(1);
  }
});
