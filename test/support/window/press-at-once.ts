import type { Page } from 'playwright-core';

/**
 * Presses keys in order without waiting for each: hardly a frame lies between two. `keyboard.press` waits between the
 * keys of a combination, and would let later ones overtake them.
 */
export async function pressAtOnce(page: Page, combinations: readonly string[]): Promise<void> {
  await Promise.all(
    combinations.flatMap((combination) => {
      const keys = combination.split('+');
      return [
        ...keys.map((key) => page.keyboard.down(key)),
        ...keys.toReversed().map((key) => page.keyboard.up(key)),
      ];
    }),
  );
}
