import { useEffect, useState } from 'react';
import type { ExportChoices, LayoutQuality } from '../../../electron/contract/export.ts';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { SubtitleRules } from '../../../electron/contract/subtitle-rules.ts';
import { notifyError } from '../../notices.ts';
import { useStore } from '../../use-store.ts';

const quietMs = 200;

/** What of an export says which subtitles are written. */
export type SubtitleChoices = Pick<ExportChoices, 'formats' | 'subtitles' | 'speakers'>;

/** How many subtitles break the rules; `null` while they are being counted for the first time. */
export function useQuality(
  ids: readonly TranscriptId[],
  { formats, subtitles, speakers }: SubtitleChoices,
  rules: SubtitleRules,
): LayoutQuality | null {
  const { ask } = useStore();
  const [quality, setQuality] = useState<LayoutQuality | null>(null);
  useEffect(() => {
    let wanted = true;
    const timer = setTimeout(() => {
      ask('export.assess', { ids: [...ids], formats: [...formats], subtitles, speakers, rules })
        .then((answer) => wanted && setQuality(answer))
        .catch((error: unknown) => wanted && notifyError(error));
    }, quietMs);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [ask, ids, formats, subtitles, speakers, rules]);
  return quality;
}
