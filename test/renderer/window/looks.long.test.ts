import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { mainScreens, openView, violationsIn } from '../../support/window/looks.ts';
import { overflow } from '../../support/window/overflow.ts';
import { pseudoLanguage } from '../../support/window/pseudo-locale.ts';
import { views } from '../../support/window/screens.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow('expected');

const smallest = { width: 720, height: 480 };
/** The size of a window of 1280 x 820 when everything is enlarged to 200 %. */
const zoomed = { width: 640, height: 410 };
const medium = { width: 880, height: 600 };
const standard = { width: 1280, height: 820 };

/** English is short; German has the longest words, Spanish the longest sentences. */
const languageSizes = [
  ['en', [zoomed]],
  ['de', [zoomed, smallest, medium]],
  ['es', [smallest]],
  [pseudoLanguage, [standard]],
] as const;
type Language = (typeof languageSizes)[number][0];

const screenshotFolder = process.env['LONGHAND_FITTING'];

async function switchLanguage(page: Page, language: Language): Promise<void> {
  // The pseudo-language is not one of the program's languages.
  await app.push('settings.changed', { ...app.main.settings, language: language as 'en' });
  await page.waitForFunction((wanted) => document.documentElement.lang === wanted, language);
}

/** A menu at the pointer stays at its position, outside of a window that has become smaller. */
const atPointer = 'queue-menu';

test("a replacement is visible when the direction of its text differs from the window's", async () => {
  const { scene, reach } = views['library-replace'] ?? {};
  const page = await app.open(scene, standard);
  await reach?.(page);
  await switchLanguage(page, pseudoLanguage);
  const areVisible = (): Promise<readonly boolean[]> =>
    page
      .getByRole('dialog')
      .getByRole('gridcell')
      .filter({ has: page.locator('del') })
      .evaluateAll((cells) =>
        cells.map((cell) => {
          const { left, right } = cell.getBoundingClientRect();
          const gone = cell.querySelector('del')?.getBoundingClientRect();
          return gone !== undefined && gone.left >= left && gone.right <= right;
        }),
      );
  await expect.poll(async () => new Set(await areVisible())).toStrictEqual(new Set([true]));
});

test.each(Object.keys(views))(
  '%s is accessible in both themes, and fits in every language, size and direction',
  async (name) => {
    const page = await openView(app, name);
    // `looks.test.ts` checks the main screens.
    const violations = mainScreens.includes(name) ? [] : await violationsIn(app, page, name);
    expect(violations).toStrictEqual([]);
    if (name === atPointer) return;
    for (const [language, sizes] of languageSizes) {
      await switchLanguage(page, language);
      await expect
        .poll(() => page.evaluate(() => getComputedStyle(document.body).direction))
        .toBe(language === pseudoLanguage ? 'rtl' : 'ltr');
      for (const size of sizes) {
        await page.setViewportSize(size);
        // Elements that measure themselves render again after that.
        await expect
          .poll(async () => (await page.evaluate(overflow)).join('\n'), {
            message: `${language}, ${size.width} px wide`,
          })
          .toBe('');
        if (screenshotFolder !== undefined)
          await page.screenshot({ path: `${screenshotFolder}/${name}-${language}-${size.width}.png` });
      }
    }
    app.checkComplaints();
  },
);
