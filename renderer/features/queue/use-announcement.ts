import { useCallback, useState } from 'react';

/** An invisible suffix that makes a screen reader announce the same text again. */
const repeatSuffix = '\u00a0';

/** Returns the text of a live region, and a function that announces a text, even the same one again. */
export function useAnnouncement(): readonly [announcement: string, announce: (text: string) => void] {
  const [announcement, setAnnouncement] = useState('');
  const announce = useCallback(
    (text: string) => setAnnouncement((last) => (last === text ? text + repeatSuffix : text)),
    [],
  );
  return [announcement, announce];
}
