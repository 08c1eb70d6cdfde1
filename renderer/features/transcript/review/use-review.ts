import {
  startTransition,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { Change, DraftSegment, EditOperation } from '../../../../electron/contract/transcript.ts';
import type { TextPosition } from '../../../../electron/core/transcript/edit/change.ts';
import {
  inCurrentText,
  reviewInSteps,
  type Finding,
} from '../../../../electron/core/transcript/review/review.ts';
import { rangeToRetype } from '../../../../electron/core/transcript/review/unsure-words.ts';
import { NameIndex } from '../../../../electron/core/transcript/review/spellings.ts';
import type { SegmentListHandle } from '../editing/segment-list.tsx';
import type { SearchPosition } from '../find/matches.ts';
import { reviewPlaceOf, setReviewPlace } from '../reading-places.ts';
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

/** Returns the texts with a new latest one; `kept` joins the earlier ones for an undo or redo, unless it is one of them. */
const withLatest = (latest: ReviewedText, { earlier }: ReviewedTexts, kept: ReviewedText): ReviewedTexts => ({
  latest,
  earlier: earlier.some(({ segments }) => segments === kept.segments)
    ? earlier
    : [kept, ...earlier].slice(0, maxKeptTexts),
});

/** Whether two texts have the same segments, for example after an undo, which restores the objects. */
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
    // Reviewing a long text takes a while, so a text that an undo restores gets its earlier findings back at once.
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
    // The text has changed since the finding was shown, for example by the same fix.
    if (session.getState().draft.segments !== segments) return [];
    const findings = latest.findings.filter(({ key }) => key !== finding.key);
    setReviewed((before) => withLatest({ ...latest, findings }, before, { segments, findings: current }));
    return session.edit(operation);
  };
  return { all, isReviewing: latest.segments !== segments, fix };
}

/** Where to look for a finding. */
interface ReviewStart {
  readonly segment: SegmentId | null;
  /** Offset in its text; `null`: all of it. */
  readonly start: number | null;
  readonly by: -1 | 1;
  /** Whether a finding about the whole segment counts as before `start`, instead of at it. */
  readonly wholeSegmentFirst?: boolean;
}

/** Whether an offset in the segment of a finding is at its words. */
const isAt = (finding: Finding | undefined, offset: number): boolean =>
  finding?.range === null ||
  (finding !== undefined && offset >= finding.range.from && offset <= finding.range.to);

/** The current finding: its key, and its index in case the key no longer exists. */
interface FindingPosition {
  readonly index: number;
  readonly key: string | undefined;
  readonly wrapped: Review['wrapped'];
  /** Where to look for the finding; absent once it is known. */
  readonly from?: ReviewStart;
}

/** Returns the first finding at or after a position, or backwards the last one at or before it; wraps around. */
function findingFrom(
  findings: readonly Finding[],
  segments: readonly DraftSegment[],
  { segment, start, by, wholeSegmentFirst = false }: ReviewStart,
): FindingPosition {
  const order = new Map(segments.map(({ id }, index) => [id, index]));
  const at = segment === null ? undefined : order.get(segment);
  // Negative before the position, 0 at it, positive after it.
  const compare = (finding: Finding): number => {
    const { from, to } = finding.range ?? { from: 0, to: wholeSegmentFirst ? 0 : Infinity };
    const bySegment = (order.get(finding.segment) ?? 0) - (at ?? 0);
    if (bySegment !== 0 || start === null) return bySegment;
    return to < start ? -1 : from > start ? 1 : 0;
  };
  const found =
    at === undefined
      ? 0
      : by === 1
        ? findings.findIndex((finding) => compare(finding) >= 0)
        : findings.findLastIndex((finding) => compare(finding) <= 0);
  const index = found >= 0 ? found : by === 1 ? 0 : Math.max(0, findings.length - 1);
  const wrapped = found >= 0 ? null : by === 1 ? 'fromStart' : 'fromEnd';
  return { index, key: findings[index]?.key, wrapped };
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
  /** Whether the review continued from the start or the end of the text to get to the current finding. */
  readonly wrapped: 'fromStart' | 'fromEnd' | null;
  /** Incremented each time the review bar has to take the focus. */
  readonly focusRequests: number;
  /** What is suspect about each segment, as text. */
  readonly suspiciousSegments: ReadonlyMap<SegmentId, string>;
  /** Opens the review at the position of the user, or else where it was left. */
  readonly open: () => void;
  readonly close: () => void;
  /**
   * Goes to the next or previous finding: from the current one, or from where the user has put the caret or clicked since.
   * Opens the review if it is closed.
   */
  readonly step: (by: -1 | 1) => void;
  /** Does the same as `step`, and focuses the review bar. */
  readonly stepAndFocus: (by: -1 | 1) => void;
  /** Moves the caret to a finding: its words are selected, to be retyped. */
  readonly correct: (finding: Finding) => void;
  /**
   * Goes on to the next finding if a position is within the words that are being corrected. Returns whether it is.
   *
   * @param before the text of the segment before the position
   * @param after the text after it
   */
  readonly endCorrection: (segment: SegmentId, before: string, after: string) => boolean;
  /** Scrolls to a finding that is off screen. Returns whether it was on screen. */
  readonly reveal: (finding: Finding) => boolean;
  /** Goes to the finding at a position that an undo or redo has changed, once the text is reviewed again. */
  readonly goToChange: (position: TextPosition) => void;
}

/**
 * Steps through the findings of the review, and scrolls to each.
 *
 * @param language BCP 47 tag; `null` if it is unknown
 */
export function useReview(list: RefObject<SegmentListHandle | null>, language: string | null): Review {
  const { t } = useTranslation();
  const format = useFormat();
  const { session, playback } = useWorkspace();
  const segments = useSession((state) => state.draft.segments);
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
  const shown = useMemo((): FindingPosition | null => {
    if (position === null || findings.length === 0) return position;
    const { from, index, key } = position;
    if (from !== undefined) return findingFrom(findings, segments, from);
    // Several findings have the same key where a text repeats itself.
    if (findings[index]?.key === key) return position;
    const newIndex = findings.findIndex((finding) => finding.key === key);
    if (newIndex >= 0) return { ...position, index: newIndex };
    // After the last one, the review continues with those at the beginning that were passed over.
    return index < findings.length
      ? { ...position, wrapped: null }
      : { ...position, index: 0, wrapped: 'fromStart' };
  }, [findings, segments, position]);
  const index = shown?.index ?? null;
  const wrapped = shown?.wrapped ?? null;
  const current = index === null ? undefined : findings[index];
  // An edit can remove findings before the current one. Once the current one is gone too, the review continues at the
  // index that it had last.
  if (current !== undefined && shown !== position && shown?.key === current.key) setPosition(shown);
  const suspiciousSegments = useMemo(() => {
    const suspiciousSegments = new Map<SegmentId, string>();
    for (const finding of all)
      if (finding.range === null) suspiciousSegments.set(finding.segment, findingText(t, format, finding));
    return suspiciousSegments;
  }, [all, t, format]);
  const lastShown = useRef<Finding>(undefined);
  useEffect(() => {
    // Do not scroll while the user types.
    if (current === undefined || position === null) return;
    if (document.activeElement?.matches('[role=textbox]') === true) return;
    if (lastShown.current?.key === current.key) return;
    lastShown.current = current;
    const { key, segment, range } = current;
    list.current?.show(segment, range?.from ?? 0);
    setReviewPlace(session.id, { segment, start: range?.from ?? null, key });
  }, [list, session, current, position]);

  const pendingChange = useRef<TextPosition>(null);
  /** Where the user was when the review last moved. */
  const visited = useRef<SearchPosition>(null);
  /** Returns where the user has gone since then; `null` if nowhere. */
  const takeVisited = (): SearchPosition | null => {
    const last = list.current?.lastVisited() ?? null;
    if (last === visited.current) return null;
    visited.current = last;
    return last;
  };
  /** The words that are being corrected, by the text before and after them; `null` for none. */
  const correction = useRef<{ readonly segment: SegmentId; readonly before: string; readonly after: string }>(
    null,
  );
  const goTo = (next: FindingPosition | null): void => {
    playback.stopRange();
    pendingChange.current = null;
    correction.current = null;
    if (next === null) lastShown.current = undefined;
    // The next step goes on from here, even if this was no step: an undo has moved the review, or another category.
    else takeVisited();
    setPosition(next);
  };
  const goToIndex = (to: number, wrapped: Review['wrapped'] = null): void =>
    goTo({ index: to, key: findings[to]?.key, wrapped });
  const goToFirstFrom = (from: ReviewStart): void => goTo({ index: 0, key: undefined, wrapped: null, from });
  useEffect(() => {
    const changed = pendingChange.current;
    if (changed === null || isReviewing) return;
    pendingChange.current = null;
    const inChangedSegment = findings.filter(({ segment }) => segment === changed.segment);
    const found =
      inChangedSegment.find(({ range }) => range !== null && range.to >= changed.offset) ??
      inChangedSegment[0];
    // Words that were undone are still being corrected.
    const corrected = correction.current;
    if (found !== undefined) goToIndex(findings.indexOf(found));
    correction.current = corrected;
  });
  const openFrom = (by: -1 | 1): void => {
    const start = takeVisited();
    const lastPlace = reviewPlaceOf(session.id);
    const lastPlaceIndex = findings.findIndex(
      ({ key, segment }) => key === lastPlace?.key && segment === lastPlace.segment,
    );
    if (start !== null) goToFirstFrom({ ...start, by });
    else if (lastPlaceIndex >= 0) goToIndex(lastPlaceIndex);
    else if (lastPlace !== null && segments.some(({ id }) => id === lastPlace.segment))
      goToFirstFrom({ ...lastPlace, by });
    else goToFirstFrom({ segment: list.current?.position()?.segment ?? null, start: null, by });
  };
  const step = (by: -1 | 1): void => {
    if (index === null) {
      openFrom(by);
      return;
    }
    const last = lastShown.current;
    const isNew = current?.key !== last?.key;
    const start = takeVisited();
    const isInLastSegment = start !== null && start.segment === last?.segment;
    // Do not start from the caret if it is in the segment of the last finding and that finding was just fixed, or the
    // caret is still at its words.
    if (start !== null && !(isInLastSegment && (isNew || isAt(current, start.start)))) {
      goToFirstFrom({ ...start, by, wholeSegmentFirst: isInLastSegment });
      return;
    }
    const count = findings.length;
    // A finding that appeared while the user typed was not shown yet.
    const next = index + (isNew && by === 1 ? 0 : by);
    if (next < 0) goToIndex(Math.max(0, count - 1), 'fromEnd');
    else if (next < count) goToIndex(next, next === index ? wrapped : null);
    else goToIndex(0, 'fromStart');
  };
  const latestStep = useRef(step);
  useLayoutEffect(() => {
    latestStep.current = step;
  });
  const onCategory = (chosen: FindingCategory | null): void => {
    setCategory(chosen);
    goToFirstFrom({ segment: current?.segment ?? null, start: current?.range?.from ?? null, by: 1 });
  };
  const reveal = ({ segment, range }: Finding): boolean => {
    const offset = range?.from ?? 0;
    if (list.current?.isShown(segment, offset) !== false) return true;
    list.current.show(segment, offset);
    pendingChange.current = null;
    return false;
  };
  const goToChange = (changed: TextPosition): void => {
    if (position !== null) pendingChange.current = changed;
  };
  const stepAndFocus = (by: -1 | 1): void => {
    // The key may come before what was typed is an edit, whose findings would otherwise be gone only after the step.
    flushSync(() => session.flush());
    latestStep.current(by);
    setFocusRequests((count) => count + 1);
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
    wrapped,
    open: () => {
      if (index === null) openFrom(1);
    },
    close: () => goTo(null),
    step,
    stepAndFocus,
    correct: ({ kind, segment, range: found }) => {
      const text = segments.find(({ id }) => id === segment)?.text ?? '';
      const range = kind === 'unsure' ? rangeToRetype(text, found) : found;
      correction.current =
        range === null ? null : { segment, before: text.slice(0, range.from), after: text.slice(range.to) };
      list.current?.placeCaret(segment, range?.from ?? 0, range?.to);
    },
    endCorrection: (segment, before, after) => {
      const { current: corrected } = correction;
      const isWithin =
        corrected?.segment === segment &&
        before.startsWith(corrected.before) &&
        after.endsWith(corrected.after);
      if (isWithin) stepAndFocus(1);
      return isWithin;
    },
    reveal,
    goToChange,
  };
}
