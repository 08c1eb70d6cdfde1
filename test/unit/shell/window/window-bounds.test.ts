import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CrashCounter } from '../../../../electron/shell/window/crash-counter.ts';
import { defaultWindowSize, fitBounds } from '../../../../electron/shell/window/window-bounds.ts';
import { WindowStateStore } from '../../../../electron/shell/window/window-state.ts';
import { quietLogger } from '../../../support/core.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const left = { x: 0, y: 0, width: 1920, height: 1080 };
const right = { x: 1920, y: 0, width: 1280, height: 720 };

it('restores the position of the window', () => {
  const bounds = { x: 2000, y: 40, width: 900, height: 600 };
  expect(fitBounds(bounds, [left, right])).toEqual(bounds);
});

it('leaves the position to the system when its display is gone', () => {
  expect(fitBounds({ x: 2000, y: 40, width: 900, height: 600 }, [left])).toEqual({
    width: 900,
    height: 600,
  });
  expect(fitBounds(null, [left])).toEqual(defaultWindowSize);
});

it('never exceeds its display, and is always reachable', () => {
  const size = fc.integer({ min: 1, max: 9000 });
  const place = fc.integer({ min: -9000, max: 9000 });
  fc.assert(
    fc.property(fc.record({ x: place, y: place, width: size, height: size }), (bounds) => {
      const placed = fitBounds(bounds, [left, right]);
      const { x, y } = placed;
      if (x === undefined || y === undefined) return;
      const display = [left, right].find(
        (area) =>
          x + placed.width > area.x && x < area.x + area.width && y >= area.y && y < area.y + area.height,
      );
      expect(display).toBeDefined();
      expect(placed.height).toBeLessThanOrEqual(1080);
    }),
  );
});

it('survives a restart, and ignores a broken file', async () => {
  const folder = await temporaryFolder();
  try {
    new WindowStateStore(folder.path, quietLogger).change({ bounds: right, maximised: true });
    expect(new WindowStateStore(folder.path, quietLogger).get()).toEqual({
      bounds: right,
      maximised: true,
      fullScreen: false,
      closeNoticeShown: false,
      recentTranscripts: [],
    });
    for (const broken of ['{', '{"bounds": {"x": "left"}, "maximised": 7}']) {
      await writeFile(join(folder.path, 'window.json'), broken);
      expect(new WindowStateStore(folder.path, quietLogger).get()).toMatchObject({
        bounds: null,
        maximised: false,
      });
    }
  } finally {
    await folder.remove();
  }
});

it('lasts while its file cannot be written, and is stored completely once it can', async () => {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'window.json');
  try {
    const state = new WindowStateStore(folder.path, quietLogger);
    await mkdir(file);
    state.change({ closeNoticeShown: true });
    expect(state.get()).toMatchObject({ closeNoticeShown: true });
    await rm(file, { recursive: true });
    state.change({ bounds: right });
    expect(new WindowStateStore(folder.path, quietLogger).get()).toMatchObject({
      bounds: right,
      closeNoticeShown: true,
    });
  } finally {
    await folder.remove();
  }
});

it('reopens a crashed page, unless it crashes repeatedly', () => {
  const crashes = new CrashCounter();
  expect([0, 10, 20].map((second) => crashes.recordCrash(second * 1000))).toEqual([false, false, false]);
  expect(crashes.recordCrash(30_000)).toBe(true);
  expect(crashes.recordCrash(200_000)).toBe(false);
});
