import { useEffect, useState } from 'react';
import type { ItemId } from '../../../electron/contract/identifiers.ts';
import type { LiveTranscriptView } from '../../../electron/contract/queue-commands.ts';
import type { Segment } from '../../../electron/contract/segment-schema.ts';
import { notifyError } from '../../notices.ts';
import { useStore } from '../../use-store.ts';

/** Milliseconds between two requests for new text. */
const intervalMs = 500;

/** A transcript in progress as the window knows it. */
export interface LiveText {
  /** Its state now; `null` before the first answer. */
  readonly view: LiveTranscriptView | null;
  /** What was last known of it while it was in progress. */
  readonly facts: Pick<
    Extract<LiveTranscriptView, { kind: 'transcribing' }>,
    'name' | 'durationSeconds' | 'progress' | 'language'
  > | null;
  readonly segments: readonly Segment[];
}

const nothing: LiveText = { view: null, facts: null, segments: [] };

/** Follows the transcript of an item until it is saved or stops. */
export function useLiveTranscript(id: ItemId): LiveText {
  const { ask } = useStore();
  const [text, setText] = useState(nothing);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isWanted = true;
    let known = nothing;
    const follow = async (): Promise<void> => {
      // The last segment may have changed.
      const view = await ask('queue.live', { id, from: Math.max(0, known.segments.length - 1) });
      if (!isWanted) return;
      known = withAnswer(known, view);
      setText(known);
      if (view.kind === 'transcribing') timer = setTimeout(next, intervalMs);
    };
    const next = (): void => void follow().catch(notifyError);
    next();
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [ask, id]);
  return text;
}

function withAnswer(known: LiveText, view: LiveTranscriptView): LiveText {
  if (view.kind !== 'transcribing') return { ...known, view };
  const { from, segments } = view;
  const isSame = JSON.stringify(known.segments.slice(from)) === JSON.stringify(segments);
  return {
    view,
    facts: view,
    segments: isSame ? known.segments : [...known.segments.slice(0, from), ...segments],
  };
}
