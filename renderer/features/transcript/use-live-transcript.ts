import { useEffect, useState } from 'react';
import type { ItemId } from '../../../electron/contract/identifiers.ts';
import type { LiveTranscriptView } from '../../../electron/contract/queue-commands.ts';
import type { Segment } from '../../../electron/contract/segment-schema.ts';
import { notifyError } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { fetchDocument } from './session/fetch-document.ts';

/** Milliseconds between two requests for new text. */
const intervalMs = 500;

/** A transcript in progress as the window knows it. */
export interface LiveText {
  /** Its current state; `null` before the first response. */
  readonly view: LiveTranscriptView | null;
  /** Its last known facts while it was in progress. */
  readonly lastMetadata: Pick<
    Extract<LiveTranscriptView, { kind: 'transcribing' }>,
    'name' | 'durationSeconds' | 'progress' | 'language'
  > | null;
  readonly segments: readonly Segment[];
}

const emptyText: LiveText = { view: null, lastMetadata: null, segments: [] };

/** Follows the transcript of an item until it is saved; a paused one may be resumed. */
export function useLiveTranscript(id: ItemId): LiveText {
  const { invoke } = useStore();
  const [text, setText] = useState(emptyText);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const closing = new AbortController();
    const isActive = (): boolean => !closing.signal.aborted;
    let current = emptyText;
    let hasFailed = false;
    const follow = async (): Promise<void> => {
      // Request the last segment again, because it may have changed.
      const view = await invoke('queue.live', { id, from: Math.max(0, current.segments.length - 1) });
      if (!isActive()) return;
      hasFailed = false;
      current = updateText(current, view);
      setText(current);
      if (view.kind !== 'done') {
        timer = setTimeout(next, intervalMs);
        return;
      }
      // While it is played, the view stays, and the text has grown since the last request.
      const saved = await fetchDocument(invoke, view.transcriptId, closing.signal);
      if (saved !== null && saved.segments.length > 0) setText({ ...current, segments: saved.segments });
    };
    const onError = (error: unknown): void => {
      if (!isActive()) return;
      // Only the first of several failures is reported.
      if (!hasFailed) notifyError(error);
      hasFailed = true;
      timer = setTimeout(next, intervalMs);
    };
    const next = (): void => void follow().catch(onError);
    next();
    return () => {
      closing.abort();
      clearTimeout(timer);
    };
  }, [invoke, id]);
  return text;
}

function updateText(current: LiveText, view: LiveTranscriptView): LiveText {
  if (view.kind !== 'transcribing') return { ...current, view };
  const { from, segments } = view;
  // A resumed recording has no text at first: keep the former text until there is new text.
  if (segments.length === 0) return { ...current, view, lastMetadata: view };
  const isSame = JSON.stringify(current.segments.slice(from)) === JSON.stringify(segments);
  return {
    view,
    lastMetadata: view,
    segments: isSame ? current.segments : [...current.segments.slice(0, from), ...segments],
  };
}
