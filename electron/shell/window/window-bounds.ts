import type { Rectangle } from 'electron';

/** Sizes in pixels that do not depend on the display. */
export const minWindowSize = { width: 720, height: 480 } as const;
export const defaultWindowSize = { width: 1280, height: 820 } as const;

/** So much of the title bar has to be on a display for the window to be within reach. */
const minVisibleTitleBar = { width: 120, height: 32 } as const;

/**
 * Where the window opens: as it was left, if that is within reach on the displays that there are now, and no larger
 * than the display that it is on. Without a place, the system chooses one.
 */
export function placeWindow(
  left: Rectangle | null,
  displays: readonly Rectangle[],
): Pick<Rectangle, 'width' | 'height'> & Partial<Rectangle> {
  if (left === null) return defaultWindowSize;
  const display = displays.find((area) => isReachable(left, area));
  if (display === undefined) return { width: left.width, height: left.height };
  const width = Math.max(minWindowSize.width, Math.min(left.width, display.width));
  const height = Math.max(minWindowSize.height, Math.min(left.height, display.height));
  // Made narrower, it must not slip off the display.
  return { x: Math.max(left.x, display.x - width + minVisibleTitleBar.width), y: left.y, width, height };
}

/** Whether enough of a window's upper edge is on a display. */
function isReachable(window: Rectangle, display: Rectangle): boolean {
  const width = Math.min(window.x + window.width, display.x + display.width) - Math.max(window.x, display.x);
  const top = window.y >= display.y && window.y + minVisibleTitleBar.height <= display.y + display.height;
  return top && width >= minVisibleTitleBar.width;
}
