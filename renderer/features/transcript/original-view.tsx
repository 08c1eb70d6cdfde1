import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OriginalTranscript } from '../../../electron/contract/transcript.ts';
import { attempt, notifyError } from '../../notices.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { useStore } from '../../use-store.ts';
import { ReadingList, segmentParagraphs, textParagraphs } from './reading-list.tsx';
import { useSession, useWorkspace } from './workspace.ts';

/** The original of a transcript, read-only, with a button to restore it. */
export function OriginalView({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { ask } = useStore();
  const { session } = useWorkspace();
  const edited = useSession((state) => state.edited);
  const language = useSession((state) => state.language);
  const [original, setOriginal] = useState<OriginalTranscript | null>(null);

  useEffect(() => {
    ask('transcript.original', { id: session.id }).then(setOriginal).catch(notifyError);
  }, [ask, session]);

  return (
    <>
      <Banner
        tone="calm"
        title={t('transcript.original.title')}
        actions={
          <>
            {edited && (
              <Button
                onClick={() =>
                  attempt(async () => {
                    await session.restore();
                    onClose();
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
