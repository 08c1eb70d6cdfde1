import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { defaultExportChoices } from '../../../electron/contract/export.ts';
import type { RecordingStatus } from '../../../electron/contract/recording-status.ts';
import type { Scene } from '../../support/window/fake-main.ts';
import { openTranscript, segmentOf } from '../../support/window/open-transcript.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';
import { pretendVideo } from '../../support/window/view.ts';

const app = setUpTestWindow();

const long = 'Nobody on the quay had heard that the harbour would close before the winter.';
const segments = [
  { start: 0, end: 6, text: long },
  { start: 6.02, end: 6.5, text: 'Nobody at all.' },
  { start: 12, end: 18, text: 'And a boat?' },
];
const recording = (media: 'audio' | 'video'): RecordingStatus => ({
  kind: 'ready',
  media,
  url: 'media://transcript/4',
  sizeBytes: 1000,
  stamp: '0'.repeat(32),
});

let page: Page;
async function open(media: 'audio' | 'video', settings: Scene['settings'] = {}): Promise<void> {
  const transcript = { name: 'Nets', language: 'en', segments, durationSeconds: 30 };
  page = await openTranscript(app, transcript, { settings, recordings: { 4: recording(media) } });
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
}
beforeEach(() => open('audio'));

const preview = () => page.getByRole('group', { name: 'Subtitle at the playhead' });
const lines = () => preview().locator('[dir=auto]').allTextContents();
const facts = () => preview().locator('[dir=auto] ~ :not([dir])').textContent();
/** Expects that every character of the subtitle is inside its box, and the box inside its place. */
async function expectNothingCut(): Promise<void> {
  await expect
    .poll(() =>
      preview()
        .locator('[dir=auto], [dir=auto] > *')
        .evaluateAll((parts) =>
          parts.some((part) => {
            const [box, place] = [part, part.closest('[role=group]')].map((one) =>
              one?.getBoundingClientRect(),
            );
            return (
              // Inline parts have no width of their own.
              (part.clientWidth > 0 && part.scrollWidth > part.clientWidth) ||
              (part.clientHeight > 0 && part.scrollHeight > part.clientHeight) ||
              (part.matches('[dir]') &&
                ((box?.left ?? 0) < (place?.left ?? 0) - 1 || (box?.right ?? 0) > (place?.right ?? 0) + 1))
            );
          }),
        ),
    )
    .toBe(false);
}
const topOf = (number: number) =>
  segmentOf(page, number).evaluate((text) => text.getBoundingClientRect().top);

test('is shown and hidden by a key, follows the playhead, and moves nothing', async () => {
  await segmentOf(page, 1).focus();
  const before = await topOf(1);
  expect(await preview().count()).toBe(0);
  await page.keyboard.press('Alt+s');
  await expect
    .poll(lines)
    .toStrictEqual(['Nobody on the quay had heard that', 'the harbour would close before the winter.']);
  expect(await facts()).toMatch(/^\d+ characters\/s$/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => preview().count()).toBe(0);
  await page.keyboard.press('ArrowRight');
  await expect.poll(lines).toStrictEqual(['And a boat?']);
  expect(await topOf(1)).toBe(before);
  await page.keyboard.press('Alt+s');
  await expect.poll(() => preview().count()).toBe(0);
  expect(await segmentOf(page, 1).textContent()).toBe(long);
});

test('is remembered: another transcript and the next start show it', async () => {
  const button = page.getByRole('button', { name: 'Subtitle preview' });
  await button.click();
  await preview().waitFor();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByRole('row', { name: 'Nets' }).click();
  await preview().waitFor();
  expect(await button.getAttribute('aria-pressed')).toBe('true');
  expect(app.main.callsOf('settings.change')).toStrictEqual([{ showSubtitlePreview: true }]);
});

test('follows edits, and their undo', async () => {
  await page.keyboard.press('Alt+s');
  await segmentOf(page, 1).focus();
  await page.keyboard.press('Home');
  await page.keyboard.type('Oh. ');
  await page.keyboard.press('Tab');
  await expect.poll(async () => (await lines())[0]).toMatch(/^Oh\. Nobody/);
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(async () => (await lines())[0]).toMatch(/^Nobody/);
});

test('marks what violates the rules of the chosen preset, where it does', async () => {
  await open('audio', {
    showSubtitlePreview: true,
    exporting: { ...defaultExportChoices, subtitles: 'raw' },
  });
  await expect.poll(lines).toStrictEqual([long]);
  const excess = preview().locator('[dir=auto] > :last-child');
  expect(await excess.textContent()).toBe(long.slice(42));
  await page.setViewportSize({ width: 720, height: 480 });
  await expectNothingCut();
  expect(await facts()).toBe('13 characters/sline over 42 charactersonly 0.02 s to the next');
  await page.keyboard.press('ArrowRight');
  await segmentOf(page, 2).click({ modifiers: ['ControlOrMeta'] });
  await expect.poll(facts).toBe('29 characters/s, at most 200.48 s is too short');
});

test('is not cut by a low video that is narrower', async () => {
  await open('video', { showSubtitlePreview: true });
  await page.setViewportSize({ width: 720, height: 480 });
  await pretendVideo(page);
  await expect.poll(() => lines().then((all) => all.length)).toBe(2);
  await expectNothingCut();
});

test.each([720, 1280])('shows lines of wide characters completely in a window of %d px', async (width) => {
  const text = 'WHETHER MUMMY WOWED WILMA OR WE WOWED MUM WHEN WE MOWED WOMBAT MEWS';
  const transcript = { name: 'Nets', language: 'en', segments: [{ start: 0, end: 6, text }] };
  page = await openTranscript(app, transcript, {
    settings: { showSubtitlePreview: true },
    recordings: { 4: recording('audio') },
  });
  await expect.poll(() => lines().then((all) => all.length)).toBe(2);
  await page.setViewportSize({ width, height: 480 });
  await expectNothingCut();
  const textTop = await topOf(1);
  await page.keyboard.press('Alt+s');
  await expect.poll(() => preview().count()).toBe(0);
  expect(await topOf(1)).toBe(textTop);
});

test('lies on the picture of a video', async () => {
  await open('video', { showSubtitlePreview: true });
  await pretendVideo(page);
  const isInside = () =>
    preview().evaluate((cue) => {
      const [inner, outer] = [cue, document.querySelector('video')].map((one) =>
        one?.getBoundingClientRect(),
      );
      return (
        inner !== undefined && outer !== undefined && inner.top >= outer.top && inner.bottom <= outer.bottom
      );
    });
  await expect.poll(isInside).toBe(true);
  expect(await preview().count()).toBe(1);
});
