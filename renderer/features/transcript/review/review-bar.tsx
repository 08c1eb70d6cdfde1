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
  /** `done` is the message about the fix; `null`: none. */
  readonly onFix: (finding: Finding, operation: EditOperation, done: string | null) => void;
  readonly onPlay: (finding: Finding) => void;
  readonly onEdit: (finding: Finding) => void;
  readonly onClose: () => void;
}

/**
 * Shows one finding at a time: what is suspect, and what can be done. An action that changes or accepts a finding only
 * scrolls to it if it is off screen, because the user has not seen it.
 */
export function ReviewBar({ review, index, onFix, onPlay, onEdit, onClose }: ReviewBarProps) {
  const { findings, isReviewing, focusRequests, wrapped } = review;
  const { t } = useTranslation();
  const { playback } = useWorkspace();
  const format = useFormat();
  const finding = findings[index];
  const key = finding?.key;
  const focusTarget = useRef<HTMLButtonElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const handledFocus = useRef<{ readonly focusRequests: number; readonly key: string | undefined }>(null);
  // Focus "Looks right", so that a stray key changes no text, and after the last finding the bar itself: one more Enter
  // must not close the review, or the next one would go into the text. The focus is never moved from a button that
  // stays, such as "Next", nor from text being edited.
  useEffect(() => {
    const isRequested = handledFocus.current?.focusRequests !== focusRequests;
    if (!isRequested && handledFocus.current?.key === key) return;
    handledFocus.current = { focusRequests, key };
    const focused = document.activeElement;
    const isFree = focused === null || focused === document.body || focused === bar.current;
    if (isRequested || isFree) (focusTarget.current ?? bar.current)?.focus({ preventScroll: true });
  }, [focusRequests, key]);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape leaves it from anywhere in it
    <div
      ref={bar}
      role="group"
      tabIndex={-1}
      aria-busy={isReviewing}
      aria-label={t('transcript.review.label')}
      className={styles.bar}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
        else if (event.key === 'F2' && finding !== undefined) onEdit(finding);
        // Space plays and pauses, as it does while reading, because the review gave the button the focus, not the user.
        else if (event.key === ' ' && event.target === focusTarget.current && finding !== undefined) {
          if (playback.getState().isPlaying) playback.pause();
          else onPlay(finding);
        } else return;
        event.preventDefault();
      }}
    >
      <p className={styles.text} role="status">
        {finding === undefined ? (
          emptyText(t, review)
        ) : (
          <>
            <b className={styles.count}>
              {t(`transcript.review.${wrapped ?? 'of'}`, { number: index + 1, count: findings.length })}
            </b>{' '}
            {findingText(t, format, finding)}
          </>
        )}
      </p>
      <div className={styles.actions}>
        {finding !== undefined && (
          <FindingActions
            finding={finding}
            focusTarget={focusTarget}
            reveal={review.reveal}
            onNext={() => review.step(1)}
            onFix={(...fix) => {
              if (review.reveal(finding)) onFix(...fix);
            }}
            onPlay={onPlay}
            onEdit={onEdit}
          />
        )}
        <CategoryChoice {...review} />
      </div>
      <IconButton className={styles.close} aria-label={t('transcript.review.close')} onClick={onClose}>
        <Icon name="close" />
      </IconButton>
    </div>
  );
}

interface FindingActionsProps extends Pick<ReviewBarProps, 'onFix' | 'onPlay' | 'onEdit'> {
  readonly finding: Finding;
  /** The button that takes the focus. */
  readonly focusTarget: RefObject<HTMLButtonElement | null>;
  readonly reveal: Review['reveal'];
  readonly onNext: () => void;
}

/** What can be done with one finding. */
function FindingActions(props: FindingActionsProps) {
  const { finding, focusTarget, reveal, onNext, onFix, onPlay, onEdit } = props;
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
          variant={fix === primaryFix ? 'main' : 'standard'}
          onClick={() => onFix(finding, fix.operation, fix.done)}
        >
          {fix.label}
        </Button>
      ))}
      <Button
        ref={focusTarget}
        onClick={() => {
          if (acceptWords !== null) onFix(finding, acceptWords, null);
          else if (reveal(finding)) acceptFinding(finding.key);
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
  /** The message about it, with an undo button; `null`: none. */
  readonly done: string | null;
}

/** Maximum buttons for the spellings of a name; the text above them lists all spellings. */
const maxSpellingButtons = 3;

function fixesOf(t: TFunction, finding: Finding): readonly FixButton[] {
  switch (finding.kind) {
    case 'unsure':
      return [];
    case 'spelling': {
      const spellings = finding.spellings.map(({ text }) => text);
      const total = finding.spellings.reduce((sum, { count }) => sum + count, 0);
      return finding.spellings.slice(0, maxSpellingButtons).map(({ text, count }) => ({
        label: t('transcript.review.respell', { text }),
        operation: { kind: 'respell', spellings, replacement: text },
        done: t('transcript.review.respelled', { count: total - count, name: text }),
      }));
    }
    case 'doubled':
      return [
        {
          label: t(`transcript.review.fix.${finding.count > 2 ? 'shorten' : 'removeRepetition'}`),
          operation: finding.operation,
          done: t('transcript.review.fixed.shorten'),
        },
      ];
    default: {
      const { fix } = finding;
      if (fix === null) return [];
      const label = t(`transcript.review.fix.${fix.kind}`);
      // The caret goes into an inserted segment.
      const done = fix.kind === 'insert' ? null : t(`transcript.review.fixed.${fix.kind}`);
      return [{ label, operation: fix.operation, done }];
    }
  }
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
