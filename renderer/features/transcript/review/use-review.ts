import { useEffect, useMemo, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { Change, DraftSegment } from '../../../../electron/contract/transcript.ts';
import { readAhead, review, type Finding } from '../../../../electron/core/transcript/review/review.ts';
import type { SegmentListHandle } from '../editing/segment-list.tsx';
import { useSession, useWorkspace } from '../workspace.ts';

/** Segments that are reviewed without a pause. */
const segmentsPerBatch = 150;
/** Milliseconds after an edit before the text is reviewed again. */
const debounceMs = 250;

/** Findings that were fixed, until the next review replaces them. */
const fixedFindings = new WeakSet<Finding>();

/** The findings, and the segments that they were found in. */
interface ReviewedText {
  readonly segments: readonly DraftSegment[] | null;
  readonly findings: readonly Finding[];
}

export interface Findings {
  /** The findings that the user has not accepted. They come a moment after the text, so that nothing waits for them. */
  readonly findings: readonly Finding[];
  /** Whether the present text is still being reviewed. */
  readonly isReviewing: boolean;
  /** Fixes a finding. Returns the change. The finding is removed at once, so that it is never fixed twice. */
  readonly fix: (finding: Finding) => Change;
}

function useFindings(): Findings {
  const { session } = useWorkspace();
  const segments = useSession((state) => state.draft.segments);
  const accepted = useSession((state) => state.accepted);
  const [reviewed, setReviewed] = useState<ReviewedText>({ segments: null, findings: [] });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const reviewFrom = (index: number): void => {
      if (index >= segments.length) {
        setReviewed({ segments, findings: review(segments) });
        return;
      }
      readAhead(segments, index, index + segmentsPerBatch);
      timer = setTimeout(reviewFrom, 0, index + segmentsPerBatch);
    };
    timer = setTimeout(reviewFrom, debounceMs, 0);
    return () => clearTimeout(timer);
  }, [segments]);

  const findings = useMemo(() => {
    const known = new Set(accepted);
    return known.size === 0 ? reviewed.findings : reviewed.findings.filter(({ key }) => !known.has(key));
  }, [reviewed, accepted]);
  const fix = (finding: Finding): Change => {
    if (finding.fix === null || fixedFindings.has(finding)) return [];
    fixedFindings.add(finding);
    setReviewed((before) => ({
      ...before,
      findings: before.findings.filter(({ key }) => key !== finding.key),
    }));
    return session.edit(finding.fix.operation);
  };
  return { findings, isReviewing: reviewed.segments !== segments, fix };
}

export interface Review extends Findings {
  /** Index of the current finding; `null` while the review bar is closed. */
  readonly index: number | null;
  readonly current: Finding | undefined;
  /** Rises each time that the review bar is to take the focus. */
  readonly focusRequests: number;
  /** What is suspect about each segment, as text. */
  readonly suspects: ReadonlyMap<SegmentId, string>;
  /** Goes to a finding; `null` closes the review bar. */
  readonly goTo: (index: number | null) => void;
  /** Goes to the next or previous finding, at first to the first one. */
  readonly step: (by: -1 | 1) => void;
}

/** Steps through the findings of the review, and scrolls to each. */
export function useReview(list: RefObject<SegmentListHandle | null>): Review {
  const { t } = useTranslation();
  const { findings, isReviewing, fix } = useFindings();
  const [wantedIndex, goTo] = useState<number | null>(null);
  const [focusRequests, setFocusRequests] = useState(0);
  const index = wantedIndex === null ? null : Math.min(wantedIndex, Math.max(0, findings.length - 1));
  const current = index === null ? undefined : findings[index];
  const suspects = useMemo(
    () =>
      new Map(
        findings.map(({ segment, kind, amount }) => [
          segment,
          t(`transcript.review.kind.${kind}`, { amount: Math.round(amount * 10) / 10 }),
        ]),
      ),
    [findings, t],
  );
  const segment = current?.segment;
  useEffect(() => {
    if (segment !== undefined) list.current?.show(segment);
  }, [list, segment]);

  const step = (by: -1 | 1): void => {
    const count = findings.length;
    goTo(index === null || count === 0 ? 0 : (index + by + count) % count);
    setFocusRequests(focusRequests + 1);
  };
  return { findings, isReviewing, fix, index, current, focusRequests, suspects, goTo, step };
}
