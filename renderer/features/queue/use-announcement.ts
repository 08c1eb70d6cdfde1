import { useCallback, useState } from 'react';

/** Invisible; makes a screen reader announce the same text again. */
const again = '\u00a0';

/** Returns the text of a live region, and a function that announces a text, even the same one again. */
export function useAnnouncement(): readonly [said: string, say: (words: string) => void] {
  const [said, setSaid] = useState('');
  const say = useCallback((words: string) => setSaid((last) => (last === words ? words + again : words)), []);
  return [said, say];
}
