import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type RefObject } from 'react';

export interface FollowPlaybackOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly virtualizer: Virtualizer<HTMLElement, Element>;
  readonly isPlaying: boolean;
  /** Index of the segment at the playhead; -1 for none. */
  readonly playingIndex: number;
  /** Whether the caret is in the text: the list does not follow then. */
  readonly isTyping?: boolean;
}

export interface FollowPlayback {
  /** Whether the segment that is playing is off screen because the user has scrolled away. */
  readonly isScrolledAway: boolean;
  /** Whether the user has scrolled away, so that the list does not follow. */
  readonly isPaused: boolean;
  /** Stops following until `resume`. */
  readonly pause: () => void;
  /** Scrolls to the segment that is playing, and follows again. */
  readonly resume: () => void;
  /** Detects that the user scrolls. */
  readonly handlers: {
    readonly onWheel: () => void;
    readonly onTouchMove: () => void;
    readonly onPointerDown: (event: React.PointerEvent) => void;
  };
}

/** Keeps the segment that is playing on screen, unless the user has scrolled away. */
export function useFollowPlayback({
  scroller,
  virtualizer,
  isPlaying,
  playingIndex,
  isTyping = false,
}: FollowPlaybackOptions): FollowPlayback {
  const [following, setFollowing] = useState({ isPaused: false });
  const handled = useRef({ following, playingIndex });

  useEffect(() => {
    const before = handled.current;
    if (before.playingIndex === playingIndex && before.following === following) return;
    handled.current = { following, playingIndex };
    if (following.isPaused || isTyping || playingIndex < 0) return;
    const range = virtualizer.range;
    const isInside = range !== null && playingIndex > range.startIndex && playingIndex < range.endIndex - 1;
    if (!isInside) virtualizer.scrollToIndex(playingIndex, { align: 'center' });
  });

  const pause = (): void => setFollowing((before) => (before.isPaused ? before : { isPaused: true }));
  return {
    isScrolledAway:
      (following.isPaused || isTyping) &&
      isPlaying &&
      playingIndex >= 0 &&
      !isOnScreen(virtualizer, playingIndex),
    isPaused: following.isPaused,
    pause,
    resume: () => {
      // The effect scrolls: the caller may have moved the playhead, which is not rendered yet.
      setFollowing({ isPaused: false });
      scroller.current?.focus({ preventScroll: true });
    },
    handlers: {
      onWheel: pause,
      onTouchMove: pause,
      onPointerDown: (event) => {
        // Only the scroll bar belongs to the scroller itself.
        if (event.target === scroller.current) pause();
      },
    },
  };
}

/** The keys that scroll a list. */
export const scrollKeys: ReadonlySet<string> = new Set([
  'PageUp',
  'PageDown',
  'ArrowUp',
  'ArrowDown',
  'Home',
  'End',
]);

/** Whether a row is on screen, at least in part. */
export function isOnScreen({ range }: Virtualizer<HTMLElement, Element>, index: number): boolean {
  return range !== null && index >= range.startIndex && index <= range.endIndex;
}
