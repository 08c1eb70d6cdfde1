import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { usePlayback } from '../workspace.ts';

export interface FollowPlaybackOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly virtualizer: Virtualizer<HTMLElement, Element>;
  /** Index of the segment that is playing; -1 for none. */
  readonly playingIndex: number;
  /** Whether the caret is in the text: the list does not follow then. */
  readonly isTyping: boolean;
}

export interface FollowPlayback {
  /** Whether the segment that is playing is off screen because the user has scrolled away. */
  readonly isScrolledAway: boolean;
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
  playingIndex,
  isTyping,
}: FollowPlaybackOptions): FollowPlayback {
  const [paused, setPaused] = useState(false);
  const isPlaying = usePlayback((state) => state.isPlaying);
  const followedIndex = useRef(playingIndex);

  const scrollToPlaying = (): void => {
    if (playingIndex < 0) return;
    const range = virtualizer.range;
    const isInside = range !== null && playingIndex > range.startIndex && playingIndex < range.endIndex - 1;
    if (!isInside) virtualizer.scrollToIndex(playingIndex, { align: 'center' });
  };
  useEffect(() => {
    if (followedIndex.current === playingIndex) return;
    followedIndex.current = playingIndex;
    if (!paused && !isTyping) scrollToPlaying();
  });

  const pause = (): void => setPaused(true);
  return {
    isScrolledAway:
      (paused || isTyping) && isPlaying && playingIndex >= 0 && !isOnScreen(virtualizer, playingIndex),
    pause,
    resume: () => {
      setPaused(false);
      scrollToPlaying();
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

/** Whether a row is on screen, at least in part. */
export function isOnScreen({ range }: Virtualizer<HTMLElement, Element>, index: number): boolean {
  return range !== null && index >= range.startIndex && index <= range.endIndex;
}
