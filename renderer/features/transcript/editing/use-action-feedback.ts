import { useTranslation } from 'react-i18next';
import { maxSegmentTextLength } from '../../../../electron/contract/limits.ts';
import { runReportingErrors, notify, replaceNotice } from '../../../notices.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import { useStore } from '../../../use-store.ts';
import { speakerNames } from '../speaker-names.ts';
import { useWorkspace } from '../workspace.ts';
import { notifyEdit, replaceEditNotice } from './notify-edit.ts';
import { formatQuote } from './quote.ts';
import type { SegmentActionsOptions } from './use-segment-actions.ts';
import type { TFunction } from 'i18next';
import type { BoundaryRefusal } from '../../../../electron/core/transcript/edit/boundary-range.ts';
import { formatExactTime, type Format } from '../../../ui/text/format.ts';

/**
 * Copies quotes, and reports actions whose effect cannot be seen in the text.
 *
 * @param recording the name of the recording in quotes
 */
export function useActionFeedback(
  recording: string,
): Pick<
  SegmentActionsOptions,
  | 'onQuote'
  | 'onBoundaryMoved'
  | 'onWordMoveRefused'
  | 'onAssigned'
  | 'onSpeakersMerged'
  | 'onMergeTooLong'
  | 'onNoRoom'
  | 'onDeleted'
> {
  const { t } = useTranslation();
  const format = useFormat();
  const { invoke } = useStore();
  const { session } = useWorkspace();
  return {
    onQuote: (selected) => {
      const { draft } = session.getState();
      const text = formatQuote(draft.segments, selected, speakerNames(draft, t), recording);
      runReportingErrors(async () => {
        await invoke('transcript.copy', { text });
        notify(t('transcript.quoteCopied'));
      });
    },
    onBoundaryMoved: (move) => {
      const { title, note } = boundaryMessage(t, format, move);
      if (move.hasMoved) replaceEditNotice(session, 'boundary', title, note);
      else replaceNotice('boundary', title, note);
    },
    onAssigned: (count, speaker) => {
      const name = speaker === null ? undefined : speakerNames(session.getState().draft, t)[speaker];
      replaceEditNotice(
        session,
        'assigned',
        name === undefined
          ? t('transcript.assigned.nobody', { count })
          : t('transcript.assigned.speaker', { count, name }),
      );
    },
    onSpeakersMerged: (speaker) => {
      const name = speaker === null ? undefined : speakerNames(session.getState().draft, t)[speaker];
      if (name !== undefined) notifyEdit(session, t('transcript.assigned.merged', { name }));
    },
    onMergeTooLong: () =>
      replaceNotice(
        'merge',
        t('transcript.tooLong'),
        t('transcript.mergeTooLong', { count: maxSegmentTextLength }),
      ),
    onNoRoom: () => replaceNotice('insert', t('transcript.noRoom'), t('transcript.noRoomNote')),
    onDeleted: (count, noteCount) =>
      notifyEdit(
        session,
        t('transcript.segmentsDeleted', { count }),
        noteCount === 0 ? '' : t('transcript.notesStay', { count: noteCount }),
      ),
    onWordMoveRefused: (refusal) =>
      replaceNotice(
        'boundary',
        t('transcript.boundary.wordStays'),
        t(`transcript.boundary.${wordRefusalTexts[refusal]}`),
      ),
  };
}

const wordRefusalTexts = { 'no-words': 'noWord', 'only-word': 'onlyWord', order: 'order' } as const;

/** The result of moving a boundary. */
export interface BoundaryMove {
  readonly edge: 'start' | 'end';
  /** Why it is not at the requested time; `null` when it is. */
  readonly refusal: BoundaryRefusal | 'no-recording' | null;
  readonly hasMoved: boolean;
  /** Its new time, in seconds. */
  readonly atSeconds: number;
}

/** Returns a message that says where a boundary is now, and why it is not at the requested time. */
function boundaryMessage(
  t: TFunction,
  format: Format,
  { edge, refusal, hasMoved, atSeconds }: BoundaryMove,
): { readonly title: string; readonly note: string } {
  const result = refusal === null ? 'Moved' : hasMoved ? 'Stopped' : 'Stays';
  const title = t(`transcript.boundary.${edge}${result}`, { time: formatExactTime(atSeconds, format) });
  return { title, note: refusal === null ? '' : t(`transcript.boundary.${reasonOf(edge, refusal)}`) };
}

const reasons = {
  start: {
    unchanged: 'there',
    order: 'order',
    recording: 'recording',
    'no-recording': 'noRecording',
    previous: 'startAtPrevious',
    'min-duration': 'tooShort',
    next: 'startAtNext',
  },
  end: {
    unchanged: 'there',
    order: 'order',
    recording: 'recording',
    'no-recording': 'noRecording',
    previous: 'order',
    'min-duration': 'tooShort',
    next: 'endAtNext',
  },
} as const;

const reasonOf = <E extends 'start' | 'end'>(edge: E, refusal: NonNullable<BoundaryMove['refusal']>) =>
  reasons[edge][refusal];
