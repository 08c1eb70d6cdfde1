import { useCallback, useState } from 'react';

/** Something that a screen reader does not see, and that makes a live region say the same words again. */
const again = '\u00a0';

/** The words of a live region, and what says new ones: also those that it said last. */
export function useAnnouncement(): readonly [said: string, say: (words: string) => void] {
  const [said, setSaid] = useState('');
  const say = useCallback((words: string) => setSaid((last) => (last === words ? words + again : words)), []);
  return [said, say];
}
