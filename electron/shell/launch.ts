/** What a start of the program is for. */
export type Launch =
  /** Open the window, with these files, folders and links in the queue. */
  | { readonly kind: 'window'; readonly recordings: readonly string[] }
  /** Do a job without a window; `args` begin with the command. */
  | { readonly kind: 'command'; readonly args: readonly string[] };

const commands: ReadonlySet<string> = new Set(['transcribe', 'resume', 'serve', 'status', 'key', 'help']);
const requests: ReadonlySet<string> = new Set(['--help', '-h', '--version']);

/** Switches of Chromium and of debuggers that come before our own arguments. */
const foreignSwitch =
  /^--(no-sandbox|disable-|enable-|ozone-platform|use-|log-|inspect|remote-debugging|user-data-dir|force-|gtk-version|lang=|headless|v=|vmodule|password-store)/;

/**
 * Reads the arguments that follow the executable (and, in a checkout, the project's folder).
 * `longhand transcribe …` is a command; `longhand FILE …` opens the window with the file.
 */
export function parseLaunch(args: readonly string[]): Launch {
  const first = args.findIndex((arg) => !foreignSwitch.test(arg));
  const own = first === -1 ? [] : args.slice(first);
  const [head] = own;
  if (head !== undefined && (commands.has(head) || requests.has(head))) return { kind: 'command', args: own };
  return { kind: 'window', recordings: own.filter((arg) => !arg.startsWith('-')) };
}

/** Tells links from paths among arguments; a path is made absolute from where the user stood. */
export function sortRecordings(
  recordings: readonly string[],
  resolve: (path: string) => string,
): { readonly paths: readonly string[]; readonly links: readonly string[] } {
  return {
    paths: recordings.filter((one) => !isLink(one)).map((one) => resolve(one)),
    links: recordings.filter(isLink),
  };
}

const isLink = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
