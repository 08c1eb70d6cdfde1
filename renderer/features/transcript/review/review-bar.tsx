import { useEffect, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Finding } from '../../../../electron/core/transcript/review/review.ts';
import { Button, IconButton } from '../../../ui/actions/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useWorkspace } from '../workspace.ts';
import styles from './review-bar.module.css';

export interface ReviewBarProps {
  readonly findings: readonly Finding[];
  /** Whether there may be others, as the text is still being read. */
  readonly isReading: boolean;
  /** Index of the finding that is looked at. */
  readonly at: number;
  /** Another number each time the user asks for a place, from wherever that is. */
  readonly asked: number;
  readonly onGo: (index: number) => void;
  readonly onMend: (finding: Finding) => void;
  readonly onPlay: (finding: Finding) => void;
  readonly onEdit: (finding: Finding) => void;
  readonly onClose: () => void;
}

/** Steps through the suspect places: what is wrong with each, and what can be done. */
export function ReviewBar(props: ReviewBarProps) {
  const { findings, isReading, at, asked, onGo, onMend, onPlay, onEdit, onClose } = props;
  const { t } = useTranslation();
  const finding = findings[at];
  const key = finding?.key;
  const bar = useRef<HTMLDivElement>(null);
  const first = useRef<HTMLButtonElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  const seen = useRef<{ readonly asked: number; readonly key: string | undefined }>(null);
  // Enter does the next sensible thing, place after place; who has begun to type is left to it.
  useEffect(() => {
    const isAsked = seen.current?.asked !== asked;
    if (!isAsked && seen.current?.key === key) return;
    seen.current = { asked, key };
    const focused = document.activeElement;
    const isFree = focused === null || focused === document.body || bar.current?.contains(focused) === true;
    if (isAsked || isFree) (first.current ?? close.current)?.focus({ preventScroll: true });
  }, [asked, key]);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape leaves it from anywhere in it
    <div
      ref={bar}
      role="group"
      aria-busy={isReading}
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
          t(isReading ? 'transcript.review.reading' : 'transcript.review.done')
        ) : (
          <>
            <b className={styles.count}>
              {t('transcript.review.of', { number: at + 1, count: findings.length })}
            </b>{' '}
            {t(`transcript.review.kind.${finding.kind}`, { amount: Math.round(finding.amount * 10) / 10 })}
          </>
        )}
      </p>
      {finding !== undefined && (
        <Steps
          key={finding.key}
          finding={finding}
          first={first}
          onNext={() => onGo((at + 1) % findings.length)}
          onMend={onMend}
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

interface StepsProps extends Pick<ReviewBarProps, 'onMend' | 'onPlay' | 'onEdit'> {
  readonly finding: Finding;
  /** What takes the focus. */
  readonly first: RefObject<HTMLButtonElement | null>;
  readonly onNext: () => void;
}

/** What can be done with one suspect place. */
function Steps({ finding, first, onNext, onMend, onPlay, onEdit }: StepsProps) {
  const { t } = useTranslation();
  const { session } = useWorkspace();
  const { key, fix: mend } = finding;
  // Where nothing is said there is mostly silence.
  const mendsFirst = mend !== null && mend.kind !== 'insert';

  return (
    <>
      {mend !== null && (
        <Button ref={mendsFirst ? first : undefined} look="main" onClick={() => onMend(finding)}>
          {t(`transcript.review.mend.${mend.kind}`)}
        </Button>
      )}
      <Button ref={mendsFirst ? undefined : first} onClick={() => session.setAccepted(key, true)}>
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
