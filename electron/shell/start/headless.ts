import { spawnSync } from 'node:child_process';

/** Chromium without a display; it reads these before any of our code runs. */
const headlessSwitches = ['--ozone-platform=headless', '--disable-gpu', '--log-level=3'];

/** Whether Chromium was started without a display: no window can be shown then. */
export function isHeadless(): boolean {
  return process.argv.some((arg) => arg.startsWith('--ozone-platform=headless'));
}

/**
 * On a Linux machine without a display the program starts once more, headless, and ends as that one ends.
 * Does nothing where there is a display, or where it has been done.
 */
export function relaunchWithoutDisplay(): void {
  const { platform, env, argv, execPath } = process;
  const hasDisplay = Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY']);
  const isHeadless = argv.some((arg) => arg.startsWith('--ozone-platform='));
  if (platform !== 'linux' || hasDisplay || isHeadless) return;
  // This very process would end for want of a display while it waited in any other way.
  const { status } = spawnSync(execPath, [...headlessSwitches, ...argv.slice(1)], { stdio: 'inherit' });
  process.exit(status ?? 1);
}
