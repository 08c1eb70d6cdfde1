import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { spokenLanguages } from '../../../electron/contract/languages.ts';
import { runReportingErrors } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { sortedByName } from './format.ts';
import { useFormat } from './use-format.ts';

/** A language that can be chosen, or `auto`. */
export interface LanguageOption {
  readonly value: string;
  readonly label: string;
  /** Whether a group of languages begins with it. */
  readonly startsGroup: boolean;
}

/** A longer list at the top would be as hard to scan as the full one. */
const maxOnTop = 5;

/**
 * Returns the languages for a menu: detection, then those that the user is likely to want, then all others by name.
 * Likely ones are those of the latest transcripts, then those of the system.
 */
export function useLanguageOptions(): readonly LanguageOption[] {
  const { t, i18n } = useTranslation();
  const { invoke } = useStore();
  const format = useFormat();
  const [recentLanguages, setRecentLanguages] = useState<readonly string[]>([]);
  useEffect(
    () => runReportingErrors(async () => setRecentLanguages(await invoke('library.languages', undefined))),
    [invoke],
  );
  return useMemo(() => {
    const onTop = likelyLanguages([...recentLanguages, ...navigator.languages]);
    const others = spokenLanguages.filter((code) => !onTop.includes(code));
    const groups = [
      [{ value: 'auto', label: t('options.auto') }],
      onTop.map((code) => ({ value: code, label: format.language(code) })),
      sortedByName(others, format.language, i18n.language).map(({ code, name }) => ({
        value: code,
        label: name,
      })),
    ];
    return groups.flatMap((group) => group.map((option, index) => ({ ...option, startsGroup: index === 0 })));
  }, [recentLanguages, format, i18n.language, t]);
}

/**
 * Returns the spoken languages among BCP 47 tags, each once and without its region.
 *
 * @param tags the most important first
 */
function likelyLanguages(tags: readonly string[]): readonly string[] {
  const codes = tags.map((tag) => tag.toLowerCase().split('-')[0] ?? '');
  return [...new Set(codes)].filter((code) => spokenLanguages.includes(code)).slice(0, maxOnTop);
}
