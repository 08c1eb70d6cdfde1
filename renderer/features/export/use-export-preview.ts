import { useEffect, useState } from 'react';
import type { ExportChoices, ExportPreview } from '../../../electron/contract/export.ts';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import { notifyError } from '../../notices.ts';
import { useStore } from '../../use-store.ts';

/** Long enough to let somebody type, short enough not to be noticed. */
const quietMs = 120;

/** What an export would do; `null` before the first answer. The last answer stays until the next one is there. */
export function useExportPreview(
  ids: readonly TranscriptId[],
  choices: ExportChoices,
  folder: string | null,
): ExportPreview | null {
  const { ask } = useStore();
  const [preview, setPreview] = useState<ExportPreview | null>(null);
  useEffect(() => {
    // There is nowhere to look yet.
    if (choices.where === 'folder' && folder === null) return undefined;
    let wanted = true;
    const timer = setTimeout(() => {
      ask('export.preview', { ...choices, formats: [...choices.formats], ids: [...ids] })
        .then((answer) => wanted && setPreview(answer))
        .catch((error: unknown) => wanted && notifyError(error));
    }, quietMs);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [ask, ids, choices, folder]);
  return preview;
}
