import type { Locator, Page } from 'playwright-core';
import type { Transcript } from '../../../electron/contract/library-commands.ts';
import type { Scene } from './fake-main.ts';
import { sampleTranscript } from './sample-transcripts.ts';
import type { TestWindow } from './test-window.ts';

/** A scene in which the transcript of {@link openTranscript} has a recording. */
export const withRecording: Scene = {
  recordings: {
    4: {
      kind: 'ready',
      media: 'audio',
      url: 'media://transcript/4',
      sizeBytes: 14_601_044,
      stamp: '0'.repeat(32),
    },
  },
};

/** Opens a single transcript from the library, with id 4; it has the focus when this returns. */
export async function openTranscript(
  app: TestWindow,
  transcript: Partial<Transcript>,
  scene: Scene = {},
): Promise<Page> {
  const sample = sampleTranscript({ id: 4, ...transcript });
  const page = await app.open({ ...scene, transcripts: [sample] });
  await page.locator('nav').getByRole('button', { name: 'Library' }).click();
  await page.getByRole('row', { name: sample.name }).click();
  await page.getByRole('textbox').first().waitFor();
  await page.waitForFunction(() => document.activeElement?.closest('main') !== null);
  return page;
}

/** Returns the text of a segment, by its index. */
export const segmentOf = (page: Page, number: number): Locator =>
  page.getByRole('textbox', { name: new RegExp(`^Segment ${number},`) });
