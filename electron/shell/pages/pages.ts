import { extname, join, normalize } from 'node:path';
import { app, protocol, session, type Session, type WebPreferences } from 'electron';
import type { RecordingOwner } from './media-answer.ts';

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
  // No print dialog, alerts, downloads, windows or locked pointer. Without `allow-forms`, forms would send no `submit` event.
  'sandbox allow-scripts allow-same-origin allow-forms',
].join('; ');

/**
 * Features of Chromium that no page of ours uses and that act outside the page without a permission that could be denied:
 * they open dialogs or windows of the system, speak, or outlive the document.
 */
const disabledFeatures = [
  // Its save dialog empties the file that the user picks before anything can be denied.
  'FileSystemAccessLocal',
  'DocumentPictureInPictureAPI',
  'EyeDropperAPI',
  'Presentation',
  'RemotePlayback',
  'ScriptedSpeechRecognition',
  'ScriptedSpeechSynthesis',
  'FencedFrames',
  'FetchLaterAPI',
  'SharedWorker',
];

/** What every page of ours is opened with. */
export const pagePreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  webviewTag: false,
  spellcheck: false,
  disableBlinkFeatures: disabledFeatures.join(','),
} as const satisfies WebPreferences;

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

/** Returns the path of a page below the folder of all pages; `null` for an invalid address. */
function pathOf(address: string): string | null {
  const { host, pathname } = new URL(address);
  try {
    const path = normalize(decodeURIComponent(pathname));
    return host !== 'longhand' || path.includes('..') ? null : path;
  } catch {
    // It is not valid UTF-8.
    return null;
  }
}

const headersOf = (path: string): Record<string, string> => ({
  'content-type': contentTypes[extname(path)] ?? 'application/octet-stream',
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
});

/** Must be called before the application is ready. */
export function registerPageScheme({ cachesCode }: { readonly cachesCode: boolean }): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: 'app',
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: cachesCode },
    },
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
 * @param onServed called with each file that is served to a page.
 */
export function servePages(folder: string, onServed: (path: string) => void = () => undefined): void {
  serveIn(session.defaultSession, folder, onServed);
}

/**
 * Returns the session of the page that decodes recordings. A recording that takes over that page reaches neither other
 * recordings nor anything that the window stores.
 *
 * @param folder see {@link servePages}
 */
export function openDecoderSession(folder: string): Session {
  const pages = session.fromPartition('decoder');
  if (!pages.protocol.isProtocolRegistered('app')) serveIn(pages, folder, () => undefined);
  return pages;
}

function serveIn(pages: Session, folder: string, onServed: (path: string) => void): void {
  // The older API on purpose: `handle` makes a `Request` of each request, for which Node loads all of `fetch` before the
  // page can start: 107 ms of CPU time. `registerSource` of Electron 45 avoids that, but cannot send our headers, among
  // them the policy; and Electron 42, in which the tests may run, lacks it.
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

/** The path of a recording; `null` when there is none. */
export type RecordingPath = (owner: RecordingOwner) => string | null;

/**
 * Serves the recordings of transcripts and of the queue, and nothing else, under `media://`. Must be called before a page is
 * opened, since pages do not know schemes registered later; requests wait until the paths of recordings can be looked up.
 *
 * @returns a function that installs the lookup.
 */
export function serveRecordings(): (pathOf: RecordingPath) => void {
  const { promise, resolve } = Promise.withResolvers<RecordingPath>();
  session.defaultSession.protocol.handle('media', async (request) => {
    const { respondWithMedia } = await import('./media-answer.ts');
    return respondWithMedia(request, await promise, pageOrigin);
  });
  return resolve;
}

/** Keeps our pages from navigating, opening windows, embedding, downloading, resolving host names and using WebRTC. */
export function restrictWebContents(): void {
  // Block DNS in Chromium: links and cloud accounts go through Node's network, and no page needs any. Without this, a start asks
  // for a spelling dictionary, and `dns-prefetch` in a page reaches a name server.
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
  app.on('session-created', (session) => {
    // macOS has a spelling checker of its own.
    if (process.platform !== 'darwin') session.setSpellCheckerLanguages([]);
    session.on('will-download', (event) => event.preventDefault());
  });
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-navigate', (event) => event.preventDefault());
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    // Closes the window anyway: a page must not decide whether the program quits.
    contents.on('will-prevent-unload', (event) => event.preventDefault());
    // No page has frames. Foreign code could use one, where no preload script runs, to copy and drag unnoticed.
    contents.on('frame-created', (_created, { frame }) => {
      if (frame !== null && frame.parent !== null) contents.forcefullyCrashRenderer();
    });
    // WebRTC traffic is not a request: neither the page's policy nor the session would stop it.
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  });
}

/** Whether a frame is the top frame of one of our own pages. */
export function isOwnFrame(frame: Electron.WebFrameMain | null): boolean {
  return frame !== null && frame.parent === null && frame.url.startsWith(`${pageOrigin}/`);
}
