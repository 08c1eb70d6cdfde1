import { useEffect, useImperativeHandle, useMemo, useRef, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import type { ComparisonBase } from '../../../../electron/contract/transcript.ts';
import type { Span } from '../../../../electron/core/transcript/edit/compare.ts';
import { diffWords } from '../../../../electron/core/transcript/edit/text-diff.ts';
import { Button, IconButton } from '../../../ui/actions/button.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { shortened } from '../../../ui/text/shortened.ts';
import { editableTime } from '../../../ui/text/typed-time.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import { notifyEdit } from '../editing/notify-edit.ts';
import { canPlay } from '../player/playback.ts';
import { ReadingList, type ReadingListHandle } from '../reading-list.tsx';
import { speakerNames } from '../speaker-names.ts';
import { useOriginal } from '../use-original.ts';
import { usePlayback, useSession, useWorkspace } from '../workspace.ts';
import {
  compareWithOriginal,
  isChanged,
  restorationOutcome,
  type ComparedRow,
  type Difference,
} from './compared-rows.ts';
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

function Changes({ original, handle, onClose }: ChangesViewProps & { readonly original: ComparisonBase }) {
  const { t } = useTranslation();
  const { session, playback } = useWorkspace();
  const draft = useSession((state) => state.draft);
  const language = useSession((state) => state.language);
  const hasRecording = usePlayback(canPlay);
  const names = useMemo(() => speakerNames(draft, t), [draft, t]);
  const list = useRef<ReadingListHandle>(null);
  const [showsAll, setShowsAll] = useState(false);
  // The index of the current change; `null` before the first step.
  const [changeIndex, setChangeIndex] = useState<number | null>(null);
  const { durationSeconds } = session;
  const { rows, times } = useMemo(
    () => compareWithOriginal(draft, original, durationSeconds),
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
  const restoreText = (row: ComparedRow | undefined): string =>
    t(row?.isInserted === true ? 'transcript.changes.remove' : 'transcript.changes.restore');
  const restore = (row: ComparedRow): void => {
    const change = session.edit(row.restoration, () => original);
    const outcome = restorationOutcome(change, session.getState().draft, original, durationSeconds);
    const description = outcome === null ? '' : t(`transcript.changes.${outcome}`);
    const key = row.isInserted ? 'transcript.changes.removed' : 'transcript.changes.restored';
    const text = shortened((row.isInserted ? '' : row.before) || row.after, maxShownLength);
    if (change.length > 0) notifyEdit(session, t(key, { text }), description);
    // The focused button is gone or disabled.
    if (count === 1) list.current?.focus();
  };
  const note =
    times === 'kept' ? '' : t(`transcript.changes.${times === 'retimed' ? 'retimed' : 'timesNotCompared'}`);
  const summary =
    current !== undefined
      ? t('transcript.changes.of', { number: changes.indexOf(current) + 1, count })
      : count === 0 && note !== ''
        ? t('transcript.changes.nothingElse')
        : t('transcript.changes.count', { count });

  return (
    <>
      <div role="group" aria-label={t('transcript.changes.label')} className={styles.bar}>
        <p className={styles.text} role="status">
          {[summary, note].join(' ').trimEnd()}
        </p>
        <Button disabled={current === undefined} onClick={() => current && restore(current)}>
          {restoreText(current)}
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
        onEnter={current && (() => restore(current))}
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
              <ChangedFacts row={row} names={names} />
              <Button
                variant="plain"
                className={styles.restore ?? ''}
                onClick={() => {
                  setChangeIndex(change);
                  restore(row);
                  // The focused button is gone with its row.
                  list.current?.focus();
                }}
              >
                {restoreText(row)}
              </Button>
            </>
          );
        }}
      />
    </>
  );
}

/** Characters of a passage in a message. */
const maxShownLength = 60;

const decimalsOf = (time: string, decimalMark: string): number =>
  time.length - time.lastIndexOf(decimalMark) - 1;

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

/** How the times, the segments and the speakers of a row differ from the original. */
function ChangedFacts({ row, names }: { readonly row: ComparedRow; readonly names: readonly string[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const decimalMark = format.number(0.5).charAt(1);
  const { times, segments, speakers } = row;
  const edges = times === null ? [] : [times.before, times.after].flatMap(({ start, end }) => [start, end]);
  // All times have as many decimals as the most exact one.
  const decimals = Math.max(
    1,
    ...edges.map((seconds) => decimalsOf(editableTime(seconds, decimalMark), decimalMark)),
  );
  const timeText = ({ start, end }: Span): string => {
    const [from, to] = [start, end].map((seconds) => {
      const text = editableTime(seconds, decimalMark);
      return text + '0'.repeat(decimals - decimalsOf(text, decimalMark));
    });
    return t('transcript.changes.range', { start: from, end: to });
  };
  const segmentText = (count: number): string => t('transcript.changes.segments', { count });
  const speakerText = (all: readonly (number | null)[]): string =>
    format.list(
      all.map((one) =>
        one === null
          ? t('transcript.act.noSpeaker')
          : (names[one] ?? t('transcript.speakerNumber', { number: one + 1 })),
      ),
    );
  const difference = <T,>({ before, after }: Difference<T>, textOf: (value: T) => string): string =>
    t('transcript.changes.difference', { before: textOf(before), after: textOf(after) });
  const facts = [
    times !== null && difference(times, timeText),
    segments !== null && segments.before !== segments.after && difference(segments, segmentText),
    segments !== null && segments.before === segments.after && t('transcript.changes.moved'),
    speakers !== null && difference(speakers, speakerText),
  ].filter((fact) => fact !== false);
  return facts.map((fact) => (
    <div key={fact} className={styles.facts}>
      {fact}
    </div>
  ));
}
