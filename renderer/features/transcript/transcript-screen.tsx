import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../electron/contract/model/identifiers.ts';
import type { TranscriptDocument } from '../../../electron/contract/model/transcript.ts';
import type { Problem } from '../../../electron/contract/problem.ts';
import { beforeEnd } from '../../last-words.ts';
import type { Landing } from '../../place.ts';
import { notifyOf, notifyProblem } from '../../notices.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { useLate } from '../../ui/use-late.ts';
import { useGoTo, useStore } from '../../use-store.ts';
import { TranscriptSession } from './editing/session.ts';
import { Editor } from './editor.tsx';
import { openDocument } from './open-document.ts';
import { Playback } from './player/playback.ts';
import { WorkspaceProvider } from './workspace.ts';

export interface TranscriptScreenProps {
  readonly id: TranscriptId;
  readonly from: 'queue' | 'library';
  /** Where to land; absent: the beginning. */
  readonly at?: Landing | undefined;
}

interface Opened {
  readonly document: TranscriptDocument;
  readonly session: TranscriptSession;
}

/** One transcript: to hear, to read and to correct. */
export function TranscriptScreen(props: TranscriptScreenProps) {
  const [playback] = useState(() => new Playback());
  const [openings, setOpenings] = useState(0);
  const reopen = useCallback((problem: Problem) => {
    notifyProblem(problem);
    setOpenings((count) => count + 1);
  }, []);
  const { bridge } = useStore();
  const { id } = props;
  useEffect(
    () =>
      bridge.on('transcripts.changed', (ids) => {
        if (ids.includes(id)) setOpenings((count) => count + 1);
      }),
    [bridge, id],
  );
  return <OpenTranscript key={openings} {...props} playback={playback} onChanged={reopen} />;
}

interface OpenTranscriptProps extends TranscriptScreenProps {
  readonly playback: Playback;
  /** It was changed elsewhere. */
  readonly onChanged: (problem: Problem) => void;
}

function OpenTranscript({ id, from, at, playback, onChanged }: OpenTranscriptProps) {
  const { t } = useTranslation();
  const { ask } = useStore();
  const goTo = useGoTo();
  // Undefined while it is being opened; null when there is none.
  const [opened, setOpened] = useState<Opened | null | undefined>(undefined);

  useEffect(() => {
    let wanted = true;
    const open = async (): Promise<void> => {
      const document = await openDocument(ask, id);
      if (!wanted) return;
      setOpened(
        document === null ? null : { document, session: new TranscriptSession(ask, document, onChanged) },
      );
    };
    open().catch((error: unknown) => {
      if (wanted) setOpened(null);
      notifyOf(error);
    });
    return () => {
      wanted = false;
    };
  }, [ask, id, onChanged]);

  const session = opened?.session;
  useEffect(() => {
    if (session === undefined) return;
    // The window closes, or the program ends: the last letters go out before.
    const end = beforeEnd({
      inOrder: () => session.settle(),
      atOnce: () => session.flushAtOnce(),
    });
    return () => {
      end();
      session.flush();
    };
  }, [session]);

  const workspace = useMemo(
    () => (session === undefined ? null : { session, playback }),
    [session, playback],
  );

  const back = (): void => goTo({ screen: from });
  if (opened === undefined) return <Opening />;
  if (opened === null || workspace === null) {
    return (
      <Empty title={t('transcript.gone')}>
        <Button onClick={back}>{t('transcript.back')}</Button>
      </Empty>
    );
  }
  return (
    <WorkspaceProvider value={workspace}>
      <Editor landOn={at} document={opened.document} onBack={back} />
    </WorkspaceProvider>
  );
}

function Opening() {
  const { t } = useTranslation();
  return useLate() ? <Empty title={t('transcript.loading')} /> : null;
}
