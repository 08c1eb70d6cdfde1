import { Popover } from '@base-ui/react/popover';
import { useImperativeHandle, useRef, useState, type Ref, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import { maxTimeSeconds } from '../../../../electron/contract/limits.ts';
import type { DraftSegment } from '../../../../electron/contract/transcript.ts';
import {
  minSegmentSeconds,
  neighbourTimes,
  timesRefusal,
  type TimesRefusal,
} from '../../../../electron/core/transcript/edit/segment-times.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { usePopupFocus } from '../../../ui/focus/use-popup-focus.ts';
import { TextField } from '../../../ui/form/text-field.tsx';
import { editableTime, parseTime } from '../../../ui/text/typed-time.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import { useSaveOnLeave } from '../dialogs/use-save-on-leave.ts';
import { useSession, useWorkspace } from '../workspace.ts';
import { notifyEdit, notifyNotSaved } from './notify-edit.ts';
import type { SegmentListHandle } from './segment-list.tsx';
import styles from './times-popover.module.css';

export interface TimesPopoverProps {
  readonly open: boolean;
  /** `null` before it was first opened; kept while it closes. */
  readonly segment: SegmentId | null;
  /** The list that the segment is in. */
  readonly list: RefObject<SegmentListHandle | null>;
  readonly onClose: () => void;
}

/**
 * Edits the times of a segment in a popover beside them. A click elsewhere keeps valid times and says so, with a button
 * that undoes it; invalid ones keep it open. Escape and Cancel discard them and say so, with a button that saves valid ones.
 */
export function TimesPopover({ open, segment: id, list, onClose }: TimesPopoverProps) {
  const { t } = useTranslation();
  const segment = useSession(({ draft }) => draft.segments.find((candidate) => candidate.id === id));
  const isOpen = open && segment !== undefined;
  const popup = useRef<HTMLDivElement>(null);
  const focus = usePopupFocus({ popup, open: isOpen });
  const fields = useRef<FieldsHandle>(null);
  return (
    <Popover.Root
      open={isOpen}
      onOpenChange={(next, { reason }) => {
        if (next) return;
        if (reason === 'escape-key') fields.current?.cancel();
        else if (fields.current?.refusesToClose() !== true) onClose();
      }}
    >
      <Popover.Portal>
        <Popover.Positioner
          positionMethod="fixed"
          className={styles.positioner}
          anchor={() => (id === null ? null : (list.current?.timesElement(id) ?? null))}
          align="start"
          sideOffset={4}
        >
          <Popover.Popup ref={popup} className={styles.popup} {...focus}>
            <Popover.Title className="visually-hidden">{t('transcript.times.title')}</Popover.Title>
            {isOpen && <Fields ref={fields} segment={segment} onClose={onClose} />}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface FieldsHandle {
  /** Whether the typed times are invalid; the field has the focus again then. */
  readonly refusesToClose: () => boolean;
  /** Closes the popover without what was typed. */
  readonly cancel: () => void;
}

interface FieldsProps {
  readonly ref: Ref<FieldsHandle>;
  readonly segment: DraftSegment;
  readonly onClose: () => void;
}

type Edge = 'start' | 'end';

/** Seconds by which an arrow key changes a time: alone, and with Shift. */
const stepSeconds = 0.1;
const longStepSeconds = 1;

function Fields({ ref, segment, onClose }: FieldsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { session } = useWorkspace();
  const draft = useSession((state) => state.draft);
  const decimalMark = format.number(0.5).charAt(1);
  const timeText = (seconds: number): string => editableTime(seconds, decimalMark);
  const [typedTimes, setTypedTimes] = useState({
    start: timeText(segment.start),
    end: timeText(segment.end),
  });

  // A time that was not edited keeps its exact value: services may send fractions of a millisecond.
  const timeOf = (edge: Edge): number | null =>
    typedTimes[edge] === timeText(segment[edge]) ? segment[edge] : parseTime(typedTimes[edge]);
  const [start, end] = [timeOf('start'), timeOf('end')];
  const times = start === null || end === null ? null : { segment: segment.id, start, end };
  const isSame = times !== null && start === segment.start && end === segment.end;
  const refusal = times === null || isSame ? null : timesRefusal(draft, times, session.recordingSeconds);

  const wrongEdge = refusal === null ? null : edgeOf(refusal, start !== segment.start);
  const refusalText = (reason: TimesRefusal): string => {
    if (reason === 'recording')
      return session.recordingSeconds === null
        ? t('transcript.times.limit', { count: maxTimeSeconds / 3600 })
        : t('transcript.times.recording', { time: timeText(session.recordingSeconds) });
    return reason === 'min-duration'
      ? t('transcript.times.tooShort', { seconds: minSegmentSeconds })
      : t(`transcript.times.${reason}`);
  };
  const message = (): string => {
    if (times === null) return t('transcript.times.notTime', { example: timeText(62.5) });
    if (refusal !== null) return refusalText(refusal);
    const { previous, next } = isSame ? { previous: null, next: null } : neighbourTimes(draft, times);
    const moves = [
      previous !== null && t('transcript.times.movesPrevious', { time: timeText(previous.toSeconds) }),
      next !== null && t('transcript.times.movesNext', { time: timeText(next.toSeconds) }),
    ].filter((part) => part !== false);
    return moves.length > 0
      ? moves.join(' ')
      : t('transcript.times.hint', { step: stepSeconds, longStep: longStepSeconds });
  };
  const isInvalid = times === null || refusal !== null;

  const form = useRef<HTMLFormElement>(null);
  const save = (): boolean => {
    if (times === null || isInvalid || isSame) return false;
    return session.edit({ kind: 'set-times', ...times }).length > 0;
  };
  const endForm = useSaveOnLeave(() => {
    if (save()) notifyEdit(session, t('transcript.times.saved'));
  });
  const close = (): void => {
    endForm();
    onClose();
  };
  const cancel = (): void => {
    close();
    if (isSame) return;
    const canSave = times !== null && !isInvalid;
    notifyNotSaved(session, t('transcript.times.notSaved'), canSave ? () => void save() : null);
  };
  useImperativeHandle(ref, () => ({
    cancel,
    refusesToClose: () => {
      if (!isInvalid) return false;
      // After a click, which moves the focus.
      requestAnimationFrame(() =>
        form.current
          ?.querySelector<HTMLElement>('[aria-invalid=true], input')
          ?.focus({ preventScroll: true }),
      );
      return true;
    },
  }));

  const renderField = (edge: Edge, label: string) => (
    <TextField
      label={label}
      inputMode="decimal"
      maxLength={20}
      value={typedTimes[edge]}
      aria-invalid={timeOf(edge) === null || wrongEdge === edge}
      aria-describedby="times-message"
      onChange={(event) => setTypedTimes({ ...typedTimes, [edge]: event.target.value })}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
        const seconds = timeOf(edge);
        if (by === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        if (seconds === null) return;
        const step = event.shiftKey ? longStepSeconds : stepSeconds;
        setTypedTimes({ ...typedTimes, [edge]: timeText(seconds + by * step) });
      }}
    />
  );
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isInvalid) return;
        save();
        close();
      }}
    >
      {renderField('start', t('transcript.times.start'))}
      {renderField('end', t('transcript.times.end'))}
      <p id="times-message" className={styles.message} data-invalid={isInvalid || undefined} role="status">
        {message()}
      </p>
      <div className={styles.actions}>
        <Button onClick={cancel}>{t('action.cancel')}</Button>
        <Button variant="main" type="submit" disabled={isInvalid}>
          {t('transcript.times.save')}
        </Button>
      </div>
    </form>
  );
}

/** Returns which of the times is wrong; `null` if only their order is. */
function edgeOf(refusal: TimesRefusal, hasNewStart: boolean): Edge | null {
  if (refusal === 'order') return null;
  if (refusal === 'previous') return 'start';
  return refusal === 'min-duration' && hasNewStart ? 'start' : 'end';
}
