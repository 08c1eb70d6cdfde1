import type { Locator, Page } from 'playwright-core';
import type { Scene } from './fake-main.ts';

/** A screen to check: the state behind it, and the way to it. */
export interface View {
  readonly scene: Scene;
  readonly reach?: (page: Page) => Promise<unknown>;
  /** Height of its screenshot in px, where its content is higher than the default window. */
  readonly screenshotHeight?: number;
}

/** Goes to a screen by the navigation. */
export const goTo = (name: string) => (page: Page) =>
  page.locator('nav').getByRole('button', { name }).click();

/** Waits until nothing on the page appears or disappears any more. */
export async function waitUntilStill(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector('[data-starting-style], [data-ending-style]') === null,
  );
}

/** Types into the field of a menu, dialog or list, once that has the focus. */
export async function typeInFocus(page: Page, text: string): Promise<void> {
  await page.waitForFunction(() => {
    const { activeElement } = document;
    return (
      activeElement instanceof HTMLElement &&
      (activeElement.isContentEditable || activeElement.matches('input, textarea'))
    );
  });
  await page.keyboard.type(text);
}

/** Drags one row above another as a user does: past it first, then back over its upper half. */
export async function dragAbove(page: Page, row: Locator, other: Locator): Promise<void> {
  const from = await row.boundingBox();
  const to = await other.boundingBox();
  if (from === null || to === null) throw new Error('both are on screen');
  await page.mouse.move(from.x + 60, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(to.x + 60, to.y + 30, { steps: 4 });
  await page.mouse.move(to.x + 60, to.y + 4, { steps: 4 });
  await page.mouse.up();
}

/** Makes the page believe that its recording is a video of this size in px; the test's recordings have no picture. */
export async function pretendVideo(page: Page, size = { width: 640, height: 360 }): Promise<void> {
  await page.locator('video').waitFor({ state: 'attached' });
  await page.evaluate(({ width, height }) => {
    Object.defineProperty(HTMLVideoElement.prototype, 'videoWidth', { get: () => width });
    Object.defineProperty(HTMLVideoElement.prototype, 'videoHeight', { get: () => height });
    document.querySelector('video')?.dispatchEvent(new Event('loadedmetadata'));
  }, size);
}
