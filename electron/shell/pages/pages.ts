import { extname, join, normalize } from 'node:path';
import { protocol, session } from 'electron';

/** The origin of our own pages. */
export const pageOrigin = 'app://longhand';

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  'media-src media:',
  "connect-src 'self' media:",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Chromium's `ERR_FILE_NOT_FOUND`. */
const fileNotFound = -6;

/** The path of a page below the folder of all pages; `null` where there can be none. */
function pathOf(address: string): string | null {
  const { host, pathname } = new URL(address);
  try {
    const path = normalize(decodeURIComponent(pathname));
    return host !== 'longhand' || path.includes('..') ? null : path;
  } catch {
    // No text of UTF-8 was encoded so.
    return null;
  }
}

const headersOf = (path: string): Record<string, string> => ({
  'content-type': contentTypes[extname(path)] ?? 'application/octet-stream',
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
});

/** Has to be called before the application is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
    // Fetched as well as played: the waveform is computed from the same bytes.
    {
      scheme: 'media',
      privileges: { standard: true, secure: true, supportFetchAPI: true, corsEnabled: true, stream: true },
    },
  ]);
}

/**
 * Serves the built pages in `folder` under {@link pageOrigin}, and lets pages reach nothing else.
 *
 * @param onServed told of each file that is on its way to a page.
 */
export function servePages(folder: string, onServed: (path: string) => void = () => undefined): void {
  const pages = session.defaultSession;
  // The older way on purpose: `handle` makes a `Request` of each request, for which Node loads all that it has of `fetch`
  // before the page can begin: 107 ms of processor time. Electron 45 brings `registerSource`, which would do without, but
  // it sends no header of ours, so no policy, and Electron 42, which the tests may run in, does not know it.
  pages.protocol.registerFileProtocol('app', ({ url }, answer) => {
    const path = pathOf(url);
    if (path !== null) onServed(path);
    answer(path === null ? { error: fileNotFound } : { path: join(folder, path), headers: headersOf(path) });
  });
  pages.webRequest.onBeforeRequest((details, answer) => {
    const { protocol: scheme } = new URL(details.url);
    answer({ cancel: !['app:', 'media:', 'devtools:', 'blob:', 'data:'].includes(scheme) });
  });
  pages.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  pages.setPermissionCheckHandler(() => false);
}
