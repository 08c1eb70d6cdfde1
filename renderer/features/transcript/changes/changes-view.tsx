import { useEffect, useImperativeHandle, useMemo, useRef, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import type { OriginalTranscript } from '../../../../electron/contract/transcript.ts';
import { diffWords } from '../../../../electron/core/transcript/edit/text-diff.ts';
import { Button, IconButton } from '../../../ui/actions/button.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { editableTime } from '../../../ui/text/typed-time.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import { canPlay } from '../player/playback.ts';
import { ReadingList, type ReadingListHandle } from '../reading-list.tsx';
import { useOriginal } from '../use-original.ts';
import { usePlayback, useSession, useWorkspace } from '../workspace.ts';
import { comparedRows, isChanged, type ComparedRow } from './compared-rows.ts';
import styles from './changes-view.module.css';

export interface ChangesHandle {
  /** Goes to the next or previous change; the first time, to the first or last one. */
  step(by: -1 | 1): void;
}

export interface ChangesViewProps {
  readonly handle: Ref<ChangesHandle>;
  readonly onClose: () => void;
}

/** The transcript with what was deleted from its original and inserted in it. */
export function ChangesView({ handle, onClose }: ChangesViewProps) {
  const { t } = useTranslation();
  const original = useOriginal();
  const edited = useSession((state) => state.edited);
  if (original === null) return null;
  if (!edited) {
    return (
      <Empty title={t('transcript.original.same')}>
        <Button onClick={onClose}>{t('transcript.original.close')}</Button>
      </Empty>
    );
  }
  return <Changes original={original} handle={handle} onClose={onClose} />;
}

function Changes({
  original,
  handle,
  onClose,
}: ChangesViewProps & { readonly original: OriginalTranscript }) {
  const { t } = useTranslation();
  const { session, playback } = useWorkspace();
  const draft = useSession((state) => state.draft);
  const language = useSession((state) => state.language);
  const hasRecording = usePlayback(canPlay);
  const list = useRef<ReadingListHandle>(null);
  const [showsAll, setShowsAll] = useState(false);
  // The index of the current change; `null` before the first step.
  const [changeIndex, setChangeIndex] = useState<number | null>(null);
  const { durationSeconds } = session;
  const rows = useMemo(
    () => comparedRows(draft, original, durationSeconds),
    [draft, original, durationSeconds],
  );
  const changes = useMemo(() => rows.filter(isChanged), [rows]);
  const shownRows = showsAll ? rows : changes;
  const count = changes.length;
  const current = changeIndex === null ? undefined : changes[Math.min(changeIndex, count - 1)];
  const currentRow = current === undefined ? -1 : shownRows.indexOf(current);

  const step = (by: -1 | 1): void => {
    if (count === 0) return;
    const from = Math.min(changeIndex ?? (by === 1 ? -1 : 0), count - 1);
    setChangeIndex((from + by + count) % count);
  };
  useImperativeHandle(handle, () => ({ step }));
  useEffect(() => {
    if (currentRow >= 0) list.current?.scrollTo(currentRow);
  }, [currentRow]);
  const restore = ({ restoration }: ComparedRow): void => {
    session.edit(restoration, () => original);
  };

  return (
    <>
      <div role="group" aria-label={t('transcript.changes.label')} className={styles.bar}>
        <p className={styles.text} role="status">
          {current === undefined
            ? t('transcript.changes.count', { count })
            : t('transcript.changes.of', { number: changes.indexOf(current) + 1, count })}
        </p>
        <Button disabled={current === undefined} onClick={() => current && restore(current)}>
          {t('transcript.changes.restore')}
        </Button>
        <IconButton
          aria-label={t('transcript.changes.previous')}
          disabled={count === 0}
          onClick={() => step(-1)}
        >
          <Icon name="chevron-up" />
        </IconButton>
        <IconButton aria-label={t('transcript.changes.next')} disabled={count === 0} onClick={() => step(1)}>
          <Icon name="chevron-down" />
        </IconButton>
        <Button
          variant="plain"
          aria-pressed={showsAll}
          className={styles.toggle ?? ''}
          onClick={() => setShowsAll(!showsAll)}
        >
          {t('transcript.changes.all')}
        </Button>
        <Button onClick={onClose}>{t('transcript.original.close')}</Button>
      </div>
      <ReadingList
        ref={list}
        label={t('transcript.changes.label')}
        paragraphs={shownRows}
        language={language}
        currentIndex={currentRow}
        onLeave={onClose}
        onPlay={
          hasRecording
            ? (index) => {
                playback.seek(shownRows[index]?.start ?? 0);
                playback.play();
              }
            : undefined
        }
        renderText={(index) => {
          const row = shownRows[index];
          return row === undefined ? null : <ChangedText row={row} />;
        }}
        renderAction={(index) => {
          const row = shownRows[index];
          const change = row === undefined ? -1 : changes.indexOf(row);
          if (row === undefined || change < 0) return null;
          return (
            <>
              <ChangedTimes row={row} />
              <Button
                variant="plain"
                tabIndex={-1}
                className={styles.restore ?? ''}
                onClick={() => {
                  setChangeIndex(change);
                  restore(row);
                }}
              >
                {t('transcript.changes.restore')}
              </Button>
            </>
          );
        }}
      />
    </>
  );
}

/** The words of a row: what was deleted is struck through, and what was inserted underlined. */
function ChangedText({ row: { before, after } }: { readonly row: ComparedRow }) {
  const parts = useMemo(() => diffWords(before, after), [before, after]);
  return parts.map(({ kind, text }, index) => {
    // Parts have no other identity.
    const key = `${kind}${index}`;
    if (kind === 'same') return <span key={key}>{text}</span>;
    const Element = kind === 'deleted' ? 'del' : 'ins';
    return (
      <Element key={key} className={styles[kind]}>
        {text}
      </Element>
    );
  });
}

/** The times of a row, if they differ from those of the original. */
function ChangedTimes({ row: { times } }: { readonly row: ComparedRow }) {
  const { t } = useTranslation();
  const decimalMark = useFormat().number(0.5).charAt(1);
  if (times === null) return null;
  const [before, after] = [times.before, times.after].map(({ start, end }) =>
    t('transcript.changes.range', {
      start: editableTime(start, decimalMark),
      end: editableTime(end, decimalMark),
    }),
  );
  return <div className={styles.times}>{t('transcript.changes.times', { before, after })}</div>;
}
