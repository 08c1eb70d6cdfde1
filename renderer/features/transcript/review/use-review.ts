import { useEffect, useMemo, useState } from 'react';
import { readAhead, review, type Finding } from '../../../../electron/core/library/review/review.ts';
import { useSession } from '../workspace.ts';

/** Segments that are read at once, and milliseconds that an edit rests before the text is looked at again. */
const atOnce = 150;
const restMs = 250;

const nothingFound: readonly Finding[] = [];

/** The suspect places that the user has not accepted. They come a moment after the text: reading never waits. */
export function useReview(): readonly Finding[] {
  const segments = useSession((state) => state.draft.segments);
  const accepted = useSession((state) => state.accepted);
  const [findings, setFindings] = useState(nothingFound);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const readFrom = (index: number): void => {
      if (index >= segments.length) {
        setFindings(review(segments));
        return;
      }
      readAhead(segments, index, index + atOnce);
      timer = setTimeout(readFrom, 0, index + atOnce);
    };
    timer = setTimeout(readFrom, restMs, 0);
    return () => clearTimeout(timer);
  }, [segments]);

  return useMemo(() => {
    const known = new Set(accepted);
    return known.size === 0 ? findings : findings.filter(({ key }) => !known.has(key));
  }, [findings, accepted]);
}
