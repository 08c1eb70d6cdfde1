/** Sizes in pixels that do not depend on the display. */
export const smallestWindow = { width: 720, height: 480 } as const;
export const usualWindow = { width: 1280, height: 820 } as const;
