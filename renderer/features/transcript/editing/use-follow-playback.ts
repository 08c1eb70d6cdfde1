import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { usePlayback } from '../workspace.ts';

export interface FollowPlaybackOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly virtualizer: Virtualizer<HTMLElement, Element>;
  /** Index of the segment that is heard; -1 for none. */
  readonly playingIndex: number;
  /** Whether the caret is in the text: the list then stays where it is. */
  readonly isTyping: boolean;
}

export interface FollowPlayback {
  /** Whether the reader has gone elsewhere while it plays. */
  readonly hasLostPlayback: boolean;
  /** Stays where the reader is, until told otherwise. */
  readonly pause: () => void;
  /** Goes back to what is heard. */
  readonly resume: () => void;
  /** Tell of the reader's own scrolling. */
  readonly handlers: {
    readonly onWheel: () => void;
    readonly onTouchMove: () => void;
    readonly onPointerDown: (event: React.PointerEvent) => void;
  };
}

/** Keeps what is heard on screen, and never moves the text under a reader who has scrolled away. */
export function useFollowPlayback({
  scroller,
  virtualizer,
  playingIndex: playing,
  isTyping: typing,
}: FollowPlaybackOptions): FollowPlayback {
  const [paused, setPaused] = useState(false);
  const isPlaying = usePlayback((state) => state.isPlaying);
  const before = useRef(playing);

  const bring = (): void => {
    if (playing < 0) return;
    const range = virtualizer.range;
    const inside = range !== null && playing > range.startIndex && playing < range.endIndex - 1;
    if (!inside) virtualizer.scrollToIndex(playing, { align: 'center' });
  };
  useEffect(() => {
    if (before.current === playing) return;
    before.current = playing;
    if (!paused && !typing) bring();
  });

  const pause = (): void => setPaused(true);
  return {
    hasLostPlayback: (paused || typing) && isPlaying && playing >= 0 && !isOnScreen(virtualizer, playing),
    pause,
    resume: () => {
      setPaused(false);
      bring();
      scroller.current?.focus({ preventScroll: true });
    },
    handlers: {
      onWheel: pause,
      onTouchMove: pause,
      onPointerDown: (event) => {
        // The bar at the side belongs to the list itself.
        if (event.target === scroller.current) pause();
      },
    },
  };
}

function isOnScreen({ range }: Virtualizer<HTMLElement, Element>, index: number): boolean {
  return range !== null && index >= range.startIndex && index <= range.endIndex;
}
