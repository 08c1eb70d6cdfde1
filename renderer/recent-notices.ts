import { useSyncExternalStore } from 'react';
import type { NoticeAction, NoticeDetails } from './notices.ts';

/** A message that was shown. */
export interface RecentNotice {
  /** Unix milliseconds. */
  readonly at: number;
  /** Whether it is from a day before the window was opened. */
  readonly isEarlier: boolean;
  readonly title: string;
  /** Empty for none. */
  readonly description: string;
  readonly isProblem: boolean;
  readonly details: NoticeDetails | null;
  /** `null`: there is none, or it was used, or a later message has replaced it. */
  readonly action: NoticeAction | null;
}

/** Number of messages that are kept. */
const maxRecent = 30;

let recent: readonly RecentNotice[] = [];
const listeners = new Set<() => void>();

function change(next: readonly RecentNotice[]): void {
  recent = next;
  for (const listener of listeners) listener();
}

/** Removes the actions that are no longer possible. */
const withoutAction = (isGone: (action: NoticeAction) => boolean): readonly RecentNotice[] =>
  recent.map((one) => (one.action !== null && isGone(one.action) ? { ...one, action: null } : one));

/** Removes the action with this key from the list: it was taken in another way. */
export const withdrawAction = (key: string): void =>
  change(withoutAction(({ recentKey }) => recentKey === key));

/** Adds a message to the list. Returns a function that removes its action, which has been used. */
export function rememberNotice(notice: RecentNotice): () => void {
  const key = notice.action?.recentKey;
  const earlier = key === undefined ? recent : withoutAction(({ recentKey }) => recentKey === key);
  const { action } = notice;
  const entry =
    action === null
      ? notice
      : {
          ...notice,
          action: {
            ...action,
            run: () => {
              if (action.isRepeatable !== true) forget();
              action.run();
            },
          },
        };
  const forget = (): void => change(withoutAction((other) => other === entry.action));
  change([entry, ...earlier].slice(0, maxRecent));
  return forget;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The messages since the window was opened, the latest first. */
export function useRecentNotices(): readonly RecentNotice[] {
  return useSyncExternalStore(subscribe, () => recent);
}
