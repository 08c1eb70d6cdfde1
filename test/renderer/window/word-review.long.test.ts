import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { Scene } from '../../support/window/fake-main.ts';
import { segmentWithUnsureWords } from '../../support/segment-with-unsure-words.ts';
import { sampleTranscript } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

const segments = [
  segmentWithUnsureWords(0, 'Thandeka Mbeki hauled nets', ['hauled']),
  segmentWithUnsureWords(2, 'while Mbecki wrote letters.', ['wrote']),
  segmentWithUnsureWords(4, 'So Mbeki and Mbecki left the old harbour', ['left', 'old', 'harbour']),
  segmentWithUnsureWords(8, 'for Mbeki to see', []),
];

const recordings: Scene['recordings'] = {
  1: {
    kind: 'ready',
    media: 'audio',
    url: 'media://transcript/1',
    sizeBytes: 1000,
    stamp: '0'.repeat(32),
  },
};

let page: Page;

async function openTalk(): Promise<void> {
  await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  await page.getByRole('row', { name: 'Talk' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
}

beforeEach(async () => {
  page = await app.open({
    transcripts: [sampleTranscript({ id: 1, name: 'Talk', segments, durationSeconds: 10 })],
    recordings,
  });
  await openTalk();
  // Only the position of the player matters here.
  await page.evaluate(() => {
    HTMLMediaElement.prototype.play = () => Promise.resolve();
  });
});

const highlighted = (name: 'unsure-word' | 'finding-words'): Promise<readonly string[]> =>
  page.evaluate((key) => [...(CSS.highlights.get(key) ?? [])].map(String).toSorted(), name);
const marked = () => highlighted('unsure-word');
const unsureWords = ['hauled', 'left', 'old harbour', 'wrote'];
const statusText = (): Promise<string | null> =>
  page.getByRole('group', { name: 'Review' }).getByRole('status').textContent();
const texts = () => app.main.edits(1)?.texts;

/** Goes to a place of the review, and selects its words to correct them. */
async function correctPlace(number: number, word: string): Promise<void> {
  await page.getByRole('button', { name: 'Review 5' }).waitFor();
  for (let i = 0; i < number; i++) await page.keyboard.press('F8');
  await expect.poll(statusText).toBe(`${number} of 5. “${word}”: the model was unsure.`);
  for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
  await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe(word);
}

test('unsure words are marked, unless the setting says not to', async () => {
  await expect.poll(marked).toStrictEqual(unsureWords);
  app.main.settings = { ...app.main.settings, markUnsureWords: false };
  app.main.onEvent('settings.changed', app.main.settings);
  await expect.poll(marked).toStrictEqual([]);
});

test('words are accepted, heard and corrected by keyboard, and lose their mark until undo restores it', async () => {
  await page.getByRole('button', { name: 'Review 5' }).waitFor();
  await page.keyboard.press('F8');
  await expect.poll(statusText).toBe('1 of 5. “hauled”: the model was unsure.');
  await expect.poll(() => highlighted('finding-words')).toStrictEqual(['hauled']);
  await page.keyboard.press('Enter');
  await expect.poll(statusText).toBe('1 of 4. Probably the same name: Mbeki 3, Mbecki 2.');
  await page.keyboard.press('F8');
  await expect.poll(statusText).toBe('2 of 4. “wrote”: the model was unsure.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.querySelector('audio')?.currentTime)).toBe(2);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe('wrote');
  await page.keyboard.type('typed');
  await page.keyboard.press('F8');
  await expect.poll(statusText).toBe('2 of 3. “left”: the model was unsure.');
  await expect.poll(marked).toStrictEqual(['left', 'old harbour']);

  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await openTalk();
  expect(texts()?.[1]).toBe('while Mbecki typed letters.');
  await expect.poll(marked).toStrictEqual(['left', 'old harbour']);
  await page.keyboard.press('ControlOrMeta+z');
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(marked).toStrictEqual(unsureWords);
});

test('after a corrected word, “Looks right” continues with the next place and passes over none', async () => {
  await correctPlace(3, 'wrote');
  await page.keyboard.type('typed');
  await page.keyboard.press('F8');
  await expect.poll(statusText).toBe('3 of 4. “left”: the model was unsure.');
  await page.keyboard.press('Enter');
  await expect.poll(statusText).toBe('3 of 3. “old harbour”: the model was unsure.');
});

test('words after a correction in their segment are accepted before the text is reviewed again', async () => {
  await correctPlace(4, 'left');
  await page.keyboard.insertText('departed from');
  await page.keyboard.press('F8');
  await page.keyboard.press('Enter');
  await expect.poll(marked).toStrictEqual(['hauled', 'wrote']);
});

test('a second correction in a segment selects its words, before the text is reviewed again', async () => {
  await correctPlace(4, 'left');
  await page.keyboard.insertText('departed from');
  for (const key of ['F8', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
  await page.keyboard.insertText('quay');
  await page.keyboard.press('F8');
  await expect.poll(() => texts()?.[2]).toBe('So Mbeki and Mbecki departed from the quay');
});

test('“Listen” stops at the end of the words, and with the next finding', async () => {
  // Without a real recording: it is where the test says.
  await page.evaluate(() => {
    Object.assign(HTMLMediaElement.prototype, {
      play(this: HTMLMediaElement): Promise<void> {
        Object.defineProperty(this, 'paused', { value: false, configurable: true });
        this.dispatchEvent(new Event('play'));
        return Promise.resolve();
      },
      pause(this: HTMLMediaElement): void {
        Object.defineProperty(this, 'paused', { value: true, configurable: true });
        this.dispatchEvent(new Event('pause'));
      },
    });
  });
  const playButton = page.getByRole('button', { name: 'Play', exact: true });
  const listen = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Listen' }).click();
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  };
  await page.getByRole('button', { name: 'Review 5' }).click();
  await listen();
  await page.locator('audio').evaluate((audio: HTMLAudioElement) => (audio.currentTime = 10));
  await playButton.waitFor();
  await listen();
  await page.keyboard.press('F8');
  await expect.poll(() => playButton.count()).toBe(1);
});

test('Escape in the text closes the search, then the review, and only then the transcript', async () => {
  await page.getByRole('button', { name: 'Review 5' }).waitFor();
  await page.keyboard.press('F8');
  await page.keyboard.press('ControlOrMeta+f');
  const list = page.getByRole('region', { name: 'Text of the transcript' });
  const find = page.getByRole('button', { name: 'Find', exact: true, pressed: true });
  const review = page.getByRole('group', { name: 'Review' });
  await find.waitFor();
  await list.focus();
  await page.keyboard.press('Escape');
  await find.waitFor({ state: 'detached' });
  await list.focus();
  await page.keyboard.press('Escape');
  await review.waitFor({ state: 'detached' });
  await list.focus();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('heading', { name: 'Library' }).isVisible()).toBe(true);
});

test('Enter repeats “Looks right” and “Next”, and never becomes a correction', async () => {
  await page.getByRole('button', { name: 'Review 5' }).waitFor();
  await page.keyboard.press('F8');
  await page.keyboard.press('Enter');
  await expect.poll(statusText).toMatch(/^1 of 4\. Probably the same name/);
  await page.keyboard.press('Enter');
  await expect.poll(statusText).toMatch(/^1 of 3\. “wrote”/);
  await page.getByRole('button', { name: 'Next', exact: true }).press('Enter');
  await expect.poll(statusText).toMatch(/^2 of 3/);
  await page.keyboard.press('Enter');
  await expect.poll(statusText).toMatch(/^3 of 3/);
  expect(texts()).toStrictEqual(segments.map(({ text }) => text));
});

test('no key right after F8 changes the text: Space plays and pauses, and what is deleted can be restored', async () => {
  page = await app.open({
    transcripts: [
      sampleTranscript({
        id: 1,
        name: 'Talk',
        segments: [
          { start: 0, end: 4, text: 'We hauled the nets.' },
          { start: 4, end: 8, text: 'Subtitles by Jo.' },
        ],
        durationSeconds: 10,
      }),
    ],
    recordings,
  });
  await openTalk();
  await page.evaluate(() => {
    HTMLMediaElement.prototype.play = () => Promise.resolve();
  });
  await page.getByRole('button', { name: 'Review 1' }).waitFor();
  await page.keyboard.press('F8');
  await expect.poll(statusText).toMatch(/^1 of 1\. Probably made up/);
  await page.keyboard.press('Space');
  await expect.poll(() => page.evaluate(() => document.querySelector('audio')?.currentTime)).toBe(3);
  await expect.poll(statusText).toMatch(/^1 of 1\./);
  expect(texts()).toHaveLength(2);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('Segment deleted').waitFor();
  expect(texts()).toHaveLength(1);
  // The bar is as high as its only button.
  const bar = page.getByRole('group', { name: 'Review' });
  const [barBox, buttonBox] = [
    await bar.boundingBox(),
    await bar.getByRole('button', { name: 'Close review' }).boundingBox(),
  ];
  if (barBox === null || buttonBox === null) throw new Error('The review bar is not shown.');
  expect(buttonBox.y + buttonBox.height).toBeLessThan(barBox.y + barBox.height);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(texts).toHaveLength(2);
});

test('after the last finding, “Looks right” continues at the beginning', async () => {
  await page.getByRole('button', { name: 'Review 5' }).waitFor();
  await page.keyboard.press('Shift+F8');
  await page.keyboard.press('Shift+F8');
  await expect.poll(statusText).toBe('5 of 5, from the end. “old harbour”: the model was unsure.');
  await page.keyboard.press('Enter');
  await expect.poll(statusText).toBe('1 of 4, from the start. “hauled”: the model was unsure.');
  await page.keyboard.press('Enter');
  await expect.poll(statusText).toMatch(/^1 of 3, from the start\. Probably the same name/);
});

test('F2 selects the words of the current place to correct them, from any button of the review', async () => {
  await page.getByRole('button', { name: 'Review 5' }).waitFor();
  await page.keyboard.press('F8');
  await page.keyboard.press('F2');
  await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe('hauled');
  await page.keyboard.type('pulled');
  await page.keyboard.press('F8');
  await expect.poll(statusText).toMatch(/^1 of 4\. Probably the same name/);
  expect(texts()?.[0]).toBe('Thandeka Mbeki pulled nets');
});

test('after the last place, more Enters neither close the review nor change the text', async () => {
  await page.getByRole('button', { name: 'Review 5' }).waitFor();
  await page.keyboard.press('F8');
  for (const left of [4, 3, 2, 1]) {
    await page.keyboard.press('Enter');
    await expect.poll(statusText).toContain(`1 of ${left}.`);
  }
  await page.keyboard.press('Enter');
  await expect.poll(statusText).toBe('There is nothing left to review.');
  for (const key of ['Enter', 'Enter', 'F2', 'Enter', 'Enter']) await page.keyboard.press(key);
  expect(await statusText()).toBe('There is nothing left to review.');
  expect(texts()).toStrictEqual(segments.map(({ text }) => text));
  await page.keyboard.press('Escape');
  await page.getByRole('group', { name: 'Review' }).waitFor({ state: 'detached' });
});

test('after a correction in the text, the review continues with what follows', async () => {
  await page.getByRole('button', { name: 'Review 5' }).waitFor();
  await page.keyboard.press('F8');
  await page.getByRole('button', { name: 'Edit', exact: true }).press('Enter');
  await page.keyboard.type('pulled');
  // The text is reviewed again while the caret is in it.
  await page.getByRole('button', { name: 'Review 4' }).waitFor();
  await page.keyboard.press('F8');
  await expect.poll(statusText).toMatch(/^1 of 4\. Probably the same name/);
});

test('the review follows an undo, and accepts nothing that is off screen', async () => {
  const plain = Array.from({ length: 80 }, (_, index) =>
    segmentWithUnsureWords(index * 4, `They hauled net ${index + 1} to the pier.`, []),
  );
  const long = plain.map((segment, index) =>
    index === 0 || index === 79 ? segmentWithUnsureWords(segment.start, segment.text, ['hauled']) : segment,
  );
  page = await app.open({
    transcripts: [sampleTranscript({ id: 1, name: 'Talk', segments: long, durationSeconds: 320 })],
  });
  await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  await page.getByRole('row', { name: 'Talk' }).click();
  const shown = (number: number) =>
    page
      .getByRole('textbox', { name: new RegExp(`^Segment ${number},`) })
      .evaluateAll((rows) => rows.some((row) => row.getBoundingClientRect().top < innerHeight));
  await page.getByRole('button', { name: 'Review 2' }).waitFor();
  await page.keyboard.press('F8');
  await page.getByRole('button', { name: 'Edit', exact: true }).press('Enter');
  await page.keyboard.type('pulled');
  await page.getByRole('button', { name: 'Review 1' }).waitFor();
  await page.keyboard.press('F8');
  await expect.poll(() => shown(80)).toBe(true);
  await page.keyboard.press('ControlOrMeta+z');
  await page.getByRole('button', { name: 'Review 2' }).waitFor();
  await expect.poll(() => shown(1)).toBe(true);
  await expect.poll(() => highlighted('finding-words')).toStrictEqual(['hauled']);
  await expect.poll(statusText).toMatch(/^1 of 2\./);

  const list = page.getByRole('region', { name: 'Text of the transcript' });
  await list.evaluate((text) => text.dispatchEvent(new WheelEvent('wheel', { bubbles: true })));
  await list.evaluate((text) => text.scrollTo(0, text.scrollHeight));
  await expect.poll(() => shown(80)).toBe(true);
  await page.keyboard.press('Enter');
  await expect.poll(() => shown(1)).toBe(true);
  expect(await statusText()).toMatch(/^1 of 2\./);
  await page.keyboard.press('Enter');
  await expect.poll(statusText).toMatch(/^1 of 1\./);
});

test('an undo restores the place of the review without waiting until the text is reviewed again', async () => {
  await page.getByRole('button', { name: 'Review 5' }).waitFor();
  await page.evaluate(() => {
    // From now on, no text is reviewed again: that begins after a delay.
    const { setTimeout } = window;
    window.setTimeout = ((run: () => void, ms?: number) =>
      ms === 250 ? 0 : setTimeout(run, ms)) as typeof window.setTimeout;
  });
  await page.keyboard.press('F8');
  await page.keyboard.press('Enter');
  await expect.poll(statusText).toMatch(/^1 of 4\. Probably the same name/);
  await page.getByRole('button', { name: 'Change all to “Mbeki”' }).press('Enter');
  await expect.poll(statusText).toMatch(/^1 of 3\. “wrote”/);
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(statusText).toMatch(/of 4\. Probably the same name/);
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(statusText).toBe('1 of 5. “hauled”: the model was unsure.');
});

test('one action corrects a name everywhere, and one undo restores it', async () => {
  await page.getByRole('button', { name: 'Review 5' }).waitFor();
  await page.keyboard.press('F8');
  await page.getByLabel('Show in the review').selectOption({ label: 'Names: 1' });
  await expect.poll(statusText).toBe('1 of 1. Probably the same name: Mbeki 3, Mbecki 2.');
  await page.getByRole('button', { name: 'Change all to “Mbeki”' }).press('Enter');
  await page.getByText('2 occurrences corrected to “Mbeki”').waitFor();
  await expect.poll(() => texts()?.join(' ')).not.toContain('Mbecki');
  await expect.poll(marked).toStrictEqual(unsureWords);
  await expect.poll(statusText).toBe('No names left. 4 others are left to review.');
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(texts).toStrictEqual(segments.map(({ text }) => text));
});

test('near misses of the terms that a recording was transcribed with are corrected together', async () => {
  const spoken = ['I am Anna Lindquist.', 'Anna Lindquist was there.', 'Ask Lindquist, then.'];
  const talk = sampleTranscript({
    id: 1,
    name: 'Talk',
    segments: spoken.map((text, index) => ({ start: index * 3, end: index * 3 + 3, text })),
    durationSeconds: 10,
  });
  page = await app.open({ transcripts: [talk], drafts: { 1: { terms: ['Anna Lindqvist'] } } });
  await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  await page.getByRole('row', { name: 'Talk' }).click();
  await page.getByRole('button', { name: 'Review 1' }).click();
  await expect.poll(statusText).toBe('1 of 1. Probably the same name: Lindqvist 0, Lindquist 3.');
  await page.getByRole('button', { name: 'Change all to “Lindqvist”' }).press('Enter');
  await page.getByText('3 occurrences corrected to “Lindqvist”').waitFor();
  expect(texts()?.join(' ')).not.toContain('Lindquist');
});

test('what was accepted after a correction is undone first, and its message closes', async () => {
  await page.getByRole('button', { name: 'Review 5' }).waitFor();
  await page.keyboard.press('F8');
  await page.keyboard.press('Enter');
  await page.getByLabel('Show in the review').selectOption({ label: 'Names: 1' });
  await page.getByRole('button', { name: 'Looks right' }).press('Enter');
  const message = page.getByRole('dialog').getByText('Marked as right');
  await message.waitFor();
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(statusText).toBe('1 of 1. Probably the same name: Mbeki 3, Mbecki 2.');
  await message.waitFor({ state: 'detached' });
  await expect.poll(marked).not.toContain('hauled');
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(marked).toStrictEqual(unsureWords);
});

test('after another view of the text, the text has the focus and the open bars are as they were', async () => {
  const hint = page.getByText('Tab plays and pauses while you type');
  await page.getByRole('button', { name: 'Review 5' }).waitFor();
  await page.keyboard.press('F8');
  await page.keyboard.press('ControlOrMeta+f');
  await page.getByLabel('Replace with').fill('boats');
  await hint.waitFor();
  const list = page.getByRole('region', { name: 'Text of the transcript' });
  for (const view of ['Original', 'Changes since the original']) {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: view, exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Your version' }).waitFor();
    expect(await hint.count()).toBe(0);
    await page.getByRole('button', { name: 'Your version' }).press('Enter');
    await hint.waitFor();
    await expect.poll(() => list.evaluate((text) => text === document.activeElement)).toBe(true);
  }
  await expect.poll(statusText).toBe('1 of 5. “hauled”: the model was unsure.');
  expect(await page.getByLabel('Replace with').inputValue()).toBe('boats');
});

test('a doubled word is reviewed and removed by keyboard, and one undo restores it', async () => {
  const doubled = ['We went to to the', 'the harbour, which that that had had.'];
  const talk = sampleTranscript({
    id: 1,
    name: 'Talk',
    segments: doubled.map((text, index) => ({ start: index * 5, end: index * 5 + 5, text })),
    durationSeconds: 10,
  });
  page = await app.open({ transcripts: [talk] });
  await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  await page.getByRole('row', { name: 'Talk' }).click();
  await page.getByRole('button', { name: 'Review 2' }).waitFor();
  await page.keyboard.press('F8');
  await expect.poll(statusText).toBe('1 of 2. “to to”: a doubled word.');
  await expect.poll(() => highlighted('finding-words')).toStrictEqual(['to to']);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Repetition removed').waitFor();
  await expect.poll(statusText).toBe('1 of 1. “the the”: a doubled word.');
  await expect.poll(() => highlighted('finding-words')).toStrictEqual(['the']);
  await page.getByRole('button', { name: 'Remove one' }).press('Enter');
  await expect.poll(statusText).toBe('There is nothing left to review.');
  await expect.poll(texts).toStrictEqual(['We went to the', 'harbour, which that that had had.']);
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(texts).toStrictEqual(['We went to the', doubled[1]]);
});
