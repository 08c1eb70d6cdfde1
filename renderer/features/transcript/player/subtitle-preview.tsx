import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CountedRule, SubtitleRules } from '../../../../electron/contract/subtitle-rules.ts';
import { speakerName } from '../../../../electron/core/formats/content.ts';
import { CuePreview, type PreviewedCue } from '../../../../electron/core/formats/layout/cue-preview.ts';
import { layoutOf } from '../../../../electron/core/formats/layout/subtitles.ts';
import { IconButton } from '../../../ui/actions/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { useSend, useWindowState } from '../../../use-store.ts';
import { usePlayback, useSession } from '../workspace.ts';
import styles from './subtitle-preview.module.css';

/** Returns a function that shows or hides the preview of subtitles; the choice is remembered. */
export function useToggleSubtitles(): () => void {
  const send = useSend();
  const isShown = useWindowState((state) => state.settings.showSubtitlePreview);
  return useCallback(() => send('settings.change', { showSubtitlePreview: !isShown }), [send, isShown]);
}

/** The button that shows or hides the preview of subtitles. */
export function SubtitleToggle() {
  const { t } = useTranslation();
  const isShown = useWindowState((state) => state.settings.showSubtitlePreview);
  const toggle = useToggleSubtitles();
  return (
    <IconButton aria-label={t('transcript.subtitles.toggle')} aria-pressed={isShown} onClick={toggle}>
      <Icon name="subtitles" />
    </IconButton>
  );
}

export interface SubtitlePreviewProps {
  /** The language of the transcript; `null` if it is unknown. */
  readonly language: string | null;
  readonly over: 'video' | 'waveform';
}

/** The subtitle at the playhead as an export with the last chosen options would write it; nothing while the preview is hidden. */
export function SubtitlePreview(props: SubtitlePreviewProps) {
  const isShown = useWindowState((state) => state.settings.showSubtitlePreview);
  return isShown ? <ShownCue {...props} /> : null;
}

function ShownCue({ language, over }: SubtitlePreviewProps) {
  const { t } = useTranslation();
  const preview = useCuePreview(language);
  const cue = usePlayback(({ time }) => preview.cueAt(time));
  if (cue === null) return null;
  const { maxLines, columnsPerLine } = preview.rules;
  return (
    <div
      className={styles.overlay}
      data-over={over}
      style={{ '--columns': columnsPerLine } as React.CSSProperties}
      role="group"
      aria-label={t('transcript.subtitles.label')}
    >
      <div className={styles.cue}>
        {cue.lines.map((line, index) => (
          <span
            // oxlint-disable-next-line react/no-array-index-key -- lines have no other identity
            key={index}
            dir="auto"
            className={styles.line}
            data-violation={index >= maxLines || undefined}
          >
            <span>{line.slice(0, cue.overflowOffsets[index])}</span>
            <span className={styles.excess}>{line.slice(cue.overflowOffsets[index])}</span>
          </span>
        ))}
        <CueFacts cue={cue} rules={preview.rules} />
      </div>
    </div>
  );
}

/** The speed of a cue, and the rules that it violates. */
function CueFacts({ cue, rules }: { readonly cue: PreviewedCue; readonly rules: SubtitleRules }) {
  const { t } = useTranslation();
  const format = useFormat();
  const seconds = (ms: number): string => format.number(Math.round(ms / 10) / 100);
  const values = {
    seconds: seconds(cue.endMs - cue.startMs),
    gap: seconds(cue.gapMs ?? 0),
    columns: rules.columnsPerLine,
    lines: rules.maxLines,
    max: rules.maxSpeed,
  };
  const violationText = (rule: CountedRule): string =>
    rule === 'tooClose' && (cue.gapMs ?? 0) <= 0
      ? t('transcript.subtitles.noGap')
      : t(`transcript.subtitles.${rule}`, values);
  const speed = t('transcript.subtitles.speed', { speed: Math.round(cue.speed) });
  return (
    <span className={styles.facts}>
      {!cue.violations.includes('tooFast') && <span>{speed}</span>}
      {cue.violations.map((rule) => (
        <span key={rule} data-violation>
          {rule === 'tooFast' ? `${speed}, ${violationText(rule)}` : violationText(rule)}
        </span>
      ))}
    </span>
  );
}

/** Returns the cues that an export with the last chosen options would write. */
function useCuePreview(language: string | null): CuePreview {
  const segments = useSession(({ draft }) => draft.segments);
  const names = useSession(({ draft }) => draft.speakers);
  const { subtitles, formats, speakers: namesSpeakers } = useWindowState((state) => state.settings.exporting);
  const ownRules = useWindowState((state) => state.settings.ownSubtitleRules);
  return useMemo(
    () =>
      new CuePreview(segments, {
        language,
        formats,
        layout: layoutOf(subtitles, ownRules),
        speakerOf: (index) => (namesSpeakers ? speakerName(segments[index]?.speaker ?? null, names) : null),
      }),
    [segments, names, language, formats, subtitles, ownRules, namesSpeakers],
  );
}
