import type { Rectangle } from 'electron';

/** Sizes in pixels that do not depend on the display. */
export const smallestWindow = { width: 720, height: 480 } as const;
export const usualWindow = { width: 1280, height: 820 } as const;

/** So much of the title bar has to be on a display for the window to be within reach. */
const reach = { width: 120, height: 32 } as const;

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
