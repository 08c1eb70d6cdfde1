/**
 * Gives each of vitest's workers a display of its own, so that the windows of two tests cannot take the focus from each
 * other. `scripts/test-environment.mjs` starts the displays.
 */
const displays = process.env['LONGHAND_TEST_DISPLAYS']?.split(',') ?? [];
const display = displays[(Number(process.env['VITEST_POOL_ID']) - 1) % displays.length];
if (display !== undefined) process.env['DISPLAY'] = display;
