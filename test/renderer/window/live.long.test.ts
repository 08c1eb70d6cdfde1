import { expect, test } from 'vitest';
import type { RecordingStatus } from '../../../electron/contract/recording-status.ts';
import type { QueueRow, QueueSummary } from '../../../electron/contract/queue-commands.ts';
import { sampleRow } from '../../support/window/sample-rows.ts';
import { sampleTranscript, segmentsOf } from '../../support/window/sample-transcripts.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow();

const segments = segmentsOf(200);
const list = () => app.page.getByRole('region', { name: 'Transcript so far' });
const at = (index: number) => list().locator(`[data-index="${index}"]`);
const rowWith = (state: QueueRow['state']): QueueRow => sampleRow({ id: 1, name: 'talk.wav', state });
const transcribing = (latestText: string): QueueRow =>
  rowWith({ kind: 'transcribing', status: 'processing', progress: 40, latestText });

const readyRecording: RecordingStatus = {
  kind: 'ready',
  media: 'audio',
  url: 'media://transcript/1',
  sizeBytes: 14_601_044,
  stamp: '0'.repeat(32),
};

async function openLive(
  count: number,
  text = segments,
  summary: Partial<QueueSummary> = {},
  recording = readyRecording,
): Promise<void> {
  const page = await app.open({
    summary,
    rows: [transcribing('and then he left')],
    live: { 1: text.slice(0, count) },
    itemRecordings: { 1: recording },
    transcripts: [sampleTranscript({ id: 7, name: 'talk.wav', segments })],
    recordings: { 7: readyRecording },
  });
  await page.getByRole('row', { name: 'talk.wav' }).getByText('and then he left').click();
  await list().waitFor();
}

const lastShown = () => list().getByRole('listitem').last();
const shownNumber = async (): Promise<number> => Number(await lastShown().getAttribute('aria-posinset'));
const scrolled = (): Promise<number> => list().evaluate((element) => element.scrollTop);
const playerTime = (): Promise<number> =>
  app.page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime);
/** Moves playback to a segment, as if it had played that far. */
async function continuePlaybackAt(index: number): Promise<void> {
  await app.page
    .locator('audio')
    .evaluate(
      (audio: HTMLAudioElement, seconds) => (audio.currentTime = seconds),
      segments[index]!.start + 0.1,
    );
  await expect.poll(() => list().locator('[data-playing]').getAttribute('data-index')).toBe(String(index));
}
const finish = (): void =>
  app.main.changeRows([
    rowWith({
      kind: 'done',
      transcript: { kind: 'library', id: 7 },
      wordCount: 900,
      files: { saved: [], failed: [] },
    }),
  ]);

test('a recording without text so far cannot be opened', async () => {
  const page = await app.open({
    rows: [rowWith({ kind: 'transcribing', status: 'queued', progress: 0 })],
  });
  await page.getByRole('row', { name: 'talk.wav' }).click();
  await page.getByRole('row', { name: 'talk.wav' }).click({ button: 'right' });
  await page.getByRole('menu').waitFor();
  expect(await page.getByRole('menuitem', { name: 'Open' }).count()).toBe(0);
});

test('the text of a recording in progress grows, and its end stays on screen', async () => {
  await openLive(50);
  await expect.poll(shownNumber).toBe(50);
  app.main.live = { 1: segments.slice(0, 60) };
  await expect.poll(shownNumber).toBe(60);
});

test('a reader who has scrolled up stays there', async () => {
  await openLive(100);
  await expect.poll(shownNumber).toBe(100);
  await app.page.keyboard.press('Home');
  await expect.poll(scrolled).toBeLessThan(30);
  app.main.live = { 1: segments.slice(0, 120) };
  await list().locator('[aria-setsize="120"]').first().waitFor();
  expect(await scrolled()).toBeLessThan(30);
});

test('the last segment is replaced when it changes', async () => {
  await openLive(3);
  expect(await list().getByText('said otherwise').count()).toBe(0);
  app.main.live = { 1: [...segments.slice(0, 2), { start: 9, end: 12, text: 'said otherwise' }] };
  await list().getByText('said otherwise').waitFor();
  await expect.poll(() => list().getByRole('listitem').count()).toBe(3);
});

test('a search marks its matches, and Enter goes from one to the next', async () => {
  const withMatches = segments.map((one, i) => (i === 3 || i === 60 ? { ...one, text: 'A Xylophone' } : one));
  await openLive(100, withMatches);
  await app.page.keyboard.press('Control+f');
  await app.page.keyboard.type('xylo');
  await app.page.getByText('2 passages').waitFor();
  await app.page.keyboard.press('Enter');
  await expect.poll(() => at(3).locator('mark').textContent()).toBe('Xylo');
  await app.page.keyboard.press('Enter');
  await expect.poll(() => at(60).locator('mark').count()).toBe(1);
  expect(await at(3).count()).toBe(0);
  await app.page.keyboard.press('Shift+Enter');
  await expect.poll(() => at(3).locator('mark').count()).toBe(1);
});

test('of matches that are on screen, the current one is marked, and every key of the search steps', async () => {
  const withMatches = segments.map((one, i) =>
    [2, 4, 60].includes(i) ? { ...one, text: 'A Xylophone' } : one,
  );
  await openLive(100, withMatches);
  const current = () => list().locator('[aria-current=true]').getAttribute('data-index');
  await list().press('Home');
  await app.page.keyboard.press('F3');
  await app.page.keyboard.type('xylo');
  for (const [key, index] of [
    ['Enter', 2],
    ['F3', 4],
    ['Control+g', 60],
    ['Control+Shift+g', 4],
    ['Shift+F3', 2],
  ] as const) {
    await app.page.keyboard.press(key);
    await expect.poll(current).toBe(String(index));
  }
  await app.page.getByText('1 of 3').waitFor();
  // Space plays from there.
  await expect.poll(playerTime).toBe(segments[2]!.start);
  await list().press('F3');
  await expect.poll(current).toBe('4');
  // Escape clears the field, then leaves it for the text.
  await app.page.keyboard.press('Control+f');
  await app.page.keyboard.press('Escape');
  await app.page.keyboard.press('Escape');
  await expect.poll(() => list().evaluate((text) => text === document.activeElement)).toBe(true);
});

test('the keys of reading work as in a saved transcript', async () => {
  await openLive(100);
  const page = app.page;
  await page.getByText('/ 1:21:07').waitFor();
  await list().press('ArrowRight');
  await list().press('ArrowRight');
  await expect.poll(playerTime).toBe(10);
  await list().press('ArrowLeft');
  await expect.poll(playerTime).toBe(5);
  // Also while a button has the focus, which keeps Space for itself.
  await at(3).getByRole('button').click();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.keyboard.press('>');
  await page.getByRole('button', { name: 'Speed: 1.25 times' }).waitFor();
  await page.keyboard.press('<');
  await page.getByRole('button', { name: 'Speed: 1 times' }).waitFor();
  await page.keyboard.press('ArrowRight');
  await expect.poll(playerTime).toBeGreaterThan(segments[3]!.start + 4);
  await list().press('Control+End');
  await expect.poll(playerTime).toBe(segments[99]!.start);
  await expect.poll(() => at(99).getAttribute('data-playing')).toBe('true');
  await list().press('Control+Home');
  await expect.poll(playerTime).toBe(segments[0]!.start);
  await expect.poll(scrolled).toBeLessThan(30);
  await page.getByRole('button', { name: 'Play', exact: true }).press('Escape');
  await page.getByRole('row', { name: 'talk.wav' }).waitFor();
});

test('the saved transcript takes its place, at the same segment', async () => {
  await openLive(150);
  await expect.poll(shownNumber).toBe(150);
  app.main.live = { 1: segments };
  finish();
  const text = app.page.getByRole('textbox');
  await text.first().waitFor();
  await expect.poll(() => app.page.locator('main [data-segment], main li').count()).toBeGreaterThan(3);
  expect(await list().count()).toBe(0);
  await expect
    .poll(() => app.page.locator('main').getByRole('listitem').first().getAttribute('aria-posinset'))
    .not.toBe('1');
});

test('what is playing stays on screen, and the saved transcript opens there', async () => {
  await openLive(150);
  await expect.poll(shownNumber).toBe(150);
  await list().press('Space');
  await app.page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await app.page.evaluate((seconds) => {
    const element = document.querySelector('audio');
    if (element !== null) element.currentTime = seconds;
  }, segments[20]!.start + 0.1);
  await expect.poll(() => at(20).getAttribute('data-playing')).toBe('true');
  app.main.live = { 1: segments };
  await list().locator('[aria-setsize="200"]').first().waitFor();
  await expect.poll(() => at(20).count()).toBe(1);
  finish();
  await app.page.getByText('The transcript is complete').waitFor();
  expect(await app.page.getByText('The text grows while').count()).toBe(0);
  await list().press('Space');
  await app.page.getByRole('region', { name: 'Text of the transcript' }).waitFor();
  await app.page.getByText(segments[20]!.text.trim()).first().waitFor();
});

test('a list that becomes smaller, for example by a banner, still follows what is playing', async () => {
  await openLive(150);
  await expect.poll(shownNumber).toBe(150);
  const page = app.page;
  await list().press('Control+Home');
  await list().press('Space');
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await continuePlaybackAt(8);
  expect(await scrolled()).toBeLessThan(30);
  await page.setViewportSize({ width: 1280, height: 450 });
  finish();
  await page.getByText('It opens when you pause.').waitFor();
  await list().locator('[aria-setsize="200"]').first().waitFor();
  await continuePlaybackAt(9);
  await expect.poll(scrolled).toBeGreaterThan(100);
  await continuePlaybackAt(60);
  const played = await playerTime();
  await list().press('Space');
  await page.getByRole('region', { name: 'Text of the transcript' }).waitFor();
  await page.getByText(segments[60]!.text.trim()).first().waitFor();
  await expect.poll(playerTime).toBeGreaterThanOrEqual(played);
});

test('text that grows below the screen while it is played is not shown on pause', async () => {
  await openLive(5);
  await list().press('Space');
  await app.page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  app.main.live = { 1: segments.slice(0, 120) };
  await list().locator('[aria-setsize="120"]').first().waitFor();
  await list().press('Space');
  await app.page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  app.main.live = { 1: segments.slice(0, 121) };
  await list().locator('[aria-setsize="121"]').first().waitFor();
  expect(await scrolled()).toBeLessThan(30);
});

test('who scrolls away from what is playing can return to it', async () => {
  await openLive(150);
  await list().press('Control+Home');
  await list().press('Space');
  await app.page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await continuePlaybackAt(3);
  await list().press('End');
  await expect.poll(() => at(3).count()).toBe(0);
  await app.page.getByRole('button', { name: 'Back to playback' }).click();
  await expect.poll(() => at(3).getAttribute('data-playing')).toBe('true');
});

test('the end of the text is shown when it is complete, and a user in the search field stays there', async () => {
  await openLive(150);
  await expect.poll(shownNumber).toBe(150);
  const page = app.page;
  await list().press('Space');
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  const search = page.getByRole('searchbox');
  await search.focus();
  finish();
  await page.getByText('It opens when you pause.').waitFor();
  await list().locator('[aria-setsize="200"]').first().waitFor();
  await page.evaluate(() => document.querySelector('audio')?.pause());
  await page.getByText('It opens when you pause.').waitFor({ state: 'detached' });
  await page.keyboard.type('net 1');
  expect(await search.inputValue()).toBe('net 1');
  await page.getByRole('button', { name: 'Open the transcript' }).click();
  await page.getByRole('region', { name: 'Text of the transcript' }).waitFor();
});

test('a recording that was moved away is named, and no click is promised to play it', async () => {
  await openLive(5, segments, {}, { kind: 'missing', name: 'talk.wav' });
  await app.page.getByText('The recording was not found.').waitFor();
  await app.page.getByText('The text grows while the recording is transcribed.').waitFor();
  expect(await app.page.getByText('Click a time').count()).toBe(0);
});

test('the saved transcript opens where the user reads, although something was played before', async () => {
  await openLive(150);
  await expect.poll(shownNumber).toBe(150);
  await list().press('Home');
  await at(2).getByRole('button').click();
  await app.page.getByRole('button', { name: 'Pause', exact: true }).click();
  await list().press('End');
  await expect.poll(() => at(2).count()).toBe(0);
  finish();
  await app.page.getByRole('textbox').first().waitFor();
  const first = app.page.locator('main').getByRole('listitem').first();
  await expect.poll(async () => Number(await first.getAttribute('aria-posinset'))).toBeGreaterThan(100);
});

test('the text of a paused recording stays on screen, and grows once it is resumed', async () => {
  await openLive(5);
  app.main.changeRows([rowWith({ kind: 'paused' })]);
  const note = app.page.getByText('is not being transcribed now');
  await note.waitFor();
  expect(await list().getByRole('listitem').count()).toBe(5);
  app.main.live = {};
  app.main.changeRows([transcribing('')]);
  await note.waitFor({ state: 'detached' });
  expect(await list().getByRole('listitem').count()).toBe(5);
  app.main.live = { 1: segments.slice(0, 8) };
  await expect.poll(shownNumber).toBe(8);
  await app.page.keyboard.press('Escape');
  await app.page.getByRole('row', { name: 'talk.wav' }).waitFor();
});

test('the text grows again after a request has failed, which is reported once', async () => {
  let fails = false;
  const page = await app.open({
    rows: [transcribing('and then he left')],
    live: { 1: segments.slice(0, 5) },
    refusing: (name) => (fails && name === 'queue.live' ? 'internal' : null),
  });
  await page.getByRole('row', { name: 'talk.wav' }).getByText('and then he left').click();
  await expect.poll(shownNumber).toBe(5);
  fails = true;
  const before = app.main.callsOf('queue.live').length;
  await expect.poll(() => app.main.callsOf('queue.live').length).toBeGreaterThan(before + 2);
  fails = false;
  app.main.live = { 1: segments.slice(0, 8) };
  await expect.poll(shownNumber).toBe(8);
});

test('a paused queue is named as the reason why the text does not grow', async () => {
  await openLive(5, segments, { paused: true });
  await expect.poll(() => app.page.getByText('The queue is paused.').count()).toBe(1);
});
