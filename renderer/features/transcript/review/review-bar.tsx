import { useEffect, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import type { EditOperation } from '../../../../electron/contract/transcript.ts';
import type { Finding } from '../../../../electron/core/transcript/review/review.ts';
import { Button, IconButton } from '../../../ui/actions/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { notifyEdit } from '../editing/notify-edit.ts';
import { useWorkspace } from '../workspace.ts';
import { findingText } from './finding-text.ts';
import { findingCategories, type Review } from './use-review.ts';
import styles from './review-bar.module.css';

export interface ReviewBarProps {
  readonly review: Review;
  /** Index of the current finding. */
  readonly index: number;
  readonly onFix: (finding: Finding, operation: EditOperation) => void;
  readonly onPlay: (finding: Finding) => void;
  readonly onEdit: (finding: Finding) => void;
  readonly onClose: () => void;
}

/** Shows one finding at a time: what is suspect, and what can be done. */
export function ReviewBar({ review, index, onFix, onPlay, onEdit, onClose }: ReviewBarProps) {
  const { findings, isReviewing, focusRequests, goTo } = review;
  const { t } = useTranslation();
  const format = useFormat();
  const finding = findings[index];
  const key = finding?.key;
  const focusTarget = useRef<HTMLButtonElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  const handledFocus = useRef<{ readonly focusRequests: number; readonly key: string | undefined }>(null);
  // Focus the most likely fix, so that Enter fixes one finding after another. The focus is never moved from a button that
  // stays, such as "Next", to one that changes the text, nor from text being edited.
  useEffect(() => {
    const isRequested = handledFocus.current?.focusRequests !== focusRequests;
    if (!isRequested && handledFocus.current?.key === key) return;
    handledFocus.current = { focusRequests, key };
    const focused = document.activeElement;
    const isFree = focused === null || focused === document.body;
    if (isRequested || isFree) (focusTarget.current ?? close.current)?.focus({ preventScroll: true });
  }, [focusRequests, key]);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape leaves it from anywhere in it
    <div
      role="group"
      aria-busy={isReviewing}
      aria-label={t('transcript.review.label')}
      className={styles.bar}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        onClose();
        event.preventDefault();
      }}
    >
      <p className={styles.text} role="status">
        {finding === undefined ? (
          emptyText(t, review)
        ) : (
          <>
            <b className={styles.count}>
              {t('transcript.review.of', { number: index + 1, count: findings.length })}
            </b>{' '}
            {findingText(t, format, finding)}
          </>
        )}
      </p>
      {finding !== undefined && (
        <FindingActions
          finding={finding}
          focusTarget={focusTarget}
          onNext={() => goTo((index + 1) % findings.length)}
          onFix={onFix}
          onPlay={onPlay}
          onEdit={onEdit}
        />
      )}
      <CategoryChoice {...review} />
      <IconButton
        ref={close}
        className={styles.close}
        aria-label={t('transcript.review.close')}
        onClick={onClose}
      >
        <Icon name="close" />
      </IconButton>
    </div>
  );
}

interface FindingActionsProps extends Pick<ReviewBarProps, 'onFix' | 'onPlay' | 'onEdit'> {
  readonly finding: Finding;
  /** The button that takes the focus. */
  readonly focusTarget: RefObject<HTMLButtonElement | null>;
  readonly onNext: () => void;
}

/** What can be done with one finding. */
function FindingActions({ finding, focusTarget, onNext, onFix, onPlay, onEdit }: FindingActionsProps) {
  const { t } = useTranslation();
  const { session } = useWorkspace();
  const fixes = fixesOf(t, finding);
  const [primaryFix] = fixes;
  const acceptWords = wordAcceptance(finding);
  const acceptFinding = (key: string): void => {
    session.accept(key);
    notifyEdit(session, t('transcript.review.accepted'));
  };

  return (
    <>
      {fixes.map((fix) => (
        <Button
          // Another finding gets a new button, even with the same label.
          key={`${finding.key} ${fix.label}`}
          ref={fix.isLikely && fix === primaryFix ? focusTarget : undefined}
          variant={fix === primaryFix ? 'main' : 'standard'}
          onClick={() => onFix(finding, fix.operation)}
        >
          {fix.label}
        </Button>
      ))}
      <Button
        ref={primaryFix?.isLikely === true ? undefined : focusTarget}
        onClick={() => {
          if (acceptWords === null) acceptFinding(finding.key);
          else onFix(finding, acceptWords);
        }}
      >
        {t('transcript.review.accept')}
      </Button>
      <Button onClick={() => onPlay(finding)}>{t('transcript.review.hear')}</Button>
      <Button onClick={() => onEdit(finding)}>{t('transcript.review.edit')}</Button>
      <Button variant="plain" onClick={onNext}>
        {t('transcript.review.next')}
      </Button>
    </>
  );
}

/** A button that fixes a finding. */
interface FixButton {
  readonly label: string;
  readonly operation: EditOperation;
  /** Whether it is the right fix in most cases. */
  readonly isLikely: boolean;
}

/** Maximum buttons for the spellings of a name; the text above them lists all spellings. */
const maxSpellingButtons = 3;

function fixesOf(t: TFunction, finding: Finding): readonly FixButton[] {
  if (finding.kind === 'unsure') return [];
  if (finding.kind === 'spelling') {
    const spellings = finding.spellings.map(({ text }) => text);
    return spellings.slice(0, maxSpellingButtons).map((replacement) => ({
      label: t('transcript.review.respell', { text: replacement }),
      operation: { kind: 'respell', spellings, replacement },
      isLikely: true,
    }));
  }
  if (finding.kind === 'doubled') {
    const label = t(`transcript.review.fix.${finding.count > 2 ? 'shorten' : 'removeRepetition'}`);
    return [{ label, operation: finding.operation, isLikely: true }];
  }
  const { fix } = finding;
  if (fix === null) return [];
  // A gap is mostly silence, which needs no fix.
  const isLikely = fix.kind !== 'insert';
  return [{ label: t(`transcript.review.fix.${fix.kind}`), operation: fix.operation, isLikely }];
}

/** Returns the edit that accepts words; `null` for findings that are accepted by their key. */
function wordAcceptance(finding: Finding): EditOperation | null {
  if (finding.kind !== 'unsure') return null;
  const { segment, range, text } = finding;
  return { kind: 'accept-words', segment, from: range.from, text };
}

/** Says that nothing is left in the chosen category, and how many findings the others have. */
function emptyText(t: TFunction, { isReviewing, category, all }: Review): string {
  if (isReviewing) return t('transcript.review.reading');
  if (category === null || all.length === 0) return t('transcript.review.done');
  const others = t('transcript.review.othersLeft', { count: all.length });
  return `${t(`transcript.review.noneLeft.${category}`)} ${others}`;
}

/** Limits the review to one category, if there are several. */
function CategoryChoice({ all, counts, category, onCategory }: Review) {
  const { t } = useTranslation();
  const presentCategories = findingCategories.filter((name) => counts[name] > 0 || name === category);
  if (presentCategories.length < 2 && category === null) return null;
  return (
    <Select
      compact
      label={t('transcript.review.show')}
      value={category ?? ''}
      options={[
        { value: '', label: t('transcript.review.category.all', { count: all.length }) },
        ...presentCategories.map((value) => ({
          value,
          label: t(`transcript.review.category.${value}`, { count: counts[value] }),
        })),
      ]}
      onChange={(value) => onCategory(presentCategories.find((name) => name === value) ?? null)}
    />
  );
}
