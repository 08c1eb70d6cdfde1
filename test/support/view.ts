import type { Page } from 'playwright-core';
import type { Scene } from './fake-main.ts';

/** A screen as it can be looked at: the world behind it, and the way to it. */
export interface View {
  readonly scene: Scene;
  readonly reach?: (page: Page) => Promise<unknown>;
}

/** Goes to a screen by the navigation. */
export const goTo = (name: string) => (page: Page) =>
  page.locator('nav').getByRole('button', { name }).click();
