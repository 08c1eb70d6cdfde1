import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { answerOpenDialog, startProgram } from '../support/built-program.ts';
import { add, openCore } from '../support/core.ts';
import { fillLibrary } from '../support/library-folder.ts';
import { kennedy, wavFile } from '../support/speech/speech-audio.ts';
import { writeStandInModels } from '../support/speech/stand-in-speaker-models.ts';
import { audioOf, inTurn } from '../support/speech/tone-voices.ts';
import { testFolder } from '../support/test-folder.ts';
import { unzip } from '../unit/core/formats/unzip.ts';

const interview = inTurn([0, 1, 0, 1, 1, 0, 1, 0]);
const seconds = 36;

it('goes from an interview to a document in which everyone speaks under their name, and knows a voice again', async () => {
  const folder = await testFolder();
  const data = join(folder, 'data');
  const models = await writeStandInModels(join(folder, 'voices'));
  const other = inTurn([2, 0, 2, 0]);
  await writeFile(join(folder, 'interview.wav'), wavFile(audioOf(interview, seconds)));
  await writeFile(join(folder, 'other.wav'), wavFile(audioOf(other, 19)));
  const transcriptOf = (name: string, turns: typeof interview) => ({
    name,
    recording: { path: join(folder, name), sizeBytes: 1, fingerprint: null },
    transcript: {
      text: '',
      segments: turns.map(({ start, end }, i) => ({
        start,
        end,
        text: `This is turn ${i + 1} of the talk.`,
      })),
      language: 'en',
    },
    durationSeconds: turns.at(-1)!.end + 1,
  });
  await fillLibrary(data, [
    transcriptOf('interview.wav', interview),
    transcriptOf('other.wav', other),
    ...['lecture', 'meeting', 'diary'].map((name) => ({
      ...transcriptOf(`${name}.wav`, other),
      recording: null,
    })),
  ]);
  await mkdir(join(data, 'models'), { recursive: true });
  await writeFile(join(data, 'models/speakers.json'), JSON.stringify({ ownFolder: models }));
  const core = openCore(data);
  core.queue.setPaused(true);
  await add(core, [kennedy.mp3, kennedy.wav]);
  await core.close();

  const program = await startProgram(data);
  onTestFinished(() => program.close());
  const { page, app } = program;
  const rows = page.locator('main').getByRole('listitem');
  const open = async (name: RegExp): Promise<void> => {
    await page.locator('nav').getByRole('button', { name: 'Library' }).click();
    await page.getByRole('row', { name }).click();
    await rows.first().waitFor();
  };
  const choose = async (entry: string): Promise<void> => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };
  /** Who says each segment; a name that is not shown again is that of the segment before. */
  const speakersOf = async (): Promise<string> => {
    let last = '';
    const found = (await rows.allInnerTexts()).map((row) => {
      last = /Speaker \d|Anna|Ben/.exec(row)?.[0] ?? last;
      return last.at(-1) === 'a' ? 'A' : last.at(-1) === 'n' ? 'B' : last.at(-1);
    });
    return found.join('');
  };
  await open(/interview/);
  await choose('Identify speakers…');
  await page.getByRole('button', { name: 'Identify', exact: true }).click();
  await page.getByText('2 speakers found').waitFor();
  await expect.poll(speakersOf).toBe('12122121');
  await choose('Name speakers…');
  await page.getByRole('button', { name: 'Listen to Speaker 2' }).click();
  const playingSpeaker = async (): Promise<number | undefined> => {
    const seconds = await page.evaluate(() => document.querySelector('audio')?.currentTime ?? 0);
    return interview.find(({ start, end }) => start < seconds && seconds < end)?.speaker;
  };
  await expect.poll(playingSpeaker).toBe(1);
  await page.getByLabel('Speaker 1', { exact: true }).fill('Anna');
  await page.getByLabel('Speaker 2', { exact: true }).fill('Ben');
  await page.getByText('Remember this voice').first().click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The voice of Anna is remembered').waitFor();
  await expect.poll(speakersOf).toBe('ABABBABA');

  for (const [segment, key] of [
    [2, 'Alt+1'],
    [3, 'Alt+2'],
    [7, 'Alt+1'],
  ] as const) {
    await rows
      .nth(segment - 1)
      .getByRole('textbox')
      .click();
    await page.keyboard.press(key);
  }
  await expect.poll(speakersOf).toBe('AABBBAAA');
  await choose('Identify speakers…');
  await page.getByText('Exact number').click();
  await page.getByLabel('Speakers', { exact: true }).fill('3');
  await page.getByRole('button', { name: 'Identify', exact: true }).click();
  await page.getByText('3 speakers found').waitFor();
  const [, second, third, , , , seventh] = await speakersOf();
  expect([second, third, seventh]).toEqual(['A', 'B', 'A']);
  await choose('Undo');
  await expect.poll(speakersOf).toBe('AABBBAAA');

  const out = join(folder, 'out');
  await mkdir(out);
  await answerOpenDialog(app, out);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByText('More options').click();
  await page.getByRole('checkbox', { name: /^DOCX/ }).check();
  await page.getByRole('radio', { name: /^Into a folder/ }).click();
  await page.getByText('in “out”').waitFor();
  await page.getByRole('button', { name: /^Save/ }).click();
  await page.getByRole('heading', { name: /saved/ }).waitFor();
  const xml = String(unzip(await readFile(join(out, 'interview.docx'))).get('word/document.xml'));
  const paragraphs = [...xml.matchAll(/<w:p>.*?<\/w:p>/gsu)].map(([paragraph]) =>
    paragraph.replaceAll(/<[^>]*>/gu, ''),
  );
  expect(paragraphs.filter((text) => /^(?:\d+:\d+\s*)?Anna/u.test(text)).length).toBe(2);
  expect(paragraphs.filter((text) => /^(?:\d+:\d+\s*)?Ben/u.test(text)).length).toBe(1);
  await page.keyboard.press('Escape');

  await open(/other/);
  await choose('Identify speakers…');
  await page.getByText('Automatic').click();
  await page.getByRole('button', { name: 'Identify', exact: true }).click();
  await expect.poll(speakersOf).toBe('1212');
  await choose('Name speakers…');
  const suggestion = page.getByRole('button', { name: 'Sounds like Anna' });
  await suggestion.waitFor();
  await suggestion.click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(speakersOf).toBe('1A1A');
  await open(/lecture/);
  await choose('Identify speakers…');
  await page.getByText('it comes from a link').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const forget = page.getByRole('button', { name: 'Forget: Anna' });
  await forget.scrollIntoViewIfNeeded();
  await forget.click();
  await page.getByText('No voice is remembered.').waitFor();
  expect((await readdir(data)).filter((name) => name.startsWith('voices'))).toEqual([]);
});
