import { join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { net, protocol, session } from 'electron';

/** The origin of our own pages. */
export const pageOrigin = 'app://longhand';

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  'media-src media:',
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Has to be called before the application is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** Serves the built pages in `folder` under {@link pageOrigin}, and lets pages reach nothing else. */
export function servePages(folder: string): void {
  const pages = session.defaultSession;
  pages.protocol.handle('app', async (request) => {
    const url = new URL(request.url);
    const path = normalize(decodeURIComponent(url.pathname));
    if (url.host !== 'longhand' || path.includes('..')) return new Response('Not found', { status: 404 });
    const response = await net.fetch(pathToFileURL(join(folder, path)).href).catch(() => null);
    if (response === null) return new Response('Not found', { status: 404 });
    const headers = new Headers(response.headers);
    headers.set('content-security-policy', contentSecurityPolicy);
    headers.set('x-content-type-options', 'nosniff');
    return new Response(response.body, { status: response.status, headers });
  });
  pages.webRequest.onBeforeRequest((details, answer) => {
    const { protocol: scheme } = new URL(details.url);
    answer({ cancel: !['app:', 'media:', 'devtools:', 'blob:', 'data:'].includes(scheme) });
  });
  pages.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  pages.setPermissionCheckHandler(() => false);
}
