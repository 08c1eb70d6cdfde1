import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openTranscript } from '../../support/window/open-transcript.ts';
import { sampleRow } from '../../support/window/sample-rows.ts';
import { segmentsOf } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';
import { pretendVideo } from '../../support/window/view.ts';

const app = setUpTestWindow();

const recording = {
  kind: 'ready',
  media: 'video',
  url: 'media://transcript/4',
  sizeBytes: 1_000_000,
  stamp: '0'.repeat(32),
} as const;

async function open(width: number, size?: Parameters<typeof pretendVideo>[1]): Promise<Page> {
  const page = await openTranscript(app, {}, { recordings: { 4: recording } });
  await page.setViewportSize({ width, height: 700 });
  await pretendVideo(page, size);
  return page;
}

const boxes = async (page: Page) => {
  const [video, text] = await Promise.all([
    page.locator('video').boundingBox(),
    page.getByRole('region', { name: 'Text of the transcript' }).boundingBox(),
  ]);
  if (video === null || text === null) throw new Error('both are on screen');
  return { video, text };
};
const splitter = (page: Page) => page.getByRole('separator', { name: 'Width of the video' });

test('a video is beside the text where there is room, and above it where there is none', async () => {
  const page = await open(1280);
  const wide = await boxes(page);
  expect(wide.video.x).toBeGreaterThanOrEqual(wide.text.x + wide.text.width);
  expect(wide.video.width / wide.video.height).toBeCloseTo(640 / 360, 1);
  await page.setViewportSize({ width: 1000, height: 700 });
  const narrow = await boxes(page);
  expect(narrow.video.y + narrow.video.height).toBeLessThanOrEqual(narrow.text.y);
  expect(await splitter(page).isVisible()).toBe(false);
});

test('a video is hidden by the menu, plays on, and is shown again', async () => {
  const page = await open(1280);
  const before = await boxes(page);
  const choose = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await choose('Hide video');
  await page.locator('video').waitFor({ state: 'hidden' });
  expect(await page.locator('video').count()).toBe(1);
  const text = page.getByRole('region', { name: 'Text of the transcript' });
  const right = async () => {
    const box = await text.boundingBox();
    return box === null ? null : box.x + box.width;
  };
  await expect.poll(right).toBe(1280);
  expect(app.main.callsOf('settings.change')).toStrictEqual([{ showVideo: false }]);
  await choose('Show video');
  await page.locator('video').waitFor();
  await expect.poll(right).toBe(before.text.x + before.text.width);
});

test('the text has the whole width again when the video is removed', async () => {
  const page = await open(1280);
  const text = page.getByRole('region', { name: 'Text of the transcript' });
  const before = await boxes(page);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Remove recording' }).click();
  await page.locator('video').waitFor({ state: 'detached' });
  const edges = async () => {
    const box = await text.boundingBox();
    return box === null ? null : [box.x, box.x + box.width];
  };
  await expect.poll(edges).toStrictEqual([before.text.x, 1280]);
});

test('a vertical video leaves the text its space, and is shown whole', async () => {
  for (const width of [1280, 1000]) {
    const wide = await boxes(await open(width));
    const page = await open(width, { width: 360, height: 640 });
    if (width === 1280) await splitter(page).press('End');
    const vertical = await boxes(page);
    expect([vertical.text.y, vertical.text.height]).toStrictEqual([wide.text.y, wide.text.height]);
    expect(vertical.video.width / vertical.video.height).toBeCloseTo(360 / 640, 1);
    expect(vertical.video.y + vertical.video.height).toBeLessThanOrEqual(700);
  }
});

test('a video is also beside a transcript in progress', async () => {
  const state = { kind: 'transcribing', status: 'processing', progress: 40, latestText: 'so far' } as const;
  const page = await app.open(
    {
      rows: [sampleRow({ id: 1, name: 'talk.mp4', state })],
      live: { 1: segmentsOf(100) },
      itemRecordings: { 1: { ...recording, url: 'media://item/1' } },
    },
    { width: 1280, height: 700 },
  );
  await page.getByRole('row', { name: 'talk.mp4' }).getByText('so far').click();
  const text = page.getByRole('region', { name: 'Transcript so far' });
  await text.waitFor();
  await pretendVideo(page);
  await splitter(page).press('End');
  await expect.poll(() => app.main.settings.videoShare).toBe(0.6);
  const beside = async () => {
    const [video, words] = await Promise.all([page.locator('video').boundingBox(), text.boundingBox()]);
    return (video?.x ?? 0) - (words?.x ?? 0) - (words?.width ?? 0);
  };
  await expect.poll(beside).toBeGreaterThanOrEqual(0);
  // The text has the height that is left.
  expect((await text.boundingBox())?.height).toBeGreaterThan(300);
});

test('its width is changed by keyboard and by dragging, within limits, and remembered', async () => {
  const page = await open(1280);
  const before = await boxes(page);
  await splitter(page).press('ArrowLeft');
  await expect.poll(() => app.main.settings.videoShare).toBeCloseTo(0.42);
  await expect.poll(async () => (await boxes(page)).video.width).toBeGreaterThan(before.video.width);
  await splitter(page).press('ArrowRight');
  await splitter(page).press('Home');
  await expect.poll(() => app.main.settings.videoShare).toBe(0.2);
  await splitter(page).press('End');
  await expect.poll(() => splitter(page).getAttribute('aria-valuenow')).toBe('60');

  const handle = await splitter(page).boundingBox();
  if (handle === null) throw new Error('it is on screen');
  const y = handle.y + 200;
  await page.mouse.move(handle.x + 4, y);
  await page.mouse.down();
  await page.mouse.move(handle.x + 204, y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => app.main.settings.videoShare).toBeLessThan(0.5);
  // Far beyond the edge.
  const moved = await splitter(page).boundingBox();
  await page.mouse.move((moved?.x ?? 0) + 4, y);
  await page.mouse.down();
  await page.mouse.move(1279, y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => app.main.settings.videoShare).toBe(0.2);
});

test('in a small window, the text keeps three segments, and the warning can be closed', async () => {
  const segments = segmentsOf(60).map((one) => ({
    ...one,
    text: 'We hauled the nets at dawn, and Piet sang all day.',
  }));
  const page = await openTranscript(app, { segments }, { recordings: { 4: recording } });
  await page.setViewportSize({ width: 720, height: 480 });
  await pretendVideo(page);
  const shorten = () =>
    page.locator('video').evaluate((video) => {
      Object.defineProperty(video, 'duration', { get: () => 157, configurable: true });
      video.dispatchEvent(new Event('durationchange'));
    });
  const begun = () =>
    page.getByRole('region', { name: 'Text of the transcript' }).evaluate((list) => {
      const { top, bottom } = list.getBoundingClientRect();
      return Array.from(list.querySelectorAll('[role=textbox]'), (row) => row.getClientRects()[0]).filter(
        (box) => box !== undefined && box.top >= top && box.top + 20 <= bottom,
      ).length;
    });
  const warning = page.getByText('The recording is shorter than the transcript.');
  await shorten();
  await warning.waitFor();
  expect(await begun()).toBeGreaterThanOrEqual(3);
  await page.keyboard.press('ControlOrMeta+f');
  await page.getByRole('textbox', { name: 'Find', exact: true }).waitFor();
  expect(await begun()).toBeGreaterThanOrEqual(3);
  await page.getByRole('button', { name: 'Close this message' }).click();
  await warning.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Review/ }).click();
  await page.getByRole('button', { name: 'Looks right' }).waitFor();
  await expect.poll(begun).toBeGreaterThanOrEqual(3);
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByRole('row').last().click();
  await pretendVideo(page);
  await shorten();
  await page.getByRole('textbox').first().waitFor();
  expect(await warning.count()).toBe(0);
});

test('says above both that the recording ends before the last segment, and only then', async () => {
  const page = await openTranscript(app, { segments: segmentsOf(60) }, { recordings: { 4: recording } });
  await page.setViewportSize({ width: 1280, height: 700 });
  await pretendVideo(page);
  const lasting = (seconds: number) =>
    page.locator('video').evaluate((video, duration) => {
      Object.defineProperty(video, 'duration', { get: () => duration, configurable: true });
      video.dispatchEvent(new Event('durationchange'));
    }, seconds);
  const warning = page.getByText('The recording is shorter than the transcript.');
  await lasting(157);
  await warning.waitFor();
  const { video, text } = await boxes(page);
  expect(video.x).toBeGreaterThanOrEqual(text.x + text.width);
  await page.getByRole('button', { name: 'Choose another recording…' }).waitFor();
  await lasting(3600);
  await warning.waitFor({ state: 'detached' });
});
