import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { Draft } from '../../../../electron/contract/transcript.ts';
import { joinTexts } from '../../../../electron/core/transcript/plain-text.ts';
import { highlightedPassages, segmentIndexAt } from '../../../../electron/core/transcript/segment.ts';
import { runReportingErrors, notify } from '../../../notices.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { ScrollGroup } from '../../../ui/screen/scroll-group.tsx';
import { formatTimeCode } from '../../../ui/text/format.ts';
import { useKeyNames } from '../../../ui/text/key-names.ts';
import { useStore } from '../../../use-store.ts';
import { speakerNames } from '../speaker-names.ts';
import { useSession, useWorkspace } from '../workspace.ts';
import styles from './annotations-dialog.module.css';

/** A note or a highlighted passage. */
interface Annotation {
  /** Differs for each annotation of a transcript. */
  readonly key: string;
  readonly kind: 'note' | 'highlight';
  readonly atSeconds: number;
  readonly text: string;
  /** Index of the speaker of a passage; `null` for a note, and if no speaker is assigned. */
  readonly speaker: number | null;
  /** The segment that it is in; `null` in a transcript without segments. */
  readonly segment: SegmentId | null;
}

export interface AnnotationsDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Goes to a segment. */
  readonly onGoTo: (segment: SegmentId) => void;
}

/**
 * Lists the notes of a transcript, and its highlighted passages with their speakers. A click goes to the segment of an
 * entry, and the list can be copied.
 */
export function AnnotationsDialog({ open, onClose, onGoTo }: AnnotationsDialogProps) {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const { session, playback } = useWorkspace();
  const keyNames = useKeyNames();
  const draft = useSession((state) => state.draft);
  const annotations = open ? annotationsOf(draft) : [];
  const entries = useRef<HTMLUListElement>(null);
  const names = open ? speakerNames(draft, t) : [];
  const maxSeconds = session.durationSeconds ?? draft.segments.at(-1)?.end ?? 0;
  const timeOf = ({ atSeconds }: Annotation): string => formatTimeCode(atSeconds, maxSeconds);
  const textOf = ({ kind, text }: Annotation): string =>
    kind === 'note' ? t('transcript.annotations.note', { text: text || t('transcript.bookmark') }) : text;
  const labelOf = ({ speaker }: Annotation): string => (speaker === null ? '' : `${names[speaker] ?? ''}: `);

  const copy = async (): Promise<void> => {
    const lines = annotations.map(
      (annotation) => `[${timeOf(annotation)}] ${labelOf(annotation)}${textOf(annotation)}`,
    );
    await invoke('transcript.copy', { text: lines.join('\n') });
    notify(t('transcript.annotations.copied', { count: annotations.length }));
  };
  const goTo = ({ segment, atSeconds }: Annotation): void => {
    onClose();
    if (segment === null) return;
    playback.seek(atSeconds);
    onGoTo(segment);
  };

  return (
    <Dialog
      open={open}
      onClose={onClose}
      wide
      initialFocus={() => entries.current?.querySelector('button') ?? null}
      title={t('transcript.annotations.title')}
      note={
        annotations.length === 0
          ? t('transcript.annotations.none', { note: keyNames('Alt+N'), highlight: keyNames('Alt+H') })
          : undefined
      }
      actions={
        <>
          {annotations.length > 0 && (
            <Button onClick={() => runReportingErrors(copy)}>{t('transcript.annotations.copy')}</Button>
          )}
          <Button variant="main" onClick={onClose}>
            {t('action.close')}
          </Button>
        </>
      }
    >
      {annotations.length > 0 && (
        <ScrollGroup className={styles.scroller} label={t('transcript.annotations.title')}>
          {/* The arrow keys move between its buttons. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
          <ul
            ref={entries}
            onKeyDown={(event) => {
              const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
              if (by === 0 || !(event.target instanceof HTMLElement)) return;
              event.preventDefault();
              const buttons = [...event.currentTarget.querySelectorAll('button')];
              buttons[buttons.findIndex((one) => one === event.target) + by]?.focus();
            }}
          >
            {annotations.map((annotation) => (
              <li key={annotation.key}>
                <button type="button" className={styles.annotation} onClick={() => goTo(annotation)}>
                  <span className={styles.time}>{timeOf(annotation)}</span>
                  <span dir="auto" data-kind={annotation.kind} className={styles.text}>
                    {annotation.speaker !== null && <b dir="auto">{labelOf(annotation)}</b>}
                    {textOf(annotation)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </ScrollGroup>
      )}
    </Dialog>
  );
}

/** Returns the notes and highlighted passages in the order of their times. A passage has one speaker. */
function annotationsOf({ segments, notes }: Draft): readonly Annotation[] {
  const passages = highlightedPassages(segments).flatMap((parts): readonly Annotation[] => {
    const bySpeaker: (Omit<Annotation, 'text'> & { readonly texts: string[] })[] = [];
    for (const { id, start, text, speaker } of parts) {
      const last = bySpeaker.at(-1);
      if (last !== undefined && last.speaker === speaker) last.texts.push(text);
      else
        bySpeaker.push({
          key: `highlight ${id} ${start}`,
          kind: 'highlight',
          atSeconds: start,
          texts: [text],
          speaker,
          segment: id,
        });
    }
    return bySpeaker.map(({ texts, ...passage }) => ({ ...passage, text: joinTexts(texts) }));
  });
  const noteAnnotations = notes.map(({ id, atSeconds, text }): Annotation => ({
    key: `note ${id}`,
    kind: 'note',
    atSeconds,
    text,
    speaker: null,
    segment: segments[Math.max(0, segmentIndexAt(segments, atSeconds))]?.id ?? null,
  }));
  return [...passages, ...noteAnnotations].toSorted((a, b) => a.atSeconds - b.atSeconds);
}
