import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Finding } from '../../../../electron/core/library/review/review.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useWorkspace } from '../workspace.ts';
import styles from './review-bar.module.css';

export interface ReviewBarProps {
  readonly findings: readonly Finding[];
  /** Index of the finding that is looked at. */
  readonly at: number;
  readonly onGo: (index: number) => void;
  readonly onMend: (finding: Finding) => void;
  readonly onPlay: (finding: Finding) => void;
  readonly onEdit: (finding: Finding) => void;
  readonly onClose: () => void;
}

/** Steps through the suspect places: what is wrong with each, and what can be done. */
export function ReviewBar({ findings, at, onGo, onMend, onPlay, onEdit, onClose }: ReviewBarProps) {
  const { t } = useTranslation();
  const finding = findings[at];
  const close = useRef<HTMLButtonElement>(null);
  const isDone = finding === undefined;
  // What had the focus went with the last place.
  useEffect(() => {
    if (isDone) close.current?.focus({ preventScroll: true });
  }, [isDone]);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape leaves it from anywhere in it
    <div
      role="group"
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
          t('transcript.review.done')
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
  readonly onNext: () => void;
}

/** What can be done with one suspect place. */
function Steps({ finding, onNext, onMend, onPlay, onEdit }: StepsProps) {
  const { t } = useTranslation();
  const { session } = useWorkspace();
  const first = useRef<HTMLButtonElement>(null);
  const { key, mend } = finding;
  // Where nothing is said there is mostly silence.
  const mendsFirst = mend !== null && mend.kind !== 'insert';
  // Enter does the next sensible thing, place after place.
  useEffect(() => first.current?.focus({ preventScroll: true }), []);

  return (
    <>
      {mend !== null && (
        <Button ref={mendsFirst ? first : undefined} look="main" onClick={() => onMend(finding)}>
          {t(`transcript.review.mend.${mend.kind}`)}
        </Button>
      )}
      <Button ref={mendsFirst ? undefined : first} onClick={() => session.accept(key, true)}>
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
