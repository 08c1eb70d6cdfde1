import { useEffect, useId, useRef, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { runReportingErrors } from '../../notices.ts';
import { useStore, useWindowState } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { StartProblems } from '../frame/banners.tsx';
import { CloudForm } from '../settings/cloud-form.tsx';
import { speedText } from '../../ui/text/model-text.ts';
import styles from './welcome-screen.module.css';
import { Icon } from '../../ui/icon.tsx';

/** The first screen of a new user: chooses where recordings are transcribed. */
export function WelcomeScreen() {
  const { t } = useTranslation();
  const store = useStore();
  const waiting = useWindowState(({ addSheet, queue: { summary } }) => {
    // Items that are done do not count: the command line may have added and finished some.
    const { working, waiting: queued, attention } = summary.counts;
    return working + queued + attention + (addSheet?.summary.chosen.recordings ?? 0);
  });
  const [choice, setChoice] = useState<'on-device' | 'cloud'>('on-device');
  const modelPoints = useModelPoints();
  const formId = useId();
  const firstRadio = useRef<HTMLInputElement>(null);
  // Focus the choice, so that Enter accepts it.
  useEffect(() => firstRadio.current?.focus(), []);

  const start = async (): Promise<void> => {
    store.change({ settings: await store.invoke('accounts.use', { service: 'on-device' }) });
  };

  return (
    <main className={styles.screen}>
      <StartProblems />
      <div className={styles.sheet}>
        <header>
          <p className={styles.brand}>{t('app.name')}</p>
          <h1 className={styles.title}>{t('welcome.title')}</h1>
          <p className={styles.subtitle}>{t('welcome.subtitle')}</p>
        </header>
        <div role="radiogroup" aria-label={t('welcome.legend')} className={styles.cards}>
          <ServiceCard
            title={t('welcome.onDevice')}
            lead={t('welcome.onDeviceLead')}
            points={[
              t('welcome.onDevicePoints.private'),
              t('welcome.onDevicePoints.offline'),
              ...modelPoints,
            ]}
            recommended
            form={formId}
            ref={firstRadio}
            checked={choice === 'on-device'}
            onChoose={() => setChoice('on-device')}
          />
          <ServiceCard
            title={t('welcome.cloud')}
            lead={t('welcome.cloudLead')}
            points={[
              t('welcome.cloudPoints.send'),
              t('welcome.cloudPoints.price'),
              t('welcome.cloudPoints.key'),
            ]}
            form={formId}
            checked={choice === 'cloud'}
            onChoose={() => setChoice('cloud')}
          />
        </div>
        <div className={styles.next}>
          {/* Radio buttons of one group belong to one form. */}
          <form
            id={formId}
            onSubmit={(event) => {
              event.preventDefault();
              if (choice === 'on-device') runReportingErrors(start);
            }}
          >
            {choice === 'on-device' && (
              <Button type="submit" variant="main" className={styles.start}>
                {t('welcome.start')}
              </Button>
            )}
          </form>
          {choice === 'cloud' && <CloudForm purpose="first-service" />}
          {waiting > 0 && <p className={styles.subtitle}>{t('welcome.waiting', { count: waiting })}</p>}
        </div>
      </div>
    </main>
  );
}

/** Returns which model the on-device service uses, and its speed if that is measured or being measured. */
function useModelPoints(): readonly string[] {
  const { t } = useTranslation();
  const format = useFormat();
  const accuracy = useWindowState((state) => state.settings.options.accuracy);
  const model = useWindowState((state) => state.models).find((candidate) => candidate.accuracy === accuracy);
  if (model === undefined) return [];
  const values = { model: model.name, size: format.bytes(model.sizeBytes) };
  if (model.state.kind !== 'ready') return [t('welcome.onDevicePoints.modelMissing', values)];
  const hasSpeedText = model.measuring || model.speed !== null;
  return [t('welcome.onDevicePoints.model', values), ...(hasSpeedText ? [speedText(t, format, model)] : [])];
}

export interface ServiceCardProps {
  readonly title: string;
  readonly lead: string;
  readonly points: readonly string[];
  /** Whether this is the recommended service. */
  readonly recommended?: boolean;
  /** The ID of the form that Enter submits. */
  readonly form: string;
  readonly ref?: Ref<HTMLInputElement>;
  readonly checked: boolean;
  readonly onChoose: () => void;
}

/** A service to choose, with its consequences. */
export function ServiceCard(props: ServiceCardProps) {
  const { title, lead, points, recommended = false, checked, onChoose, ...field } = props;
  const id = useId();
  return (
    <label className={styles.card}>
      <input
        {...field}
        type="radio"
        name="service"
        className={styles.radio}
        checked={checked}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-about`}
        onChange={onChoose}
      />
      <span id={`${id}-title`} className={styles.cardTitle}>
        {title}
      </span>
      <span id={`${id}-about`} className={styles.about}>
        <span className={styles.lead}>{lead}</span>
        {points.map((point) => (
          <span key={point} className={styles.point} data-recommended={recommended || undefined}>
            <Icon name={recommended ? 'check' : 'dot'} />
            {point}
          </span>
        ))}
      </span>
    </label>
  );
}
