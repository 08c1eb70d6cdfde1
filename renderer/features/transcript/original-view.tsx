import { useTranslation } from 'react-i18next';
import { runReportingErrors } from '../../notices.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { notifyEdit } from './editing/notify-edit.ts';
import { ReadingList, segmentParagraphs, textParagraphs } from './reading-list.tsx';
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
  const language = useSession((state) => state.language);
  const original = useOriginal();

  return (
    <>
      <Banner
        tone="calm"
        title={t('transcript.original.title')}
        actions={
          <>
            {edited && <Button onClick={onCompare}>{t('transcript.changes.show')}</Button>}
            {edited && (
              <Button
                onClick={() =>
                  runReportingErrors(async () => {
                    await session.restore();
                    onClose();
                    notifyEdit(session, t('transcript.original.restored'));
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
        {edited ? t('transcript.original.note') : t('transcript.original.same')}
      </Banner>
      {original !== null && (
        <ReadingList
          label={t('transcript.original.label')}
          language={language}
          paragraphs={
            original.text === null
              ? segmentParagraphs(original.segments, session.durationSeconds)
              : textParagraphs(original.text)
          }
          onLeave={onClose}
        />
      )}
    </>
  );
}
