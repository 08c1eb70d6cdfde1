import { useEffect, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Finding } from '../../../../electron/core/transcript/review/review.ts';
import { Button, IconButton } from '../../../ui/actions/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useWorkspace } from '../workspace.ts';
import styles from './review-bar.module.css';

export interface ReviewBarProps {
  readonly findings: readonly Finding[];
  /** Whether the text is still being reviewed, so that more may follow. */
  readonly isReviewing: boolean;
  /** Index of the current finding. */
  readonly index: number;
  /** Rises each time that the bar is to take the focus. */
  readonly focusRequests: number;
  readonly onGoTo: (index: number) => void;
  readonly onFix: (finding: Finding) => void;
  readonly onPlay: (finding: Finding) => void;
  readonly onEdit: (finding: Finding) => void;
  readonly onClose: () => void;
}

/** Shows one finding at a time: what is suspect, and what can be done. */
export function ReviewBar(props: ReviewBarProps) {
  const { findings, isReviewing, index, focusRequests, onGoTo, onFix, onPlay, onEdit, onClose } = props;
  const { t } = useTranslation();
  const finding = findings[index];
  const key = finding?.key;
  const bar = useRef<HTMLDivElement>(null);
  const first = useRef<HTMLButtonElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  const seen = useRef<{ readonly focusRequests: number; readonly key: string | undefined }>(null);
  // Enter does the likely thing for one finding after another; focus is not taken from a text that is typed in.
  useEffect(() => {
    const isRequested = seen.current?.focusRequests !== focusRequests;
    if (!isRequested && seen.current?.key === key) return;
    seen.current = { focusRequests, key };
    const focused = document.activeElement;
    const isFree = focused === null || focused === document.body || bar.current?.contains(focused) === true;
    if (isRequested || isFree) (first.current ?? close.current)?.focus({ preventScroll: true });
  }, [focusRequests, key]);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape leaves it from anywhere in it
    <div
      ref={bar}
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
      <p className={styles.words} role="status">
        {finding === undefined ? (
          t(isReviewing ? 'transcript.review.reading' : 'transcript.review.done')
        ) : (
          <>
            <b className={styles.count}>
              {t('transcript.review.of', { number: index + 1, count: findings.length })}
            </b>{' '}
            {t(`transcript.review.kind.${finding.kind}`, { amount: Math.round(finding.amount * 10) / 10 })}
          </>
        )}
      </p>
      {finding !== undefined && (
        <FindingActions
          key={finding.key}
          finding={finding}
          first={first}
          onNext={() => onGoTo((index + 1) % findings.length)}
          onFix={onFix}
          onPlay={onPlay}
          onEdit={onEdit}
        />
      )}
      <IconButton ref={close} aria-label={t('transcript.review.close')} onClick={onClose}>
        <Icon name="close" />
      </IconButton>
    </div>
  );
}

interface FindingActionsProps extends Pick<ReviewBarProps, 'onFix' | 'onPlay' | 'onEdit'> {
  readonly finding: Finding;
  /** The button that takes the focus. */
  readonly first: RefObject<HTMLButtonElement | null>;
  readonly onNext: () => void;
}

/** What can be done with one finding. */
function FindingActions({ finding, first, onNext, onFix, onPlay, onEdit }: FindingActionsProps) {
  const { t } = useTranslation();
  const { session } = useWorkspace();
  const { key, fix } = finding;
  // A gap is mostly silence, which needs no fix.
  const isFixFirst = fix !== null && fix.kind !== 'insert';

  return (
    <>
      {fix !== null && (
        <Button ref={isFixFirst ? first : undefined} look="main" onClick={() => onFix(finding)}>
          {t(`transcript.review.fix.${fix.kind}`)}
        </Button>
      )}
      <Button ref={isFixFirst ? undefined : first} onClick={() => session.setAccepted(key, true)}>
        {t('transcript.review.accept')}
      </Button>
      <Button onClick={() => onPlay(finding)}>{t('transcript.review.hear')}</Button>
      <Button onClick={() => onEdit(finding)}>{t('transcript.review.edit')}</Button>
      <Button look="plain" onClick={onNext}>
        {t('transcript.review.next')}
      </Button>
    </>
  );
}
