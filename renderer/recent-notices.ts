import { useSyncExternalStore } from 'react';
import type { NoticeAction, NoticeDetails } from './notices.ts';

/** A message that was shown. */
export interface RecentNotice {
  /** Identifies it in the list. */
  readonly serial: number;
  /** Unix milliseconds. */
  readonly at: number;
  /** Whether it is from a day before the window was opened. */
  readonly isFromEarlierDay: boolean;
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
let lastSerial = 0;
const listeners = new Set<() => void>();

function setRecent(next: readonly RecentNotice[]): void {
  recent = next;
  for (const listener of listeners) listener();
}

/** Returns the list without the actions for which `isRemoved` is true. */
const withoutAction = (isRemoved: (action: NoticeAction) => boolean): readonly RecentNotice[] =>
  recent.map((one) => (one.action !== null && isRemoved(one.action) ? { ...one, action: null } : one));

/** Removes the action with this key from the list: the user did the same elsewhere. */
export const withdrawAction = (key: string): void =>
  setRecent(withoutAction(({ recentKey }) => recentKey === key));

/** Adds a message to the list. Returns a function that removes its action after it was used. */
export function rememberNotice(content: Omit<RecentNotice, 'serial'>): () => void {
  lastSerial += 1;
  const notice: RecentNotice = { ...content, serial: lastSerial };
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
              if (action.isRepeatable !== true) removeAction();
              action.run();
            },
          },
        };
  const removeAction = (): void => setRecent(withoutAction((other) => other === entry.action));
  setRecent([entry, ...earlier].slice(0, maxRecent));
  return removeAction;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the recent messages, the latest first. */
export function useRecentNotices(): readonly RecentNotice[] {
  return useSyncExternalStore(subscribe, () => recent);
}
