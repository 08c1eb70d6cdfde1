import { useEffect, useMemo, useState } from 'react';
import type { Change, DraftSegment } from '../../../../electron/contract/transcript.ts';
import { readAhead, review, type Finding } from '../../../../electron/core/transcript/review/review.ts';
import { useSession, useWorkspace } from '../workspace.ts';

/** Segments that are read at once, and milliseconds that an edit rests before the text is looked at again. */
const atOnce = 150;
const restMs = 250;

/** What is put right already, until the text is read again and what is found is new. */
const mended = new WeakSet<Finding>();

/** What was found, and the text that it was found in. */
interface Reading {
  readonly segments: readonly DraftSegment[] | null;
  readonly findings: readonly Finding[];
}

export interface Review {
  /** The suspect places that the user has not accepted. They come a moment after the text: reading never waits. */
  readonly findings: readonly Finding[];
  /** Whether the text as it is now is still being read. */
  readonly isReading: boolean;
  /** Does what puts a finding right, and returns that. The finding is gone at once, so that it is never done twice. */
  readonly mend: (finding: Finding) => Change;
}

export function useReview(): Review {
  const { session } = useWorkspace();
  const segments = useSession((state) => state.draft.segments);
  const accepted = useSession((state) => state.accepted);
  const [read, setRead] = useState<Reading>({ segments: null, findings: [] });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const readFrom = (index: number): void => {
      if (index >= segments.length) {
        setRead({ segments, findings: review(segments) });
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
    return known.size === 0 ? read.findings : read.findings.filter(({ key }) => !known.has(key));
  }, [read, accepted]);
  const mend = (finding: Finding): Change => {
    if (finding.fix === null || mended.has(finding)) return [];
    mended.add(finding);
    setRead((before) => ({
      ...before,
      findings: before.findings.filter(({ key }) => key !== finding.key),
    }));
    return session.edit(finding.fix.operation);
  };
  return { findings, isReading: read.segments !== segments, mend };
}
