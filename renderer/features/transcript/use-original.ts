import { useEffect, useState } from 'react';
import type { OriginalTranscript } from '../../../electron/contract/transcript.ts';
import { notifyError } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { useWorkspace } from './workspace.ts';

/** Returns the original of the open transcript; `null` until it is read. */
export function useOriginal(): OriginalTranscript | null {
  const { invoke } = useStore();
  const { session } = useWorkspace();
  const [original, setOriginal] = useState<OriginalTranscript | null>(null);
  useEffect(() => {
    invoke('transcript.original', { id: session.id }).then(setOriginal).catch(notifyError);
  }, [invoke, session]);
  return original;
}
