import axe from 'axe-core';
import { describe, expect, test } from 'vitest';
import { sampleRow } from '../../support/window/sample-rows.ts';
import { sampleTranscript } from '../../support/window/sample-transcripts.ts';
import { views } from '../../support/window/screens.ts';
import { goTo, isStill } from '../../support/window/view.ts';
import { useWindow, type Look } from '../../support/window/use-window.ts';

const window = useWindow('expected');

/** A folder for pictures: `LONGHAND_PICTURES=docs/screens npm run vitest -- looks` takes those of the documentation. */
const pictures = process.env['LONGHAND_PICTURES'];
const pictured = new Set([
  'welcome',
  'queue',
  'queue-empty',
  'queue-stopped',
  'queue-no-credits',
  'queue-states',
  'queue-reasons',
  'queue-details',
  'batch',
  'batch-doubles',
  'batch-left-out',
  'library',
  'library-search',
  'library-trash',
  'transcript',
  'transcript-find',
  'transcript-review',
  'export',
  'jobs',
  'settings',
]);

const large = { width: 1280, height: 820 };
const small = { width: 720, height: 480 };
const looks: readonly (readonly ['light' | 'dark', Look])[] = [
  ['light', large],
  ['dark', pictures === undefined ? small : large],
];

describe.each(looks)('%s', (colorScheme, size) => {
  test.each(Object.entries(views))(
    '%s is accessible and fits',
    async (name, { scene, reach, pictureHeight }) => {
      const page = await window.open(scene, { ...size, colorScheme });
      await reach?.(page);
      await isStill(page);
      // Evaluated by the test's own channel, which the page's policy does not bind.
      await page.evaluate(axe.source);
      const violations = await page.evaluate(async () => {
        const { axe: checker } = globalThis as unknown as { axe: typeof axe };
        const results = await checker.run(
          // The guards catch the focus and hand it on at once; a notice of a problem is hidden until it has the focus,
          // since what it says is in an alert beside it.
          { exclude: [['[data-base-ui-focus-guard]'], ['[role=alertdialog][aria-hidden=true]']] },
          // Menus and dialogs lie beside the landmarks, over all of them.
          { rules: { region: { enabled: false } } },
        );
        return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      });
      expect(violations).toStrictEqual([]);
      await expect.poll(() => page.evaluate(() => document.body.scrollWidth - innerWidth)).toBe(0);
      window.checkComplaints();
      if (pictures !== undefined && pictured.has(name)) {
        await page.setViewportSize({ ...large, height: pictureHeight ?? large.height });
        await page.screenshot({ path: `${pictures}/${name}-${colorScheme}.png` });
      }
    },
  );
});

describe('hostile text stays text', () => {
  const hostile = '<img src=x onerror="window.hurt=1"><b>bold</b>‮txt.exe';

  test('in names, places, reasons and details', async () => {
    const problem = { code: 'job_failed', detail: hostile } as const;
    const row = sampleRow({ id: 1, name: hostile, place: hostile, state: { kind: 'failed', problem } });
    const page = await window.open({ rows: [row] });
    await page.getByText(hostile).first().waitFor();
    await page.getByRole('row', { name: 'img' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Details…' }).click();
    await expect.poll(() => page.getByRole('dialog').textContent()).toContain(hostile);
    expect(await page.locator('main img, [role=row] b, [role=dialog] b').count()).toBe(0);
    expect(await page.evaluate(() => 'hurt' in window)).toBe(false);
  });

  test('in transcripts, the library and a search', async () => {
    const segments = [{ start: 0, end: 1, text: hostile }];
    const page = await window.open({
      transcripts: [sampleTranscript({ id: 1, name: hostile, text: hostile, segments })],
    });
    await goTo('Library')(page);
    await page.getByRole('searchbox').fill('<img');
    await page.locator('mark').first().waitFor();
    await page.getByRole('row', { name: 'img' }).click();
    await expect.poll(() => page.locator('main').getByRole('listitem').textContent()).toContain(hostile);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.evaluate(() => 'hurt' in window)).toBe(false);
  });
});

test('the page lets nothing in but its own files', async () => {
  const page = await window.open();
  await page.evaluate(() => {
    const blocked: string[] = [];
    Object.assign(globalThis, { blocked });
    document.addEventListener('securitypolicyviolation', (event) => blocked.push(event.effectiveDirective));
    const script = document.createElement('script');
    script.textContent = 'window.hurt = 1';
    document.head.append(script);
    const style = document.createElement('style');
    style.textContent = 'body { display: none }';
    document.head.append(style);
    const image = new Image();
    image.src = 'https://media.example.org/pixel.png';
    void fetch('https://media.example.org/').catch(() => {});
  });
  const refused = () =>
    page.evaluate(() => (globalThis as unknown as { blocked: readonly string[] }).blocked.toSorted());
  await expect.poll(refused).toStrictEqual(['connect-src', 'img-src', 'script-src-elem', 'style-src-elem']);
  expect(await page.evaluate(() => 'hurt' in window)).toBe(false);
});
