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
  /** The actions that have neither been used nor been replaced by those of a later message. */
  readonly actions: readonly NoticeAction[];
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
  recent.map((one) =>
    one.actions.some(isRemoved)
      ? { ...one, actions: one.actions.filter((action) => !isRemoved(action)) }
      : one,
  );

/** Removes the action with this key from the list: the user did the same elsewhere. */
export const withdrawAction = (key: string): void =>
  setRecent(withoutAction(({ recentKey }) => recentKey === key));

/** Adds a message to the list. Returns a function that removes one of its actions after it was used. */
export function rememberNotice(content: Omit<RecentNotice, 'serial'>): (action: NoticeAction) => void {
  lastSerial += 1;
  /** The actions as the list offers them. */
  const listed = new Map<NoticeAction, NoticeAction>();
  const removeAction = (action: NoticeAction): void =>
    setRecent(withoutAction((other) => other === listed.get(action)));
  for (const action of content.actions)
    listed.set(action, {
      ...action,
      run: () => {
        if (action.isRepeatable !== true) removeAction(action);
        action.run();
      },
    });
  const keys = new Set(content.actions.map(({ recentKey }) => recentKey));
  const earlier = withoutAction(({ recentKey }) => keys.has(recentKey));
  const entry: RecentNotice = { ...content, serial: lastSerial, actions: [...listed.values()] };
  const [latest, ...others] = earlier;
  setRecent(
    withinLimit(latest !== undefined && repeats(entry, latest) ? [entry, ...others] : [entry, ...earlier]),
  );
  return removeAction;
}

/** Whether a message repeats the latest one, and that one has no actions. */
const repeats = (entry: RecentNotice, latest: RecentNotice): boolean =>
  latest.actions.length === 0 && latest.title === entry.title && latest.description === entry.description;

/** Drops the oldest message without actions, or else the oldest one: a mere report must not displace an undo. */
function withinLimit(notices: readonly RecentNotice[]): readonly RecentNotice[] {
  if (notices.length <= maxRecent) return notices;
  const oldest = notices.slice(1).findLast(({ actions }) => actions.length === 0) ?? notices.at(-1);
  return notices.filter((notice) => notice !== oldest);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the recent messages, the latest first. */
export function useRecentNotices(): readonly RecentNotice[] {
  return useSyncExternalStore(subscribe, () => recent);
}
