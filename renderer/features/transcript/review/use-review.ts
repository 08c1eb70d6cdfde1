import { type RefObject, useEffect, useMemo, useState } from 'react';
import type { Change, DraftSegment } from '../../../../electron/contract/transcript.ts';
import { type Finding, readAhead, review } from '../../../../electron/core/transcript/review/review.ts';
import { useSession, useWorkspace } from '../workspace.ts';
import { useTranslation } from 'react-i18next';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { SegmentListHandle } from '../editing/segment-list.tsx';

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

export interface Findings {
  /** The suspect places that the user has not accepted. They come a moment after the text: reading never waits. */
  readonly findings: readonly Finding[];
  /** Whether the text as it is now is still being read. */
  readonly isReading: boolean;
  /** Does what puts a finding right, and returns that. The finding is gone at once, so that it is never done twice. */
  readonly mend: (finding: Finding) => Change;
}

function useFindings(): Findings {
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

export interface Review extends Findings {
  /** Index of the place that is looked at; `null` while nobody reviews. */
  readonly at: number | null;
  readonly looked: Finding | undefined;
  /** Another number each time the user asks for a place, from wherever that is. */
  readonly asked: number;
  /** What is suspect, by segment, in words. */
  readonly suspects: ReadonlyMap<SegmentId, string>;
  /** Looks at a place; with `null` at none any more. */
  readonly go: (index: number | null) => void;
  /** Looks at the place after or before, and begins with the first. */
  readonly step: (by: -1 | 1) => void;
}

/** Goes from suspect place to suspect place, and brings each on screen. */
export function useReview(list: RefObject<SegmentListHandle | null>): Review {
  const { t } = useTranslation();
  const review = useFindings();
  const { findings } = review;
  const [reviewed, setReviewed] = useState<number | null>(null);
  const [asked, setAsked] = useState(0);
  const at = reviewed === null ? null : Math.min(reviewed, Math.max(0, findings.length - 1));
  const looked = at === null ? undefined : findings[at];
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
  const segment = looked?.segment;
  useEffect(() => {
    if (segment !== undefined) list.current?.show(segment);
  }, [list, segment]);

  const step = (by: -1 | 1): void => {
    const count = findings.length;
    setReviewed(at === null || count === 0 ? 0 : (at + by + count) % count);
    setAsked(asked + 1);
  };
  return { ...review, at, looked, asked, suspects, go: setReviewed, step };
}
