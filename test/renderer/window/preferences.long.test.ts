import { expect, test } from 'vitest';
import { views } from '../../support/window/screens.ts';
import { setUpTestWindow } from '../../support/window/test-window.ts';
import { goTo } from '../../support/window/view.ts';

const app = setUpTestWindow();

const screenshotFolder = process.env['LONGHAND_FITTING'];

// Elements that are distinguished only by colour have an outline when the system forces its colours.
test.each([
  ['queue', "[role=row][aria-selected='true']", 'outlineStyle'],
  ['queue', "button[aria-pressed='true']", 'outlineStyle'],
  ['queue', 'nav [aria-current]', 'outlineStyle'],
  ['batch', 'label:has(input:checked) > span', 'outlineStyle'],
  ['queue-menu', '[role=menuitem][data-highlighted]', 'outlineStyle'],
] as const)('%s: %s is distinguishable in forced colours', async (name, selector, property) => {
  const { scene, reach } = views[name] ?? {};
  const page = await app.open(scene);
  await page.emulateMedia({ forcedColors: 'active' });
  await reach?.(page);
  if (name === 'queue-menu') {
    await page.waitForFunction(() => document.activeElement?.closest('[role=menu]') !== null);
    await page.keyboard.press('ArrowDown');
  }
  const shown = page.locator(selector).first();
  await shown.waitFor();
  if (screenshotFolder !== undefined)
    await page.screenshot({ path: `${screenshotFolder}/forced-${name}.png` });
  expect(await shown.evaluate((element, style) => getComputedStyle(element)[style], property)).not.toBe(
    'none',
  );
  await page.emulateMedia({ forcedColors: 'none' });
});

test.each(['light', 'dark'] as const)(
  'every text is readable with increased contrast, %s',
  async (colorScheme) => {
    const page = await app.open(views['queue']?.scene, { colorScheme });
    await page.emulateMedia({ contrast: 'more' });
    const contrasts = await page.evaluate(() => {
      const canvas = document.createElement('canvas').getContext('2d')!;
      const luminance = (color: string): number => {
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        const [red = 0, green = 0, blue = 0] = Array.from(canvas.getImageData(0, 0, 1, 1).data, (part) => {
          const share = part / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const probe = document.body.appendChild(document.createElement('p'));
      const lightness = (name: string): number => {
        probe.style.color = `var(${name})`;
        return luminance(getComputedStyle(probe).color);
      };
      const paper = lightness('--paper');
      const speakers = Array.from({ length: 9 }, (_, index) => `--speaker-${index + 1}`);
      return ['--ink', '--ink-2', '--ink-3', '--accent', '--ok', '--warn', '--bad', ...speakers].map(
        (name) => {
          const [dark, light] = [paper, lightness(name)].toSorted((a, b) => a - b) as [number, number];
          return [name, (light + 0.05) / (dark + 0.05)] as const;
        },
      );
    });
    if (screenshotFolder !== undefined)
      await page.screenshot({ path: `${screenshotFolder}/contrast-${colorScheme}.png` });
    await page.emulateMedia({ contrast: 'no-preference' });
    // WCAG 2.2, success criterion 1.4.6.
    expect(contrasts.filter(([, ratio]) => ratio < 7)).toStrictEqual([]);
  },
);

test('nothing moves for long, and nothing at all with reduced motion', async () => {
  const page = await app.open(views['queue']?.scene);
  const longest = (): Promise<number> =>
    page.evaluate(() => {
      const durations = [...document.querySelectorAll('*')].flatMap((element) => {
        const { transitionDuration, animationDuration } = getComputedStyle(element);
        return `${transitionDuration},${animationDuration}`.split(',').map((one) => Number.parseFloat(one));
      });
      return durations.reduce((most, one) => Math.max(most, one), 0);
    });
  expect(await longest()).toBe(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await longest()).toBeGreaterThan(0);
  expect(await longest()).toBeLessThan(0.15);
});

test('the page stays in place when the focus or a jump reaches a setting far below', async () => {
  const page = await app.open({}, { width: 1280, height: 800 });
  await goTo('Settings')(page);
  const heading = page.getByRole('heading', { name: 'Settings', level: 1 });
  await page.getByRole('button', { name: 'Appearance', exact: true }).click();
  await page.getByText('Dark', { exact: true }).click();
  await page.getByRole('radio', { name: 'Dark' }).focus();
  expect(await heading.boundingBox()).toMatchObject({ y: expect.closeTo(30, -2) });
  expect(await page.evaluate(() => document.documentElement.scrollTop)).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(800);
});
