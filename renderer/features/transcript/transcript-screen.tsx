import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { Problem } from '../../../electron/contract/problem.ts';
import { registerQuitHandler } from '../../flush-before-quit.ts';
import { routeToTranscript, type SearchResults, type ScrollTarget, type ShownCue } from '../../route.ts';
import { asProblem, notify, notifyNothingToDo, notifyProblem } from '../../notices.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Empty } from '../../ui/feedback/empty.tsx';
import { nextFrame, useDelayed } from '../../ui/time/timers.ts';
import { problemText } from '../../ui/text/problem-text.ts';
import { useGoTo, useStore } from '../../use-store.ts';
import { isIdentifying } from './dialogs/use-identify-speakers.ts';
import { notifyEarlierEditUndone, offerNoticeActions } from './editing/notify-edit.ts';
import { Editor } from './editor.tsx';
import { Playback } from './player/playback.ts';
import { readingPlaceOf, setReadingPlace } from './reading-places.ts';
import { openSession, type OpenTranscript } from './session/open-session.ts';
import type { RebaseOutcome } from './session/rebase.ts';
import type { TranscriptSession } from './session/transcript-session.ts';
import {
  isSettled,
  holdUntilStored,
  releaseUnsaved,
  waitUntilStored,
} from './session/unsaved-transcripts.ts';
import { WorkspaceProvider } from './workspace.ts';

export interface TranscriptScreenProps {
  readonly id: TranscriptId;
  readonly from: 'queue' | 'library';
  /** Whether the program reopens it for the user: if it has been deleted since, `from` is shown instead. */
  readonly isReturn?: boolean | undefined;
  /** Where to scroll to; absent: where the user was, or else the beginning. */
  readonly scrollTarget?: ScrollTarget | undefined;
  /** The subtitle to show; it takes precedence over `scrollTarget`. */
  readonly cue?: ShownCue | undefined;
  /** This transcript among those that the search found. */
  readonly found?: SearchResults | undefined;
}

/** One transcript, to listen to, read and correct. */
export function TranscriptScreen({ id, from, isReturn, scrollTarget, cue, found }: TranscriptScreenProps) {
  const { t } = useTranslation();
  const { invoke, bridge } = useStore();
  const goTo = useGoTo();
  const [hasTarget] = useState(scrollTarget !== undefined || cue !== undefined);
  const [playback] = useState(() => {
    const created = new Playback();
    // A target takes the place of where the user was.
    if (hasTarget) setReadingPlace(id, null);
    else created.seek(readingPlaceOf(id)?.seconds ?? 0);
    return created;
  });
  // `undefined` while it is being opened; `null` when there is none.
  const [opened, setOpened] = useState<OpenTranscript | null | undefined>(undefined);
  /** Why it could not be opened; `null` once the user retries. */
  const [problem, setProblem] = useState<Problem | null>(null);
  const back = (): void => goTo(from === 'library' ? { screen: from, active: id } : { screen: from });
  const goBack = useEffectEvent(back);
  const onRebased = useEffectEvent((outcome: RebaseOutcome): void => {
    if (outcome === 'clean') {
      if (!isIdentifying(id)) notify(t('transcript.changedElsewhere'));
    } else if (outcome === 'reinserted') notify(t('transcript.reinserted'), t('transcript.reinsertedNote'));
    else notifyProblem({ code: 'transcript_changed' });
  });

  useEffect(() => {
    if (problem !== null) return;
    const closing = new AbortController();
    const { signal } = closing;
    let isStale = false;
    let session: TranscriptSession | null = null;
    const unsubscribe = bridge.on('transcripts.changed', (ids) => {
      if (!ids.includes(id)) return;
      isStale = true;
      session?.pullChanges();
    });
    const open = async (): Promise<void> => {
      const complete = await openSession(invoke, {
        id,
        observer: {
          onRebased: (outcome) => onRebased(outcome),
          onEarlierEditUndone: () => {
            if (session !== null) notifyEarlierEditUndone(session);
          },
          onNothingToDo: notifyNothingToDo,
        },
        signal,
        onBeginning: async (beginning) => {
          // The target, or the place where the user was, may be further on: nothing is shown before it is loaded.
          if (hasTarget) return;
          const at = readingPlaceOf(id)?.at;
          if (typeof at === 'number' && !beginning.document.segments.some((one) => one.id === at)) return;
          flushSync(() => setOpened(beginning));
          await nextFrame();
        },
      });
      if (signal.aborted) return;
      if (complete === null && isReturn === true) {
        goBack();
        return;
      }
      // Synchronously, so that nothing more is typed in the partial session.
      flushSync(() => setOpened(complete));
      session = complete?.session ?? null;
      if (isStale) session?.pullChanges();
    };
    open().catch((error: unknown) => {
      if (!signal.aborted) setProblem(asProblem(error));
    });
    return () => {
      closing.abort();
      unsubscribe();
    };
  }, [invoke, bridge, id, isReturn, hasTarget, problem]);

  const session = opened?.session;
  useEffect(() => {
    if (opened === null || opened === undefined) return;
    // What is being typed is sent before the window closes.
    const unregister = registerQuitHandler({
      flush: () => waitUntilStored(opened.session),
      flushNow: () => opened.session.flushBeforeUnload(),
      isStored: () => isSettled(opened.session),
      subscribe: (listener) => opened.session.subscribe(listener),
    });
    releaseUnsaved(opened);
    const endNoticeActions = offerNoticeActions(opened.session);
    return () => {
      endNoticeActions();
      holdUntilStored(opened, unregister);
    };
  }, [opened]);

  const workspace = useMemo(
    () => (session === undefined ? null : { session, playback }),
    [session, playback],
  );

  /** Returns the function that opens the next or previous transcript of the search; `null` if there is none. */
  const otherFound = (by: -1 | 1): (() => void) | null => {
    if (found === undefined) return null;
    const index = found.index + by;
    const row = found.rows[index];
    return row === undefined
      ? null
      : () => goTo(routeToTranscript(row, row.passages[0], { ...found, index }));
  };
  if (problem !== null) {
    return (
      <Empty title={t('transcript.notOpened')} note={problemText(t, problem)}>
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
      <Editor
        scrollTarget={scrollTarget}
        cue={cue}
        searchQuery={found?.query}
        document={opened.document}
        onBack={back}
        onNextFound={otherFound(1)}
        onPreviousFound={otherFound(-1)}
      />
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
