import { useEffect, useMemo, useState } from 'react';
import type { Change } from '../../../../electron/contract/model/transcript.ts';
import { readAhead, review, type Finding } from '../../../../electron/core/library/review/review.ts';
import { useSession, useWorkspace } from '../workspace.ts';

/** Segments that are read at once, and milliseconds that an edit rests before the text is looked at again. */
const atOnce = 150;
const restMs = 250;

/** What is put right already, until the text is read again and what is found is new. */
const mended = new WeakSet<Finding>();

const nothingFound: readonly Finding[] = [];

export interface Review {
  /** The suspect places that the user has not accepted. They come a moment after the text: reading never waits. */
  readonly findings: readonly Finding[];
  /** Does what puts a finding right, and returns that. The finding is gone at once, so that it is never done twice. */
  readonly mend: (finding: Finding) => Change;
}

export function useReview(): Review {
  const { session } = useWorkspace();
  const segments = useSession((state) => state.draft.segments);
  const accepted = useSession((state) => state.accepted);
  const [found, setFound] = useState(nothingFound);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const readFrom = (index: number): void => {
      if (index >= segments.length) {
        setFound(review(segments));
        return;
      }
      readAhead(segments, index, index + atOnce);
      timer = setTimeout(readFrom, 0, index + atOnce);
    };
    timer = setTimeout(readFrom, restMs, 0);
    return () => clearTimeout(timer);
  }, [segments]);

  const findings = useMemo(() => {
    const known = new Set(accepted);
    return known.size === 0 ? found : found.filter(({ key }) => !known.has(key));
  }, [found, accepted]);
  const mend = (finding: Finding): Change => {
    if (finding.mend === null || mended.has(finding)) return [];
    mended.add(finding);
    setFound((before) => before.filter(({ key }) => key !== finding.key));
    return session.edit(finding.mend.operation);
  };
  return { findings, mend };
}
