import { startTransition, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { Change, DraftSegment, EditOperation } from '../../../../electron/contract/transcript.ts';
import type { TextPosition } from '../../../../electron/core/transcript/edit/change.ts';
import {
  inCurrentText,
  reviewInSteps,
  type Finding,
} from '../../../../electron/core/transcript/review/review.ts';
import { NameIndex } from '../../../../electron/core/transcript/review/spellings.ts';
import type { SegmentListHandle } from '../editing/segment-list.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { useKnownTerms, useSession, useWorkspace } from '../workspace.ts';
import { findingText } from './finding-text.ts';

/** Milliseconds after which the review yields, so that the window stays responsive. */
const maxBlockingMs = 5;
/** Milliseconds after an edit before the text is reviewed again. */
const debounceMs = 250;

/** Texts that an undo or redo may return to, whose findings are kept. */
const maxKeptTexts = 10;

/** What a finding is about. */
export const findingCategories = ['segments', 'names', 'doubled', 'words'] as const;
export type FindingCategory = (typeof findingCategories)[number];

const categories: Readonly<Partial<Record<Finding['kind'], FindingCategory>>> = {
  unsure: 'words',
  spelling: 'names',
  doubled: 'doubled',
};
const categoryOf = ({ kind }: Finding): FindingCategory => categories[kind] ?? 'segments';

/** The findings, and the segments that they were found in. */
interface ReviewedText {
  readonly segments: readonly DraftSegment[] | null;
  readonly findings: readonly Finding[];
}

/** The latest text, and the texts before it. */
interface ReviewedTexts {
  readonly latest: ReviewedText;
  readonly earlier: readonly ReviewedText[];
}

/** Makes a text the latest one, and keeps another one, unless it is known, for an undo or redo. */
const withLatest = (latest: ReviewedText, { earlier }: ReviewedTexts, kept: ReviewedText): ReviewedTexts => ({
  latest,
  earlier: earlier.some(({ segments }) => segments === kept.segments)
    ? earlier
    : [kept, ...earlier].slice(0, maxKeptTexts),
});

/** Whether two texts have the same segments, as after an undo, which restores the objects. */
const areSame = (some: readonly DraftSegment[] | null, others: readonly DraftSegment[]): boolean =>
  some?.length === others.length && some.every((segment, index) => segment === others[index]);

interface Findings {
  /** The findings that the user has not accepted, computed some time after each edit. */
  readonly all: readonly Finding[];
  /** Whether the current text is still being reviewed. */
  readonly isReviewing: boolean;
  /** Fixes a finding. Returns the change. The finding is removed at once, so that it is never fixed twice. */
  readonly fix: (finding: Finding, operation: EditOperation) => Change;
}

function useFindings(language: string | null): Findings {
  const { session } = useWorkspace();
  const segments = useSession((state) => state.draft.segments);
  const accepted = useSession((state) => state.accepted);
  const terms = useKnownTerms();
  const [names] = useState(() => new NameIndex(terms));
  const [reviewed, setReviewed] = useState<ReviewedTexts>({
    latest: { segments: null, findings: [] },
    earlier: [],
  });
  const [shownSegments, setShownSegments] = useState(segments);
  if (shownSegments !== segments) {
    setShownSegments(segments);
    // The review of a long text takes a while: what an undo restores has the findings that it had.
    const restored = reviewed.earlier.find((text) => areSame(text.segments, segments));
    if (restored !== undefined)
      setReviewed((before) => withLatest({ segments, findings: restored.findings }, before, before.latest));
  }

  useEffect(() => {
    const steps = reviewInSteps(segments, names, language);
    let timer: ReturnType<typeof setTimeout>;
    const checkNext = (): void => {
      const end = performance.now() + maxBlockingMs;
      while (performance.now() < end) {
        const { done, value } = steps.next();
        if (done !== true) continue;
        // A text with very many findings takes a while to show.
        startTransition(() =>
          setReviewed((before) => withLatest({ segments, findings: value }, before, before.latest)),
        );
        return;
      }
      timer = setTimeout(checkNext, 0);
    };
    timer = setTimeout(checkNext, debounceMs);
    return () => clearTimeout(timer);
  }, [segments, names, language]);

  const { latest } = reviewed;
  const current = useMemo(
    // Until the text is reviewed again, the findings follow the edits: what they are about may have moved or gone.
    () => inCurrentText(latest.findings, latest.segments ?? [], segments),
    [latest, segments],
  );
  const all = useMemo(() => {
    const acceptedKeys = new Set(accepted);
    return current.filter(({ key }) => !acceptedKeys.has(key));
  }, [current, accepted]);
  const fix = (finding: Finding, operation: EditOperation): Change => {
    // The text has changed since the finding was shown, as by the same fix.
    if (session.getState().draft.segments !== segments) return [];
    const findings = latest.findings.filter(({ key }) => key !== finding.key);
    setReviewed((before) => withLatest({ ...latest, findings }, before, { segments, findings: current }));
    return session.edit(operation);
  };
  return { all, isReviewing: latest.segments !== segments, fix };
}

/** The current finding: its key, and its index in case the key no longer exists. */
interface FindingPosition {
  readonly index: number;
  readonly key: string | undefined;
}

export interface Review extends Findings {
  /** The findings of the chosen category. */
  readonly findings: readonly Finding[];
  /** `null`: all. */
  readonly category: FindingCategory | null;
  readonly onCategory: (category: FindingCategory | null) => void;
  /** The number of findings of each category. */
  readonly counts: Readonly<Record<FindingCategory, number>>;
  /** Index of the current finding; `null` while the review bar is closed. */
  readonly index: number | null;
  readonly current: Finding | undefined;
  /** Incremented each time the review bar has to take the focus. */
  readonly focusRequests: number;
  /** What is suspect about each segment, as text. */
  readonly suspiciousSegments: ReadonlyMap<SegmentId, string>;
  /** Goes to a finding; `null` closes the review bar. */
  readonly goTo: (index: number | null) => void;
  /** Goes to the next or previous finding; opens the first one if the review is closed. */
  readonly step: (by: -1 | 1) => void;
  /** Scrolls to a finding that is off screen. Returns whether it was on screen. */
  readonly reveal: (finding: Finding) => boolean;
  /** Goes to the finding at a position that an undo or redo has changed, once the text is reviewed again. */
  readonly goToStep: (position: TextPosition) => void;
}

/**
 * Steps through the findings of the review, and scrolls to each.
 *
 * @param language BCP 47 tag; `null` if it is unknown
 */
export function useReview(list: RefObject<SegmentListHandle | null>, language: string | null): Review {
  const { t } = useTranslation();
  const format = useFormat();
  const { playback } = useWorkspace();
  const { all, isReviewing, fix } = useFindings(language);
  const [category, setCategory] = useState<FindingCategory | null>(null);
  const [position, setPosition] = useState<FindingPosition | null>(null);
  const [focusRequests, setFocusRequests] = useState(0);
  const counts = useMemo(() => {
    const counts = { segments: 0, names: 0, doubled: 0, words: 0 };
    for (const finding of all) counts[categoryOf(finding)] += 1;
    return counts;
  }, [all]);
  const findings = useMemo(
    () => (category === null ? all : all.filter((finding) => categoryOf(finding) === category)),
    [all, category],
  );
  const index = useMemo(() => {
    if (position === null) return null;
    // Several findings have the same key where a text repeats itself.
    if (findings[position.index]?.key === position.key) return position.index;
    const newIndex = findings.findIndex(({ key }) => key === position.key);
    if (newIndex >= 0) return newIndex;
    // After the last one, the review continues with those at the beginning that were passed over.
    return position.index < findings.length ? position.index : 0;
  }, [findings, position]);
  const current = index === null ? undefined : findings[index];
  // An edit can remove findings before the current one. Once that is gone too, the review continues at its latest index.
  if (index !== null && index !== position?.index && current?.key === position?.key)
    setPosition({ index, key: current?.key });
  const suspiciousSegments = useMemo(() => {
    const suspiciousSegments = new Map<SegmentId, string>();
    for (const finding of all)
      if (finding.range === null) suspiciousSegments.set(finding.segment, findingText(t, format, finding));
    return suspiciousSegments;
  }, [all, t, format]);
  const shownKey = useRef<string>(undefined);
  useEffect(() => {
    // Do not scroll while the user types.
    if (current === undefined || position === null) return;
    if (document.activeElement?.matches('[role=textbox]') === true) return;
    if (shownKey.current === current.key) return;
    shownKey.current = current.key;
    list.current?.show(current.segment, current.range?.from ?? 0);
  }, [list, current, position]);

  const changedByStep = useRef<TextPosition>(null);
  const goTo = (to: number | null): void => {
    playback.stopRange();
    changedByStep.current = null;
    if (to === null) shownKey.current = undefined;
    setPosition(to === null ? null : { index: to, key: findings[to]?.key });
  };
  useEffect(() => {
    const changed = changedByStep.current;
    if (changed === null || isReviewing) return;
    changedByStep.current = null;
    const inSegment = findings.filter(({ segment }) => segment === changed.segment);
    const found = inSegment.find(({ range }) => range !== null && range.to >= changed.offset) ?? inSegment[0];
    if (found !== undefined) goTo(findings.indexOf(found));
  });
  const step = (by: -1 | 1): void => {
    const count = findings.length;
    // A finding that appeared while the user typed was not shown yet.
    const isNew = by === 1 && current?.key !== shownKey.current;
    goTo(index === null || count === 0 ? 0 : isNew ? index : (index + by + count) % count);
    setFocusRequests(focusRequests + 1);
  };
  const onCategory = (chosen: FindingCategory | null): void => {
    setCategory(chosen);
    setPosition({ index: 0, key: undefined });
  };
  const reveal = ({ segment, range }: Finding): boolean => {
    const offset = range?.from ?? 0;
    if (list.current?.isShown(segment, offset) !== false) return true;
    list.current.show(segment, offset);
    changedByStep.current = null;
    return false;
  };
  const goToStep = (changed: TextPosition): void => {
    if (position !== null) changedByStep.current = changed;
  };
  return {
    all,
    findings,
    category,
    onCategory,
    counts,
    isReviewing,
    fix,
    index,
    current,
    focusRequests,
    suspiciousSegments,
    goTo,
    step,
    reveal,
    goToStep,
  };
}
