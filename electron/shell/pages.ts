import { readFile } from 'node:fs/promises';
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

/** Serves the built pages in `folder` under {@link pageOrigin}, and lets pages reach nothing else. */
export function servePages(folder: string): void {
  const pages = session.defaultSession;
  pages.protocol.handle('app', async (request) => {
    const url = new URL(request.url);
    const path = normalize(decodeURIComponent(url.pathname));
    if (url.host !== 'longhand' || path.includes('..')) return new Response('Not found', { status: 404 });
    const body = await readFile(join(folder, path)).catch(() => null);
    if (body === null) return new Response('Not found', { status: 404 });
    const headers = {
      'content-type': contentTypes[extname(path)] ?? 'application/octet-stream',
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
    };
    return new Response(new Uint8Array(body), { headers });
  });
  pages.webRequest.onBeforeRequest((details, answer) => {
    const { protocol: scheme } = new URL(details.url);
    answer({ cancel: !['app:', 'media:', 'devtools:', 'blob:', 'data:'].includes(scheme) });
  });
  pages.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  pages.setPermissionCheckHandler(() => false);
}
