import { spawnSync } from 'node:child_process';
import { url as inspectorAddress } from 'node:inspector';
import { invisible } from '../../core/file-name.ts';

/** The purpose of a start of the program. */
export type Launch =
  /** Open the window, with these files, folders and links in the queue. */
  | { readonly kind: 'window'; readonly recordings: readonly string[] }
  /** Run a command without a window; `args` begin with its name. */
  | { readonly kind: 'command'; readonly args: readonly string[] };

/**
 * Switches of Chromium that a packaged program may be started with: they fit it to a display, a graphics device or a
 * container. All others are refused, because Chromium has hundreds, and many let other programs read or drive the
 * window, replace parts of it or redirect what it sends.
 */
const acceptedSwitches: ReadonlySet<string> = new Set([
  'no-sandbox',
  'ozone-platform',
  'ozone-platform-hint',
  'disable-gpu',
  'disable-gpu-compositing',
  'disable-software-rasterizer',
  'disable-dev-shm-usage',
  'use-gl',
  'use-angle',
  'gtk-version',
  'enable-wayland-ime',
  'wayland-text-input-version',
  'high-dpi-support',
  'force-device-scale-factor',
  'force-color-profile',
  'force-dark-mode',
  'force-high-contrast',
  'force-prefers-reduced-motion',
  'force-renderer-accessibility',
  'lang',
  'log-level',
  'enable-logging',
  'v',
]);

/** Further switches of Chromium and of debuggers that a checkout may be started with. */
const checkoutSwitch =
  /^--(disable-|enable-|use-|log-|inspect|remote-debugging|user-data-dir|force-|headless|vmodule|password-store)/;

/** Whether an argument is a switch of Chromium or of a debugger; these come before our own arguments. */
const isForeignSwitch = (argument: string): boolean =>
  checkoutSwitch.test(argument) || acceptedSwitches.has(/^--([^=]+)/.exec(argument)?.[1] ?? '');

/**
 * Reads the user's own arguments.
 * `longhand transcribe …` is a command; `longhand FILE …` opens the window with the file. Where no window can be shown,
 * everything is a command.
 *
 * @param isCommand whether a first argument begins a command.
 */
export function parseLaunch(
  args: readonly string[],
  canShowWindow: boolean,
  isCommand: (first: string) => boolean,
): Launch {
  const first = args.findIndex((arg) => !isForeignSwitch(arg));
  const programArguments = first === -1 ? [] : args.slice(first);
  const [firstArgument] = programArguments;
  if (!canShowWindow || (firstArgument !== undefined && isCommand(firstArgument)))
    return { kind: 'command', args: programArguments };
  return { kind: 'window', recordings: programArguments.filter((arg) => !arg.startsWith('-')) };
}

/** Returns the user's arguments: those after the executable and, in a checkout, the project's folder. */
export function userArguments(argv: readonly string[], isPackaged: boolean): readonly string[] {
  if (isPackaged) return argv.slice(1);
  const project = argv.findIndex((arg, index) => index > 0 && !arg.startsWith('-'));
  return argv.slice(project + 1);
}

/** What macOS adds to a start from the Finder. */
const macProcessNumber = /^-psn_\d+_\d+$/;

/**
 * Returns the first switch that a packaged program must not be started with, without characters that are unsafe to print;
 * `null` if there is none. Chromium acts on switches anywhere before a lone `--`, even with a single dash, and on Windows
 * with a slash (`base/command_line.cc`). A package built with the inspect fuse is a test build (`npm run package -- --drivable`).
 *
 * @param args the arguments after the executable.
 * @param programOptions the names of the program's own options.
 */
export function refusedSwitch(
  args: readonly string[],
  programOptions: ReadonlySet<string>,
  isPackaged: boolean,
): string | null {
  if (!isPackaged || inspectorAddress() !== undefined) return null;
  const prefix = process.platform === 'win32' ? /^(?:--?|\/)/ : /^--?/;
  const end = args.indexOf('--');
  for (const argument of end === -1 ? args : args.slice(0, end)) {
    // Chromium trims them, too.
    const trimmed = argument.trim();
    if (!prefix.test(trimmed) || ['-', '-h', '-V'].includes(trimmed)) continue;
    const [name = ''] = trimmed.replace(prefix, '').split('=');
    // Our options use two dashes; a single dash addresses Chromium.
    const isProgramOption = trimmed.startsWith('--') && programOptions.has(name);
    if (!isProgramOption && !acceptedSwitches.has(name) && !macProcessNumber.test(trimmed))
      return (trimmed.split('=')[0] ?? '').replaceAll(invisible, '\ufffd');
  }
  return null;
}

/** Chromium without a display; it reads these before any of our code runs. */
const headlessSwitches = ['--ozone-platform=headless', '--disable-gpu', '--log-level=3'];

/** Whether Chromium was started without a display: no window can be shown then. */
export function isHeadless(): boolean {
  return process.argv.some((arg) => arg.startsWith('--ozone-platform=headless'));
}

/**
 * On Linux without a display, starts the program again headless, and exits with its code. Does nothing where there is a
 * display, or if the command line names the platform, as that of the headless process does.
 */
export function relaunchWithoutDisplay(): void {
  const { platform, env, argv, execPath } = process;
  const hasDisplay = Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY']);
  const hasPlatform = argv.some((arg) => arg.startsWith('--ozone-platform='));
  if (platform !== 'linux' || hasDisplay || hasPlatform) return;
  // Synchronously: while waiting in any other way, this process would exit for lack of a display.
  const { status } = spawnSync(execPath, [...headlessSwitches, ...argv.slice(1)], { stdio: 'inherit' });
  process.exit(status ?? 1);
}
