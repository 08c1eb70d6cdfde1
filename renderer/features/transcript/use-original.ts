import { useEffect, useState } from 'react';
import type { ComparisonBase } from '../../../electron/contract/transcript.ts';
import { notifyError } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { useWorkspace } from './workspace.ts';

/** Returns the original of the open transcript; `null` until it is read. */
export function useOriginal(): ComparisonBase | null {
  const { invoke } = useStore();
  const { session } = useWorkspace();
  const [original, setOriginal] = useState<ComparisonBase | null>(null);
  useEffect(() => {
    invoke('transcript.original', { id: session.id }).then(setOriginal).catch(notifyError);
  }, [invoke, session]);
  return original;
}
