import type { Playback } from './playback.ts';

/** Seconds that an arrow key skips. */
const arrowSeconds = 5;

type KeyEvent = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey'>;

/**
 * Returns what a key does to the player while the user reads, in a saved transcript and in one in progress; `null` for any
 * other key.
 */
export function readingKeyAction({
  key,
  altKey,
  ctrlKey,
  metaKey,
}: KeyEvent): ((player: Playback) => void) | null {
  if (altKey || ctrlKey || metaKey) return null;
  switch (key) {
    case ' ':
      return (player) => player.toggle();
    case 'ArrowLeft':
      return (player) => player.skip(-arrowSeconds);
    case 'ArrowRight':
      return (player) => player.skip(arrowSeconds);
    case '<':
      return (player) => player.stepRate(-1);
    case '>':
      return (player) => player.stepRate(1);
    default:
      return null;
  }
}
