import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportFormats } from '../../../electron/contract/model/export.ts';
import type { Transcript, TranscriptId } from '../../../electron/contract/model/library.ts';
import { attempt, notifyExported, notifyOf } from '../../notices.ts';
import { useGoTo, useSend, useStore } from '../../use-store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { ScreenFooter } from '../../ui/screen-footer.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { useFormat } from '../../ui/use-format.ts';
import { useLate } from '../../ui/use-late.ts';
import { SegmentList } from './segment-list.tsx';

export interface TranscriptScreenProps {
  readonly id: TranscriptId;
  readonly from: 'queue' | 'library';
}

/** One transcript, to read and to export. */
export function TranscriptScreen({ id, from }: TranscriptScreenProps) {
  const { t } = useTranslation();
  const { ask } = useStore();
  const goTo = useGoTo();
  // Undefined while it is being opened; null when there is none.
  const [transcript, setTranscript] = useState<Transcript | null | undefined>(undefined);

  useEffect(() => {
    let wanted = true;
    ask('transcript.get', { id })
      .then((opened) => wanted && setTranscript(opened))
      .catch((error: unknown) => {
        if (wanted) setTranscript(null);
        notifyOf(error);
      });
    return () => {
      wanted = false;
    };
  }, [ask, id]);

  const back = (): void => goTo({ screen: from });
  if (transcript === undefined) return <Opening />;
  if (transcript === null) {
    return (
      <Empty title={t('transcript.gone')}>
        <Button onClick={back}>{t('transcript.back')}</Button>
      </Empty>
    );
  }
  return <Reading transcript={transcript} onBack={back} />;
}

function Opening() {
  const { t } = useTranslation();
  return useLate() ? <Empty title={t('transcript.loading')} /> : null;
}

function Reading({ transcript, onBack }: { readonly transcript: Transcript; readonly onBack: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const send = useSend();
  const { itemId, durationSeconds, language, wordCount } = transcript;
  const silent = transcript.text.trim() === '' && transcript.segments.length === 0;
  const about = [
    format.date(transcript.createdAt),
    durationSeconds !== null && format.duration(durationSeconds),
    language !== null && format.language(language),
    t('unit.words', { count: wordCount }),
  ].filter((part) => part !== false);

  return (
    <>
      <ScreenHeader
        back={
          <IconButton aria-label={t('transcript.back')} onClick={onBack}>
            <Icon name="back" />
          </IconButton>
        }
        title={<bdi>{transcript.name}</bdi>}
        sub={about.join(' · ')}
        actions={
          <>
            {itemId !== null && (
              <Button onClick={() => send('queue.showInFolder', { id: itemId })}>
                {t('transcript.showInFolder')}
              </Button>
            )}
            <ExportMenu id={transcript.id} />
          </>
        }
      />
      {silent ? (
        <Empty title={t('transcript.empty')} note={t('transcript.emptyNote')} />
      ) : (
        <SegmentList transcript={transcript} onLeave={onBack} />
      )}
      <ScreenFooter end={t('transcript.saved')}>
        {t('transcript.segments', { count: transcript.segments.length })}
      </ScreenFooter>
    </>
  );
}

function ExportMenu({ id }: { readonly id: TranscriptId }) {
  const { t } = useTranslation();
  const { ask } = useStore();
  return (
    <Menu
      button={
        <Button look="main">
          {t('transcript.export')}
          <Icon name="chevron-down" />
        </Button>
      }
    >
      {exportFormats.map((name) => (
        <MenuItem
          key={name}
          onClick={() => {
            attempt(async () => notifyExported(await ask('transcript.export', { ids: [id], format: name })));
          }}
        >
          {t(`transcript.exportAs.${name}`)}
        </MenuItem>
      ))}
    </Menu>
  );
}
