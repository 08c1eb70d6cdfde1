import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { Problem } from '../../../electron/contract/problem.ts';
import { beforeQuit } from '../../flush-before-quit.ts';
import type { ScrollTarget } from '../../route.ts';
import { asProblem, notify, notifyProblem } from '../../notices.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Empty } from '../../ui/feedback/empty.tsx';
import { nextFrame, useDelayed } from '../../ui/time/timers.ts';
import { problemWords } from '../../ui/words/problem-words.ts';
import { useGoTo, useStore } from '../../use-store.ts';
import { Editor } from './editor.tsx';
import { Playback } from './player/playback.ts';
import { openSession, type OpenTranscript } from './session/open-session.ts';
import type { RebaseOutcome } from './session/rebase.ts';
import type { TranscriptSession } from './session/transcript-session.ts';
import { WorkspaceProvider } from './workspace.ts';

export interface TranscriptScreenProps {
  readonly id: TranscriptId;
  readonly from: 'queue' | 'library';
  /** Where to land; absent: the beginning. */
  readonly at?: ScrollTarget | undefined;
  /** What was found there by a search in the library. */
  readonly sought?: string | undefined;
}

/** One transcript: to hear, to read and to correct. */
export function TranscriptScreen({ id, from, at, sought }: TranscriptScreenProps) {
  const { t } = useTranslation();
  const { ask, bridge } = useStore();
  const goTo = useGoTo();
  const [playback] = useState(() => new Playback());
  const [isLed] = useState(at !== undefined);
  // Undefined while it is being opened; null when there is none.
  const [opened, setOpened] = useState<OpenTranscript | null | undefined>(undefined);
  /** Why it could not be opened, until the user wants to try again. */
  const [problem, setProblem] = useState<Problem | null>(null);
  const onRebased = useEffectEvent((outcome: RebaseOutcome): void => {
    if (outcome === 'clean') notify(t('transcript.changedElsewhere'));
    else if (outcome === 'restored') notify(t('transcript.returned'), t('transcript.returnedNote'));
    else notifyProblem({ code: 'transcript_changed' });
  });

  useEffect(() => {
    if (problem !== null) return;
    let wanted = true;
    let isStale = false;
    let session: TranscriptSession | null = null;
    const end = bridge.on('transcripts.changed', (ids) => {
      if (!ids.includes(id)) return;
      isStale = true;
      session?.pullChanges();
    });
    const open = async (): Promise<void> => {
      const whole = await openSession(ask, {
        id,
        observer: { onRebased: (outcome) => onRebased(outcome) },
        isWanted: () => wanted,
        onBeginning: async (beginning) => {
          // Who is led to a place further on sees nothing before that is there.
          if (isLed) return;
          flushSync(() => setOpened(beginning));
          await nextFrame();
        },
      });
      if (!wanted) return;
      // At once: whatever is typed from now on is typed in the whole.
      flushSync(() => setOpened(whole));
      session = whole?.session ?? null;
      if (isStale) session?.pullChanges();
    };
    open().catch((error: unknown) => {
      if (wanted) setProblem(asProblem(error));
    });
    return () => {
      wanted = false;
      end();
    };
  }, [ask, bridge, id, isLed, problem]);

  const session = opened?.session;
  useEffect(() => {
    if (session === undefined) return;
    // The window closes, or the program ends: the last letters go out before.
    const end = beforeQuit({
      flush: () => session.settle(),
      flushNow: () => session.flushBeforeUnload(),
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
  if (!useDelayed()) return null;
  return (
    <Empty title={t('transcript.loading')}>
      <Button onClick={onBack}>{t('transcript.back')}</Button>
    </Empty>
  );
}
