import { useTranslation } from 'react-i18next';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import type { JobOptions } from '../../../electron/contract/options.ts';
import { Checkbox, SegmentedControl } from '../../ui/form/choice.tsx';
import { Combobox } from '../../ui/form/combobox.tsx';
import { useLanguageOptions } from '../../ui/text/use-language-options.ts';
import { SpeakerModelsNote } from '../speakers/speaker-models-note.tsx';
import { SpeakersSelect } from '../speakers/speakers-select.tsx';
import styles from './job-options.module.css';
import { TermsButton } from './terms-dialog.tsx';
import { useTermsHint } from '../../ui/text/use-terms-hint.ts';
import { accuracies } from '../../../electron/contract/choices.ts';

export interface JobOptionsFieldsProps {
  /** What the options apply to: "all", or "the 3 selected". */
  readonly title: string;
  /** The chosen options; those that differ between recordings are absent. */
  readonly options: Partial<JobOptions>;
  readonly onChange: (patch: Partial<JobOptions>) => void;
  /** The services that the recordings are sent to. */
  readonly services: readonly ServiceAddress[];
  /** Whether the fields are stacked and have no heading, for a dialog that has its own. */
  readonly inDialog?: boolean;
  /** Whether the options apply to the selected recordings only: then the fields look different. */
  readonly isForSelection?: boolean;
  /** Whether `children` say what the options apply to. */
  readonly isTitleHidden?: boolean;
  /** Distinguishes radio groups. */
  readonly name: string;
  readonly children?: React.ReactNode;
}

/** Fields for language, accuracy, speakers and translation, with explanations. */
export function JobOptionsFields(props: JobOptionsFieldsProps) {
  const {
    title,
    options,
    onChange,
    services,
    name,
    inDialog = false,
    isForSelection = false,
    isTitleHidden = false,
    children,
  } = props;
  const { t } = useTranslation();
  const languages = useLanguageOptions();
  const { accuracy, terms } = options;
  const termsHint = useTermsHint(services, accuracy);
  const termsButton = (
    <TermsButton
      key={name}
      hint={termsHint}
      terms={terms}
      isInHeading={!inDialog}
      onChange={(list) => onChange({ terms: list })}
    />
  );

  return (
    <section
      className={inDialog ? styles.stacked : styles.options}
      data-selection={isForSelection || undefined}
      aria-label={title}
    >
      {!inDialog && (
        <div className={styles.head}>
          <h3 className={isTitleHidden ? 'visually-hidden' : styles.title}>{title}</h3>
          {children}
          {termsButton}
        </div>
      )}
      <div className={styles.fields}>
        <div className={styles.language}>
          <Combobox
            label={t('settings.language')}
            placeholder={t('addSheet.differs')}
            value={options.language ?? null}
            options={languages}
            onChange={(language) => onChange({ language })}
          />
        </div>
        <div className={styles.accuracy}>
          <span className={styles.label}>{t('settings.accuracy')}</span>
          <SegmentedControl
            label={t('settings.accuracy')}
            name={`accuracy-${name}`}
            value={accuracy ?? ''}
            options={accuracies.map((value) => ({ value, label: t(`accuracy.${value}`) }))}
            onChange={(value) => {
              const chosen = accuracies.find((candidate) => candidate === value);
              if (chosen !== undefined) onChange({ accuracy: chosen });
            }}
          />
        </div>
        <p className={styles.explanation} role="status">
          {accuracy === undefined ? t('addSheet.differs') : t(`accuracyMeaning.${accuracy}`)}
        </p>
        <div className={styles.speakers}>
          <SpeakersSelect value={options.speakers ?? null} onChange={(speakers) => onChange({ speakers })} />
        </div>
        <div className={styles.translate}>
          <Checkbox
            checked={options.translateToEnglish ?? false}
            onChange={(translateToEnglish) => onChange({ translateToEnglish })}
          >
            {t('settings.translate')}
          </Checkbox>
        </div>
        <div className={styles.modelsNote}>
          <SpeakerModelsNote speakers={options.speakers} />
        </div>
        {inDialog && termsButton}
        {termsHint !== undefined && terms?.length !== 0 && (
          <p className={styles.termsHint} role="status">
            {termsHint}
          </p>
        )}
      </div>
    </section>
  );
}

/** Returns the options that several rows have in common. */
export function commonOptionsOf(all: readonly JobOptions[]): Partial<JobOptions> {
  const [first] = all;
  if (first === undefined) return {};
  const same = Object.entries(first).filter(([name, value]) =>
    all.every((options) => JSON.stringify(options[name as keyof JobOptions]) === JSON.stringify(value)),
  );
  return Object.fromEntries(same);
}
