import { describe, expect, test } from 'vitest';
import { mainScreens, openView, violationsIn } from '../../support/window/looks.ts';
import { sampleRow } from '../../support/window/sample-rows.ts';
import { sampleTranscript } from '../../support/window/sample-transcripts.ts';
import { goTo } from '../../support/window/view.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';

const app = setUpTestWindow('expected');

test.each(mainScreens)('%s is accessible and fits in both themes', async (name) => {
  const page = await openView(app, name);
  expect(await violationsIn(app, page, name)).toStrictEqual([]);
});

describe('hostile text stays text', () => {
  const hostile = '<img src=x onerror="window.hurt=1"><b>bold</b>‮txt.exe';

  test('in names, folders, reasons and details', async () => {
    const problem = { code: 'job_failed', detail: hostile } as const;
    const row = sampleRow({ id: 1, name: hostile, folderLabel: hostile, state: { kind: 'failed', problem } });
    const page = await app.open({ rows: [row] });
    await page.getByText(hostile).first().waitFor();
    await page.getByRole('row', { name: 'img' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Details…' }).click();
    await expect.poll(() => page.getByRole('dialog').textContent()).toContain(hostile);
    expect(await page.locator('main img, [role=row] b, [role=dialog] b').count()).toBe(0);
    expect(await page.evaluate(() => 'hurt' in window)).toBe(false);
  });

  test('in transcripts, the library and a search', async () => {
    const segments = [{ start: 0, end: 1, text: hostile }];
    const page = await app.open({
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

test('the page loads nothing but its own files', async () => {
  const page = await app.open();
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
