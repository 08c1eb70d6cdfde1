import { useLayoutEffect, type RefObject } from 'react';
import type { DraftSegment } from '../../../../electron/contract/transcript.ts';
import { wordsOf, type Word } from '../../../../electron/core/transcript/word-times.ts';
import { useWindowState } from '../../../use-store.ts';
import { domRange } from '../find/matches.ts';
import { useWorkspace } from '../workspace.ts';
import { segmentTextElement } from './segment-dom.ts';

const highlightName = 'playing-word';

/**
 * Highlights the word that is being played. The highlight is painted over the text, so nothing moves and no row is
 * rendered again.
 *
 * @param playing the segment that is playing; `undefined` for none
 */
export function usePlayingWord(
  scroller: RefObject<HTMLElement | null>,
  playing: DraftSegment | undefined,
): void {
  const { playback } = useWorkspace();
  const isEnabled = useWindowState((state) => state.settings.highlightPlayingWord);

  useLayoutEffect(() => {
    const words = isEnabled && playing !== undefined ? wordsOf(playing) : null;
    if (playing === undefined || words === null) return;
    let highlighted: Range | null = null;
    const updateHighlight = (): void => {
      const word = wordAt(words, playback.getState().time);
      const node = segmentTextElement(scroller.current, playing.id)?.firstChild ?? null;
      // While the user types, the words are a moment older than the text.
      if (word === undefined || node === null || node.textContent !== playing.text) {
        highlighted = null;
        CSS.highlights.delete(highlightName);
        return;
      }
      if (highlighted?.startContainer === node && highlighted.startOffset === word.from) return;
      highlighted = domRange(node, { start: word.from, end: word.to });
      CSS.highlights.set(highlightName, new Highlight(highlighted));
    };
    updateHighlight();
    const unsubscribe = playback.subscribe(updateHighlight);
    return () => {
      unsubscribe();
      CSS.highlights.delete(highlightName);
    };
  }, [isEnabled, playing, playback, scroller]);
}

/** Returns the word spoken at a time, in seconds; between two words, the one before. */
const wordAt = (words: readonly Word[], time: number): Word | undefined =>
  words.findLast(({ start }) => start <= time);
