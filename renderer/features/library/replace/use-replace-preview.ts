import { useEffect, useState } from 'react';
import type { ReplacePreview } from '../../../../electron/contract/replace.ts';
import type { Query } from '../../../../electron/contract/transcript.ts';
import { attempt } from '../../../notices.ts';
import { useStore } from '../../../use-store.ts';

/** Milliseconds without a letter before all transcripts are looked through. */
const restMs = 300;

/** Where a text is in the library; `null` while it is being looked for, and what there was before goes at once. */
export function useReplacePreview(query: Query): ReplacePreview | null {
  const { ask } = useStore();
  const [found, setFound] = useState<{ query: Query; preview: ReplacePreview } | null>(null);
  useEffect(() => {
    if (query.text === '') return;
    let wanted = true;
    const look = async (): Promise<void> => {
      const preview = await ask('replace.find', { query });
      if (wanted && preview !== null) setFound({ query, preview });
    };
    const timer = setTimeout(() => attempt(look), restMs);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [ask, query]);
  return found?.query === query ? found.preview : null;
}
