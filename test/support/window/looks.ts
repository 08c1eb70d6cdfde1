import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { views } from './screens.ts';
import type { TestWindow } from './test-window.ts';
import { waitUntilStill, type View } from './view.ts';

/** `LONGHAND_PICTURES=docs/screens npm run vitest -- looks` takes the documentation's screenshots; `node scripts/tour.mjs` joins them. */
const screenshotFolder = process.env['LONGHAND_PICTURES'];
/** The screenshots that the documentation shows. */
const documentedScreens = new Set([
  'welcome-light',
  'batch-light',
  'queue-light',
  'library-search-light',
  'transcript-dark',
  'transcript-review-light',
  'export-light',
]);

const large = { width: 1280, height: 820 };
/** The first look is the one in which a screen is opened: without much space, its controls are harder to reach. */
const looks = [
  ['dark', screenshotFolder === undefined ? { width: 720, height: 480 } : large],
  ['light', large],
] as const;

/** The screens that `npm test` checks; `npm run test:all` checks all of them. */
export const mainScreens: readonly string[] = [
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
];

/** Opens one of the views without much space. */
export async function openView(app: TestWindow, name: string): Promise<Page> {
  const { scene, reach } = viewOf(name);
  const [[colorScheme, size]] = looks;
  const page = await app.open(scene, { ...size, colorScheme });
  await reach?.(page);
  return page;
}

/**
 * Returns the violations that axe finds in an open view, in both themes, with and without space; expects that nothing
 * overflows and that the page logs no error.
 */
export async function violationsIn(app: TestWindow, page: Page, name: string): Promise<readonly string[]> {
  const { screenshotHeight } = viewOf(name);
  const violations: string[] = [];
  // Evaluated by the test's own channel, to which the page's policy does not apply.
  await page.evaluate(axe.source);
  for (const [colorScheme, size] of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    await waitUntilStill(page);
    await expect
      .poll(() => page.evaluate(() => document.body.scrollWidth - innerWidth), { message: colorScheme })
      .toBe(0);
    for (const violation of await runAxe(page)) violations.push(`${colorScheme}: ${violation}`);
    app.checkComplaints();
    if (screenshotFolder !== undefined && documentedScreens.has(`${name}-${colorScheme}`)) {
      await page.setViewportSize({ ...large, height: screenshotHeight ?? large.height });
      await page.screenshot({ path: `${screenshotFolder}/${name}-${colorScheme}.png` });
    }
  }
  return violations;
}

async function runAxe(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
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
}

function viewOf(name: string): View {
  const view = views[name];
  if (view === undefined) throw new Error(`There is no view ${name}.`);
  return view;
}
