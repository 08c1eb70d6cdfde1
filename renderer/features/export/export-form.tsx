import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ExportFormat,
  exportFormats,
  type ExportScope,
  subtitleFormats,
  textStyles,
  wordFormats,
} from '../../../electron/contract/choices.ts';
import { Checkbox, RadioList, SegmentedControl } from '../../ui/form/choice.tsx';
import { ScrollGroup } from '../../ui/screen/scroll-group.tsx';
import styles from './export-form.module.css';
import { FormSection } from './form-section.tsx';
import { PresetSection, SubtitleSection } from './subtitle-section.tsx';
import { NameExamples, TemplateField } from './template-field.tsx';
import { runReportingErrors } from '../../notices.ts';
import { Button } from '../../ui/actions/button.tsx';
import { useStore } from '../../use-store.ts';
import type { ExportChoices, ExportPreview, FlaggedCue } from '../../../electron/contract/export.ts';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { SubtitleRules } from '../../../electron/contract/subtitle-rules.ts';

/**
 * All options of an export: formats, layout, what is exported and destination first, the others on request if they have an
 * effect.
 */
export function ExportForm(props: ExportFormProps) {
  const { ids, choices, rules, scope, onChoices, onRules, onScope, onShowCue } = props;
  const { t } = useTranslation();
  const { formats } = choices;
  const moreOptions = useRef<HTMLDetailsElement>(null);
  const hasAny = (...names: readonly ExportFormat[]): boolean => names.some((name) => formats.includes(name));
  const toggleFormat = (name: ExportFormat, isChecked: boolean): void =>
    onChoices({
      formats: exportFormats.filter((other) => (other === name ? isChecked : formats.includes(other))),
    });

  return (
    <ScrollGroup className={styles.form} label={t('export.choices')}>
      <FormSection title={t('export.formats')}>
        <div role="group" aria-label={t('export.formats')} className={styles.formats}>
          {exportFormats.map((name) => (
            <Checkbox
              key={name}
              checked={formats.includes(name)}
              note={t(`export.formatNote.${name}`)}
              onChange={(isChecked) => toggleFormat(name, isChecked)}
            >
              {t(`format.${name}`)}
            </Checkbox>
          ))}
        </div>
      </FormSection>
      {hasAny(...subtitleFormats) && (
        <PresetSection
          preset={choices.subtitles}
          onPreset={(subtitles) => {
            onChoices({ subtitles });
            // The fields for the user's own rules are among the other options.
            if (subtitles === 'own') moreOptions.current?.setAttribute('open', '');
          }}
        />
      )}
      {formats.length > 0 && (
        <FormSection title={t('export.content')}>
          <Checkbox checked={scope.highlightsOnly} onChange={(highlightsOnly) => onScope({ highlightsOnly })}>
            {t('export.highlightsOnly')}
          </Checkbox>
          {hasAny('md', 'docx', 'json') && (
            <Checkbox checked={scope.notes} onChange={(notes) => onScope({ notes })}>
              {t('export.notes')}
            </Checkbox>
          )}
        </FormSection>
      )}
      <DestinationSection {...props} />
      <details ref={moreOptions} className={styles.more}>
        <summary>{t('export.moreOptions')}</summary>
        <div className={styles.sections}>
          {hasAny(...subtitleFormats) && (
            <SubtitleSection
              ids={ids}
              choices={choices}
              highlightsOnly={scope.highlightsOnly}
              rules={rules}
              onRules={onRules}
              onShowCue={onShowCue}
            />
          )}
          {formats.length > 0 && (
            <FormSection title={t('export.formatOptions')}>
              {hasAny('txt', 'md', 'docx') && (
                <div className={styles.line}>
                  <span>{t('export.text')}</span>
                  <SegmentedControl
                    label={t('export.text')}
                    name="export-text"
                    value={choices.text}
                    options={textStyles.map((value) => ({ value, label: t(`export.textStyle.${value}`) }))}
                    onChange={(text) => onChoices({ text })}
                  />
                </div>
              )}
              {hasAny('md', 'docx') && choices.text !== 'times' && (
                <Checkbox checked={choices.times} onChange={(times) => onChoices({ times })}>
                  {t('export.times')}
                </Checkbox>
              )}
              <Checkbox checked={choices.speakers} onChange={(speakers) => onChoices({ speakers })}>
                {t('export.speakers')}
              </Checkbox>
              {hasAny(...wordFormats) && (
                <Checkbox checked={choices.words} onChange={(words) => onChoices({ words })}>
                  {t('export.words')}
                </Checkbox>
              )}
            </FormSection>
          )}
          <NameSection {...props} />
        </div>
      </details>
    </ScrollGroup>
  );
}

type NameSectionProps = Pick<ExportFormProps, 'choices' | 'preview' | 'onChoices'>;

/** The file name template with the first few names that it makes. */
function NameSection({ choices, preview, onChoices }: NameSectionProps) {
  const { t } = useTranslation();
  const { template } = choices;

  return (
    <FormSection title={t('export.names')}>
      <TemplateField template={template} onChange={(next) => onChoices({ template: next })} />
      <div className={styles.preview} role="status" aria-label={t('export.preview')}>
        {preview !== null && preview.files > 0 && (
          <>
            <NameExamples names={preview.examples} />
            <span className={styles.quiet}>
              {preview.files > preview.examples.length &&
                `${t('export.more', { count: preview.files - preview.examples.length })} `}
              {preview.folder !== null &&
                t(choices.where === 'beside' ? 'export.inFolders' : 'export.inFolder', {
                  folder: preview.folder,
                })}
            </span>
          </>
        )}
      </div>
    </FormSection>
  );
}

type DestinationSectionProps = Pick<ExportFormProps, 'choices' | 'folder' | 'onChoices'>;

/** Where the files are saved: next to their recordings, or in one folder. */
function DestinationSection({ choices, folder, onChoices }: DestinationSectionProps) {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const chooseFolder = (): void =>
    runReportingErrors(async () => {
      const chosen = await invoke('export.chooseFolder', undefined);
      if (chosen.folder !== null) onChoices({ where: 'folder' });
    });

  return (
    <FormSection title={t('export.destination')}>
      <RadioList
        label={t('export.destination')}
        name="export-destination"
        value={choices.where}
        options={[
          { value: 'beside', label: t('export.beside') },
          {
            value: 'folder',
            label: t('export.folder'),
            note: folder ?? t('export.noFolder'),
          },
        ]}
        onChange={(where) => {
          if (where === 'folder' && folder === null) chooseFolder();
          else onChoices({ where });
        }}
      />
      {choices.where === 'folder' && (
        <Button className={styles.own} onClick={chooseFolder}>
          {t('export.chooseFolder')}
        </Button>
      )}
    </FormSection>
  );
}

/** The choices of an export, and the callbacks that change them. */
export interface ExportFormProps {
  readonly ids: readonly TranscriptId[];
  readonly choices: ExportChoices;
  readonly rules: SubtitleRules;
  readonly scope: ExportScope;
  readonly folder: string | null;
  /** `null` until the first response. */
  readonly preview: ExportPreview | null;
  readonly onChoices: (patch: Partial<ExportChoices>) => void;
  readonly onRules: (rules: SubtitleRules) => void;
  readonly onScope: (patch: Partial<ExportScope>) => void;
  readonly onShowCue: (cue: FlaggedCue) => void;
}
