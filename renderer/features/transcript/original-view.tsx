import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ComparisonBase, DraftSegment } from '../../../electron/contract/transcript.ts';
import { segmentIndexAt } from '../../../electron/core/transcript/segment.ts';
import type { ScrollTarget } from '../../route.ts';
import { runReportingErrors } from '../../notices.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { differsFromOriginal } from './changes/compared-rows.ts';
import { notifyEdit } from './editing/notify-edit.ts';
import { ReadingList, segmentParagraphs, textParagraphs, type ReadingListHandle } from './reading-list.tsx';
import { readingPlaceOf } from './reading-places.ts';
import { useOriginal } from './use-original.ts';
import { useSession, useWorkspace } from './workspace.ts';

export interface OriginalViewProps {
  /** Shows the differences instead. */
  readonly onCompare: () => void;
  readonly onClose: () => void;
}

/** The original of a transcript, read-only, with a button to restore it. */
export function OriginalView({ onCompare, onClose }: OriginalViewProps) {
  const { t } = useTranslation();
  const { session } = useWorkspace();
  const edited = useSession((state) => state.edited);
  const draft = useSession((state) => state.draft);
  const language = useSession((state) => state.language);
  const original = useOriginal();
  const list = useRef<ReadingListHandle>(null);
  const { durationSeconds } = session;
  // A change that was undone leaves no difference.
  const differs = useMemo(
    () => edited && original !== null && differsFromOriginal(draft, original, durationSeconds),
    [edited, draft, original, durationSeconds],
  );
  useEffect(() => {
    const at = readingPlaceOf(session.id)?.at;
    if (original === null || at === undefined) return;
    list.current?.scrollTo(indexInOriginal(original, at, session.getState().draft.segments));
  }, [original, session]);

  return (
    <>
      <Banner
        tone="calm"
        title={t('transcript.original.title')}
        actions={
          <>
            {differs && <Button onClick={onCompare}>{t('transcript.changes.show')}</Button>}
            {differs && (
              <Button
                onClick={() =>
                  runReportingErrors(async () => {
                    await session.restore();
                    onClose();
                    // A text without times has none of these.
                    const stays = original?.text === null ? t('transcript.original.annotationsStay') : '';
                    notifyEdit(session, t('transcript.original.restored'), stays);
                  })
                }
              >
                {t('transcript.original.restore')}
              </Button>
            )}
            <Button onClick={onClose}>{t('transcript.original.close')}</Button>
          </>
        }
      >
        {original !== null && t(`transcript.original.${differs ? 'note' : 'same'}`)}
      </Banner>
      {original !== null && (
        <ReadingList
          ref={list}
          label={t('transcript.original.label')}
          language={language}
          paragraphs={
            original.text === null
              ? segmentParagraphs(original.segments, durationSeconds)
              : textParagraphs(original.text)
          }
          onLeave={onClose}
        />
      )}
    </>
  );
}

/** Returns the index of the paragraph of the original at a place in the current text. */
function indexInOriginal(
  original: ComparisonBase,
  at: ScrollTarget,
  current: readonly DraftSegment[],
): number {
  if (typeof at !== 'number')
    return Math.max(0, textParagraphs((original.text ?? '').slice(0, at.start)).length - 1);
  // IDs of original segments are indexes; a new segment is looked up by its time.
  if (at < original.segments.length) return at;
  const start = current.find(({ id }) => id === at)?.start ?? 0;
  return Math.max(0, segmentIndexAt(original.segments, start));
}
