import { useEffect, useMemo, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { Finding } from '../../../../electron/core/transcript/review/review.ts';
import type { SegmentListHandle } from '../editing/segment-list.tsx';
import { useReview, type Review } from './use-review.ts';

export interface Looking extends Review {
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
export function useLooking(list: RefObject<SegmentListHandle | null>): Looking {
  const { t } = useTranslation();
  const review = useReview();
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
