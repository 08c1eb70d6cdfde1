/** What a start of the program is for. */
export type Launch =
  /** Open the window, with these files, folders and links in the queue. */
  | { readonly kind: 'window'; readonly recordings: readonly string[] }
  /** Do a job without a window; `args` begin with the command. */
  | { readonly kind: 'command'; readonly args: readonly string[] };

const commands: ReadonlySet<string> = new Set([
  'transcribe',
  'resume',
  'export',
  'library',
  'serve',
  'status',
  'key',
  'help',
]);
const requests: ReadonlySet<string> = new Set(['--help', '-h', '--version']);

/** Switches of Chromium and of debuggers that come before our own arguments. */
const foreignSwitch =
  /^--(no-sandbox|disable-|enable-|ozone-platform|use-|log-|inspect|remote-debugging|user-data-dir|force-|gtk-version|lang=|headless|v=|vmodule|password-store)/;

/**
 * Reads the user's own arguments.
 * `longhand transcribe …` is a command; `longhand FILE …` opens the window with the file. Where no window can be shown,
 * everything is meant as a command.
 */
export function parseLaunch(args: readonly string[], canShowWindow: boolean): Launch {
  const first = args.findIndex((arg) => !foreignSwitch.test(arg));
  const own = first === -1 ? [] : args.slice(first);
  const [head] = own;
  const isCommand = head !== undefined && (commands.has(head) || requests.has(head));
  if (isCommand || !canShowWindow) return { kind: 'command', args: own };
  return { kind: 'window', recordings: own.filter((arg) => !arg.startsWith('-')) };
}

/** What the user typed after the program: what follows the executable and, in a checkout, the project's folder. */
export function ownArguments(argv: readonly string[], isPackaged: boolean): readonly string[] {
  if (isPackaged) return argv.slice(1);
  const project = argv.findIndex((arg, index) => index > 0 && !arg.startsWith('-'));
  return argv.slice(project + 1);
}
