import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../electron/contract/model/identifiers.ts';
import type { TranscriptDocument } from '../../../electron/contract/model/transcript.ts';
import type { Problem } from '../../../electron/contract/problem.ts';
import { beforeEnd } from '../../last-words.ts';
import type { Landing } from '../../place.ts';
import { asProblem, notify, notifyProblem } from '../../notices.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { problemWords } from '../../ui/problem-words.ts';
import { useLate } from '../../ui/use-late.ts';
import { useGoTo, useStore } from '../../use-store.ts';
import { TranscriptSession, type SessionHooks } from './editing/session.ts';
import { Editor } from './editor.tsx';
import { openDocument } from './open-document.ts';
import { Playback } from './player/playback.ts';
import { WorkspaceProvider } from './workspace.ts';

export interface TranscriptScreenProps {
  readonly id: TranscriptId;
  readonly from: 'queue' | 'library';
  /** Where to land; absent: the beginning. */
  readonly at?: Landing | undefined;
  /** What was found there by a search in the library. */
  readonly sought?: string | undefined;
}

interface Opened {
  readonly document: TranscriptDocument;
  readonly session: TranscriptSession;
}

/** One transcript: to hear, to read and to correct. */
export function TranscriptScreen({ id, from, at, sought }: TranscriptScreenProps) {
  const { t } = useTranslation();
  const { ask, bridge } = useStore();
  const goTo = useGoTo();
  const [playback] = useState(() => new Playback());
  // Undefined while it is being opened; null when there is none.
  const [opened, setOpened] = useState<Opened | null | undefined>(undefined);
  /** Why it could not be opened, until the user wants to try again. */
  const [problem, setProblem] = useState<Problem | null>(null);
  const tell = useRef<SessionHooks['changedElsewhere']>(() => undefined);
  useEffect(() => {
    tell.current = (outcome) => {
      if (outcome === 'kept') notify(t('transcript.changedElsewhere'));
      else if (outcome === 'returned') notify(t('transcript.returned'), t('transcript.returnedNote'));
      else notifyProblem({ code: 'transcript_changed' });
    };
  }, [t]);

  useEffect(() => {
    if (problem !== null) return;
    let wanted = true;
    let isStale = false;
    let session: TranscriptSession | null = null;
    const end = bridge.on('transcripts.changed', (ids) => {
      if (!ids.includes(id)) return;
      isStale = true;
      session?.catchUp();
    });
    const open = async (): Promise<void> => {
      const document = await openDocument(ask, id, () => wanted);
      if (!wanted) return;
      if (document === null) {
        setOpened(null);
        return;
      }
      session = new TranscriptSession(ask, document, {
        changedElsewhere: (outcome) => tell.current(outcome),
      });
      setOpened({ document, session });
      if (isStale) session.catchUp();
    };
    open().catch((error: unknown) => {
      if (wanted) setProblem(asProblem(error));
    });
    return () => {
      wanted = false;
      end();
    };
  }, [ask, bridge, id, problem]);

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
  if (problem !== null) {
    return (
      <Empty title={t('transcript.notOpened')} note={problemWords(t, problem)}>
        <Button onClick={back}>{t('transcript.back')}</Button>
        <Button onClick={() => setProblem(null)}>{t('action.tryAgain')}</Button>
      </Empty>
    );
  }
  if (opened === undefined) return <Opening onBack={back} />;
  if (opened === null || workspace === null) {
    return (
      <Empty title={t('transcript.gone')}>
        <Button onClick={back}>{t('transcript.back')}</Button>
      </Empty>
    );
  }
  return (
    <WorkspaceProvider value={workspace}>
      <Editor landOn={at} sought={sought} document={opened.document} onBack={back} />
    </WorkspaceProvider>
  );
}

function Opening({ onBack }: { readonly onBack: () => void }) {
  const { t } = useTranslation();
  if (!useLate()) return null;
  return (
    <Empty title={t('transcript.loading')}>
      <Button onClick={onBack}>{t('transcript.back')}</Button>
    </Empty>
  );
}
