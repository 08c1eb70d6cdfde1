import axe from 'axe-core';
import { describe, expect, test } from 'vitest';
import { views } from './screens.ts';
import type { Look, TestWindow } from './use-window.ts';
import { isStill } from './view.ts';

/** `LONGHAND_PICTURES=docs/screens npm run vitest -- looks` takes the documentation's screenshots; `node scripts/tour.mjs` joins them. */
const pictures = process.env['LONGHAND_PICTURES'];
/** The screenshots that the documentation shows. */
const pictured = new Set([
  'welcome-light',
  'batch-light',
  'queue-light',
  'library-search-light',
  'transcript-dark',
  'transcript-review-light',
  'export-light',
]);

const large = { width: 1280, height: 820 };
const small = { width: 720, height: 480 };
const looks: readonly (readonly ['light' | 'dark', Look])[] = [
  ['light', large],
  ['dark', pictures === undefined ? small : large],
];

/** The screens that `npm test` checks; `npm run test:all` checks all of them. */
export const mainScreens: ReadonlySet<string> = new Set([
  'welcome',
  'queue',
  'queue-states',
  'batch',
  'library',
  'library-search',
  'transcript',
  'export',
  'jobs',
  'settings',
]);

/**
 * Describes a test for each named screen in both themes, with and without space: axe finds no violation, nothing
 * overflows, and the page logs no error.
 */
export function describeLooks(window: TestWindow, names: ReadonlySet<string>): void {
  const chosen = Object.entries(views).filter(([name]) => names.has(name));
  describe.each(looks)('%s', (colorScheme, size) => {
    test.each(chosen)('%s is accessible and fits', async (name, { scene, reach, screenshotHeight }) => {
      const page = await window.open(scene, { ...size, colorScheme });
      await reach?.(page);
      await isStill(page);
      // Evaluated by the test's own channel, to which the page's policy does not apply.
      await page.evaluate(axe.source);
      const violations = await page.evaluate(async () => {
        const { axe: checker } = globalThis as unknown as { axe: typeof axe };
        const results = await checker.run(
          // Focus guards pass the focus on at once; a notice about a problem is hidden until it has the focus,
          // since its text is in an alert beside it.
          { exclude: [['[data-base-ui-focus-guard]'], ['[role=alertdialog][aria-hidden=true]']] },
          // Menus and dialogs are rendered beside the landmarks, above all of them.
          { rules: { region: { enabled: false } } },
        );
        return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      });
      expect(violations).toStrictEqual([]);
      await expect.poll(() => page.evaluate(() => document.body.scrollWidth - innerWidth)).toBe(0);
      window.checkComplaints();
      if (pictures !== undefined && pictured.has(`${name}-${colorScheme}`)) {
        await page.setViewportSize({ ...large, height: screenshotHeight ?? large.height });
        await page.screenshot({ path: `${pictures}/${name}-${colorScheme}.png` });
      }
    });
  });
}
