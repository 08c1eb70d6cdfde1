import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scene } from '../../support/fake-main.ts';
import { rowsOfEveryState, sampleRow, seasonQueue } from '../../support/sample-rows.ts';
import { sampleLibrary, sampleTranscript } from '../../support/sample-transcripts.ts';
import { WindowFixture, type Look } from '../../support/window-fixture.ts';

let window: WindowFixture;

beforeAll(async () => {
  window = await WindowFixture.start();
});
afterAll(() => window.close());

const cloud = 'https://api.example.com';
const goTo = (name: string) => (page: Page) => page.locator('nav').getByRole('button', { name }).click();

interface View {
  readonly scene: Scene;
  readonly reach?: (page: Page) => Promise<unknown>;
}

/** Every screen: empty, full and broken. */
const views: Readonly<Record<string, View>> = {
  welcome: { scene: { settings: { service: null } } },
  'welcome, refused': {
    scene: { settings: { service: null }, refused: { 'service.connect': 'invalid_api_key' } },
    reach: async (page) => {
      await page.getByRole('radio', { name: 'Cloud account' }).click();
      await page.getByLabel('Address').fill(cloud);
      await page.getByLabel('API key').fill('key');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
    },
  },
  'queue, empty': { scene: {} },
  'queue, full': {
    scene: { rows: seasonQueue(cloud), settings: { service: cloud }, service: { balanceCredits: 1240 } },
    reach: (page) => page.getByRole('row', { name: 'part 2' }).click(),
  },
  'queue, every state': {
    scene: { rows: rowsOfEveryState },
    reach: async (page) => {
      await page.getByRole('grid').focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.getByText('17 selected').waitFor();
    },
  },
  'queue, broken': {
    scene: {
      rows: rowsOfEveryState,
      settings: { service: cloud },
      app: { startProblems: [{ code: 'database_damaged' }] },
      service: { condition: { kind: 'stopped', problem: { code: 'key_missing' } } },
    },
  },
  'queue, menu': {
    scene: { rows: rowsOfEveryState },
    reach: (page) => page.getByRole('row', { name: 'paused' }).click({ button: 'right' }),
  },
  'queue, details': {
    scene: { rows: rowsOfEveryState },
    reach: async (page) => {
      await page.getByRole('row', { name: 'waiting.wav' }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Details…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  'links dialog': {
    scene: {},
    reach: (page) => page.getByRole('button', { name: 'Enter links…' }).click(),
  },
  'library, full': { scene: { transcripts: sampleLibrary(200) }, reach: goTo('Library') },
  'library, search': {
    scene: { transcripts: sampleLibrary(200) },
    reach: async (page) => {
      await goTo('Library')(page);
      await page.getByRole('searchbox').fill('river');
      await page.locator('mark').first().waitFor();
    },
  },
  'library, empty': { scene: {}, reach: goTo('Library') },
  transcript: {
    scene: { transcripts: [sampleTranscript({ id: 1 })] },
    reach: async (page) => {
      await goTo('Library')(page);
      await page.getByRole('row', { name: 'Interview' }).click();
      await page.locator('main').getByRole('listitem').first().waitFor();
    },
  },
  'settings, this computer': { scene: {}, reach: goTo('Settings') },
  'settings, cloud': {
    scene: { settings: { service: cloud }, app: { keyStatus: 'this-run' } },
    reach: goTo('Settings'),
  },
};

const looks: Readonly<Record<string, Look>> = {
  'light, large': { width: 1280, height: 820, colorScheme: 'light' },
  'dark, small': { width: 720, height: 480, colorScheme: 'dark' },
};

describe.each(Object.entries(looks))('%s', (_look, look) => {
  test.each(Object.entries(views))('%s is accessible and fits', async (_view, { scene, reach }) => {
    const page = await window.open(scene, look);
    await reach?.(page);
    // Evaluated by the test's own channel, which the page's policy does not bind.
    await page.evaluate(axe.source);
    const violations = await page.evaluate(async () => {
      const { axe: checker } = globalThis as unknown as { axe: typeof axe };
      const results = await checker.run(
        // The guards catch the focus and hand it on at once.
        { exclude: '[data-base-ui-focus-guard]' },
        // Menus and dialogs lie beside the landmarks, over all of them.
        { rules: { region: { enabled: false } } },
      );
      return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    });
    expect(violations).toStrictEqual([]);
    expect(await page.evaluate(() => document.body.scrollWidth - innerWidth)).toBe(0);
    expect(window.complaints).toStrictEqual([]);
  });
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
    expect(await page.getByRole('dialog').textContent()).toContain(hostile);
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
    expect(await page.locator('main').getByRole('listitem').textContent()).toContain(hostile);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.evaluate(() => 'hurt' in window)).toBe(false);
  });
});

test('the page lets nothing in but its own files', async () => {
  const page = await window.open();
  const refused = await page.evaluate(async () => {
    const blocked: string[] = [];
    document.addEventListener('securitypolicyviolation', (event) => blocked.push(event.effectiveDirective));
    const script = document.createElement('script');
    script.textContent = 'window.hurt = 1';
    document.head.append(script);
    const style = document.createElement('style');
    style.textContent = 'body { display: none }';
    document.head.append(style);
    const image = new Image();
    image.src = 'https://media.example.org/pixel.png';
    await fetch('https://media.example.org/').catch(() => {});
    await new Promise((resolve) => setTimeout(resolve));
    return blocked.toSorted();
  });
  expect(refused).toStrictEqual(['connect-src', 'img-src', 'script-src-elem', 'style-src-elem']);
});
