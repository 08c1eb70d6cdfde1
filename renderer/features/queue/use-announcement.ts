import { useCallback, useState } from 'react';

/** Invisible; makes a screen reader announce the same text again. */
const again = '\u00a0';

/** Returns the text of a live region, and a function that announces a text, even the same one again. */
export function useAnnouncement(): readonly [announcement: string, announce: (words: string) => void] {
  const [announcement, setAnnouncement] = useState('');
  const announce = useCallback(
    (words: string) => setAnnouncement((last) => (last === words ? words + again : words)),
    [],
  );
  return [announcement, announce];
}
