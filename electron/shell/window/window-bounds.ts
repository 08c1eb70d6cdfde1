import type { Rectangle } from 'electron';

/** Sizes in device-independent pixels. */
export const minWindowSize = { width: 720, height: 480 } as const;
export const defaultWindowSize = { width: 1280, height: 820 } as const;

/** How much of the title bar must be on a display for the window to be reachable. */
const minVisibleTitleBar = { width: 120, height: 32 } as const;

/**
 * Returns where the window opens: where it was left, if that is reachable on the current displays, and no larger than its
 * display. Without a position, the system chooses one.
 */
export function fitBounds(
  saved: Rectangle | null,
  displays: readonly Rectangle[],
): Pick<Rectangle, 'width' | 'height'> & Partial<Rectangle> {
  if (saved === null) return defaultWindowSize;
  const display = displays.find((area) => isReachable(saved, area));
  if (display === undefined) return { width: saved.width, height: saved.height };
  const width = Math.max(minWindowSize.width, Math.min(saved.width, display.width));
  const height = Math.max(minWindowSize.height, Math.min(saved.height, display.height));
  // Narrowing it must not move it off the display.
  return { x: Math.max(saved.x, display.x - width + minVisibleTitleBar.width), y: saved.y, width, height };
}

/** Whether enough of a window's upper edge is on a display. */
function isReachable(window: Rectangle, display: Rectangle): boolean {
  const visibleWidth =
    Math.min(window.x + window.width, display.x + display.width) - Math.max(window.x, display.x);
  const isTopVisible =
    window.y >= display.y && window.y + minVisibleTitleBar.height <= display.y + display.height;
  return isTopVisible && visibleWidth >= minVisibleTitleBar.width;
}
