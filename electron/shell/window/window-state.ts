import ElectronStore from 'electron-store';
import type { Rectangle } from 'electron';
import { z } from 'zod';
import { smallestWindow, usualWindow } from './window-sizes.ts';

/** So much of the title bar has to be on a display for the window to be within reach. */
const reach = { width: 120, height: 32 } as const;

const stateSchema = z.object({
  bounds: z
    .object({ x: z.int(), y: z.int(), width: z.int().positive(), height: z.int().positive() })
    .nullable()
    .catch(null),
  maximised: z.boolean().catch(false),
  fullScreen: z.boolean().catch(false),
  /** Whether the user has been told that the work goes on when the window is closed. */
  toldOfClosing: z.boolean().catch(false),
});

export type WindowState = z.infer<typeof stateSchema>;

/** How the window was left, in `window.json` of the data folder. Nothing of it is worth a word when it is lost. */
export class WindowStateStore {
  readonly #store: ElectronStore<Record<string, unknown>>;

  constructor(folder: string) {
    this.#store = new ElectronStore({ cwd: folder, name: 'window', clearInvalidConfig: true });
  }

  get(): WindowState {
    return stateSchema.parse(this.#store.store);
  }

  change(patch: Partial<WindowState>): void {
    this.#store.set(patch);
  }
}

/**
 * Where the window opens: as it was left, if that is within reach on the displays that there are now, and no larger
 * than the display that it is on. Without a place, the system chooses one.
 */
export function placeWindow(
  left: Rectangle | null,
  displays: readonly Rectangle[],
): Pick<Rectangle, 'width' | 'height'> & Partial<Rectangle> {
  if (left === null) return usualWindow;
  const display = displays.find((area) => isWithinReach(left, area));
  if (display === undefined) return { width: left.width, height: left.height };
  const width = Math.max(smallestWindow.width, Math.min(left.width, display.width));
  const height = Math.max(smallestWindow.height, Math.min(left.height, display.height));
  // Made narrower, it must not slip off the display.
  return { x: Math.max(left.x, display.x - width + reach.width), y: left.y, width, height };
}

/** Whether enough of a window's upper edge is on a display. */
function isWithinReach(window: Rectangle, display: Rectangle): boolean {
  const width = Math.min(window.x + window.width, display.x + display.width) - Math.max(window.x, display.x);
  const top = window.y >= display.y && window.y + reach.height <= display.y + display.height;
  return top && width >= reach.width;
}
