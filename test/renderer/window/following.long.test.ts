import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Waveform } from '../../../electron/contract/waveform.ts';
import { sampleTranscript, segmentsOf } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

const list = (page: Page) => page.getByRole('region', { name: 'Text of the transcript' });
const follow = (page: Page) => page.getByRole('button', { name: 'Back to playback' });

/** A transcript with a recording of 81 minutes. */
async function openLong(waveform: Waveform | null): Promise<Page> {
  const sample = sampleTranscript({ id: 1, segments: segmentsOf(675), durationSeconds: 4867 });
  const page = await app.open({
    transcripts: [sample],
    recordings: {
      1: {
        kind: 'ready',
        media: 'audio',
        url: 'media://transcript/1',
        sizeBytes: 14_601_044,
        stamp: '0'.repeat(32),
      },
    },
    answers: { 'transcript.waveform': () => waveform },
  });
  await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  await page.getByRole('row', { name: sample.name }).click();
  await page.getByRole('textbox').first().waitFor();
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  return page;
}

/** Opens the same transcript, and plays it. */
async function play(): Promise<Page> {
  const page = await openLong({ sliceSeconds: [4867], peaks: new Uint8Array(2000) });
  await list(page).press('Space');
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  return page;
}

/** Moves playback to a time, as if it had played that far, and waits until that is rendered. */
async function continuePlaybackAt(page: Page, minutes: number): Promise<void> {
  await page.evaluate((seconds) => {
    const element = document.querySelector('audio');
    if (element !== null) element.currentTime = seconds;
  }, minutes * 60);
  await page.getByText(new RegExp(`^${minutes}:\\d\\d /`)).waitFor();
  await stableScrollTop(page);
}

/** Returns the scroll position of the list, once it has been stable for some frames. */
const stableScrollTop = (page: Page): Promise<number> =>
  list(page).evaluate(
    (element) =>
      new Promise<number>((done) => {
        let before = -1;
        let frames = 0;
        const check = (): void => {
          frames = element.scrollTop === before ? frames + 1 : 0;
          before = element.scrollTop;
          if (frames === 8) done(before);
          else requestAnimationFrame(check);
        };
        check();
      }),
  );

/** Whether the segment that is playing is visible. */
const isPlayingVisible = (page: Page): Promise<boolean> =>
  list(page).evaluate((element) => {
    const row = element.querySelector('[aria-current=time]')?.getBoundingClientRect();
    const around = element.getBoundingClientRect();
    return row !== undefined && row.top >= around.top && row.bottom <= around.bottom;
  });

test('the segment that is playing is visible, wherever playback continues', async () => {
  const page = await play();
  for (const minutes of [10, 45, 3]) {
    await continuePlaybackAt(page, minutes);
    await expect.poll(() => isPlayingVisible(page)).toBe(true);
  }
  expect(await follow(page).count()).toBe(0);
});

describe('a user who scrolls away during playback', () => {
  const ways: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
    [
      'by wheel',
      async (page) => {
        await list(page).hover();
        await page.mouse.wheel(0, 4000);
      },
    ],
    ['by PageDown', (page) => list(page).press('PageDown')],
    ['by PageUp', (page) => list(page).press('PageUp')],
    ['by Home', (page) => list(page).press('Home')],
    ['by End', (page) => list(page).press('End')],
    [
      'by arrows',
      async (page) => {
        for (let step = 0; step < 3; step += 1) await list(page).press('ArrowDown');
      },
    ],
    [
      'to type there',
      async (page) => {
        await list(page).press('Home');
        await stableScrollTop(page);
        await list(page).press('Enter');
      },
    ],
    [
      'to find something',
      async (page) => {
        await page.keyboard.press('ControlOrMeta+f');
        await page.keyboard.type('nets');
        await page.getByText(/^\d+ of \d+$/).waitFor();
        await page.keyboard.press('Enter');
      },
    ],
  ];

  test.each(ways)('%s is not scrolled back, and can return to the playback', async (_way, leave) => {
    const page = await play();
    await continuePlaybackAt(page, 20);
    await expect.poll(() => isPlayingVisible(page)).toBe(true);
    const before = await stableScrollTop(page);
    await leave(page);
    await expect.poll(() => stableScrollTop(page)).not.toBe(before);
    const there = await stableScrollTop(page);
    for (const minutes of [21, 35, 50]) {
      await continuePlaybackAt(page, minutes);
      expect(await stableScrollTop(page)).toBe(there);
    }
    await follow(page).press('Enter');
    await expect.poll(() => isPlayingVisible(page)).toBe(true);
    expect(await follow(page).count()).toBe(0);
    await continuePlaybackAt(page, 59);
    await expect.poll(() => isPlayingVisible(page)).toBe(true);
  });
});

test('the waveform is computed in the background, and only while the transcript is open', async () => {
  const page = await openLong(null);
  await expect.poll(() => page.workers().length).toBe(1);
  await list(page).press('Escape');
  await expect.poll(() => page.workers().length).toBe(0);
});

test('playback pauses when the window is closed while work continues', async () => {
  const page = await play();
  await app.push('window.closed', null);
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  expect(await page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.paused)).toBe(true);
});
