import { useTranslation } from 'react-i18next';
import type { ExportChoices, FlaggedCue, LayoutQuality } from '../../../electron/contract/export.ts';
import { maxAssessedTranscripts } from '../../../electron/contract/limits.ts';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import {
  countedRules,
  presetRules,
  type SubtitlePreset,
  subtitlePresets,
  type SubtitleRules,
} from '../../../electron/contract/subtitle-rules.ts';
import { clockTime } from '../../../electron/core/transcript/clock-time.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import styles from './export-form.module.css';
import { FormSection } from './form-section.tsx';
import { RuleFields } from './rule-fields.tsx';
import { useMemo } from 'react';
import { notifyError } from '../../notices.ts';
import { useDebouncedCommand } from '../../use-debounced-command.ts';

export interface SubtitleSectionProps {
  readonly ids: readonly TranscriptId[];
  readonly choices: SubtitleChoices;
  readonly highlightsOnly: boolean;
  /** The user's custom rules. */
  readonly rules: SubtitleRules;
  readonly onRules: (rules: SubtitleRules) => void;
  /** Shows a subtitle in its transcript. */
  readonly onShowCue: (cue: FlaggedCue) => void;
}

/** Chooses the preset of the subtitle layout. */
export function PresetSection(props: {
  readonly preset: SubtitlePreset;
  readonly onPreset: (preset: SubtitlePreset) => void;
}) {
  const { preset, onPreset } = props;
  const { t } = useTranslation();
  return (
    <FormSection title={t('export.subtitles')}>
      <div className={styles.line}>
        <span className={styles.quiet} aria-hidden>
          {t('export.preset')}
        </span>
        <Select
          compact
          label={t('export.preset')}
          value={preset}
          options={subtitlePresets.map((value) => ({ value, label: t(`export.presets.${value}`) }))}
          onChange={(value) => onPreset(subtitlePresets.find((name) => name === value) ?? 'broadcast')}
        />
      </div>
    </FormSection>
  );
}

/** What the layout of subtitles does, the user's own rules, and how many violations it leaves. */
export function SubtitleSection(props: SubtitleSectionProps) {
  const { ids, choices, highlightsOnly, rules, onRules, onShowCue } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const quality = useQuality(ids, choices, highlightsOnly, rules);
  const preset = choices.subtitles;
  const shownRules = preset === 'own' ? rules : preset === 'raw' ? null : presetRules[preset];
  const seconds = (ms: number): string => format.number(Math.round(ms / 10) / 100);

  return (
    <FormSection title={t('export.layout')}>
      {preset === 'own' ? (
        <RuleFields rules={rules} onRules={onRules} />
      ) : (
        <p className={styles.quiet}>
          {shownRules === null
            ? t('export.rawMeaning')
            : t('export.presetMeaning', {
                lines: shownRules.maxLines,
                columns: shownRules.columnsPerLine,
                min: seconds(shownRules.minDurationMs),
                max: seconds(shownRules.maxDurationMs),
                speed: shownRules.maxSpeed,
              })}
        </p>
      )}
      <p className={styles.quality} role="status">
        {quality === null ? (
          t('export.counting')
        ) : highlightsOnly && quality.before.cues === 0 ? null : (
          <QualityText quality={quality} preset={preset} />
        )}
      </p>
      {quality !== null && quality.flaggedCues.length > 0 && (
        <FlaggedCues cues={quality.flaggedCues} isNamed={ids.length > 1} onShow={onShowCue} />
      )}
    </FormSection>
  );
}

/** Leads to the first subtitles that violate a rule. */
function FlaggedCues(props: {
  readonly cues: readonly FlaggedCue[];
  /** Whether they are of several transcripts. */
  readonly isNamed: boolean;
  readonly onShow: (cue: FlaggedCue) => void;
}) {
  const { cues, isNamed, onShow } = props;
  const { t } = useTranslation();
  return (
    <div role="group" aria-label={t('export.flaggedCues')} className={styles.line}>
      <span className={styles.quiet}>{t('export.flaggedCues')}</span>
      {cues.map((cue) => {
        const time = clockTime(cue.startMs / 1000);
        return (
          <Button key={`${cue.transcript} ${cue.startMs}`} variant="plain" onClick={() => onShow(cue)}>
            {isNamed && <bdi className={styles.example}>{cue.name}</bdi>}
            {time}
          </Button>
        );
      })}
    </div>
  );
}

/** Says how many subtitles violate rules, before and after the layout, and which rules. */
function QualityText({
  quality: { transcripts, before, after },
  preset,
}: {
  readonly quality: LayoutQuality;
  readonly preset: SubtitlePreset;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  if (before.cues === 0) return t('export.noCues');
  const violations = countedRules
    .filter((rule) => after[rule] > 0)
    .map((rule) => t(`export.broken.${rule}`, { count: after[rule] }));
  const countText = (quality: typeof after): string =>
    quality.flagged === 0
      ? t('export.noneBroken', { count: quality.cues })
      : t('export.someBroken', { count: quality.flagged, cues: quality.cues });
  return (
    <>
      {preset !== 'raw' && (
        <span className={styles.quiet}>{t('export.before', { words: countText(before) })} </span>
      )}
      <b>{preset === 'raw' ? countText(after) : t('export.after', { words: countText(after) })}</b>
      {violations.length > 0 && ` ${t('export.brokenList', { list: format.list(violations) })}`}
      {transcripts >= maxAssessedTranscripts && (
        <span className={styles.quiet}> {t('export.counted', { count: transcripts })}</span>
      )}
    </>
  );
}

/** The choices of an export that decide which subtitles are written. */
export type SubtitleChoices = Pick<ExportChoices, 'formats' | 'subtitles' | 'speakers'>;

/** Returns how many subtitles violate the rules; `null` until they have been counted once. */
function useQuality(
  ids: readonly TranscriptId[],
  { formats, subtitles, speakers }: SubtitleChoices,
  highlightsOnly: boolean,
  rules: SubtitleRules,
): LayoutQuality | null {
  const input = useMemo(
    () => ({ ids: [...ids], formats: [...formats], subtitles, speakers, highlightsOnly, rules }),
    [ids, formats, subtitles, speakers, highlightsOnly, rules],
  );
  return useDebouncedCommand('export.assess', input, notifyError).result;
}
