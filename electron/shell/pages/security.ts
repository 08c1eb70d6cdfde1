import { app } from 'electron';
import { pageOrigin } from './pages.ts';

/** No page of ours ever goes anywhere else, opens a window, embeds anything or calls anybody. */
export function confineContents(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-navigate', (event) => event.preventDefault());
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    // What calls between pages send is no request: neither the policy of the page nor the session would stop it.
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  });
}

/** Whether a frame is the top frame of one of our own pages. */
export function isOwnFrame(frame: Electron.WebFrameMain | null): boolean {
  return frame !== null && frame.parent === null && frame.url.startsWith(`${pageOrigin}/`);
}
