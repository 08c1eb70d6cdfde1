import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Accuracy } from '../../../electron/contract/choices.ts';
import type { ModelOption, ModelOptions, SpeechModelView } from '../../../electron/contract/speech-models.ts';
import { runReportingErrors, notify } from '../../notices.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import entries from '../../ui/list/entry-list.module.css';
import { checkReport, modelFactsText } from '../../ui/text/model-option-text.ts';
import { modelStateText } from '../../ui/text/model-text.ts';
import { problemText } from '../../ui/text/problem-text.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import { useSend, useStore, useWindowState } from '../../use-store.ts';
import styles from './models-section.module.css';

interface ModelDialogProps {
  /** The model in use. */
  readonly model: SpeechModelView;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** The published models that an accuracy can use, with what each is good at. */
export function ModelDialog({ model, open, onClose }: ModelDialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { invoke } = useStore();
  // A change of any model requests the options again.
  const models = useWindowState((state) => state.models);
  const [modelOptions, setModelOptions] = useState<ModelOptions | null>(null);
  useEffect(() => {
    if (open && models.length > 0)
      runReportingErrors(async () => setModelOptions(await invoke('models.options', undefined)));
  }, [invoke, open, models]);
  return (
    <Dialog
      wide
      open={open && modelOptions !== null}
      onClose={onClose}
      title={t('models.choose.title', { accuracy: t(`accuracy.${model.accuracy}`) })}
      note={t('models.choose.note', { free: format.bytes(modelOptions?.freeBytes ?? 0) })}
      actions={<Button onClick={onClose}>{t('action.close')}</Button>}
    >
      <ul className={styles.options}>
        {modelOptions?.options.map((option) => (
          <Option
            key={option.id}
            accuracy={model.accuracy}
            option={option}
            inUse={model.ownFolder === null && model.id === option.id}
          />
        ))}
      </ul>
    </Dialog>
  );
}

interface OptionProps {
  readonly accuracy: Accuracy;
  readonly option: ModelOption;
  readonly inUse: boolean;
}

/** One model: what it is good at, its state on this computer, and what can be done with it. */
function Option({ accuracy, option, inUse }: OptionProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { id, name, sizeBytes, state, check, checking } = option;
  const isReady = state.kind === 'ready' && check?.passed !== false;
  const status = checking
    ? t('models.choose.checking')
    : inUse
      ? t('models.choose.inUse')
      : modelStateText(t, format, state);
  return (
    <li className={entries.entry} aria-label={name}>
      <div className={styles.head}>
        <h3 className={entries.name}>{name}</h3>
        <p className={`${entries.quiet} ${styles.file}`}>{format.bytes(sizeBytes)}</p>
        <p role="status" className={isReady ? styles.ready : entries.quiet}>
          {status}
        </p>
      </div>
      <p className={entries.quiet}>{t(`models.about.${id}`)}</p>
      <p className={entries.quiet}>{modelFactsText(t, format, option)}</p>
      {state.kind === 'failed' && <p className={entries.bad}>{problemText(t, state.problem)}</p>}
      <CheckResult option={option} />
      <Actions accuracy={accuracy} option={option} inUse={inUse} />
    </li>
  );
}

/** The result of the model's check: how well it transcribed a recording whose text is known. */
function CheckResult({ option }: Pick<OptionProps, 'option'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const { invoke } = useStore();
  const { check } = option;
  if (check === null) return null;
  const copy = async (): Promise<void> => {
    await invoke('transcript.copy', { text: checkReport(t, format, option, check) });
    notify(t('models.choose.copied'));
  };
  return (
    <p className={check.passed ? entries.quiet : entries.bad}>
      {check.passed
        ? t('models.choose.passed', { share: format.percent(check.errorRate) })
        : t(check.failure === null ? 'models.choose.failed' : 'models.choose.cannotRun')}{' '}
      <Button variant="plain" onClick={() => runReportingErrors(copy)}>
        {t('models.choose.copy')}
      </Button>
    </p>
  );
}

function Actions({ accuracy, option, inUse }: OptionProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const send = useSend();
  const { id: model, name, sizeBytes, state, checking } = option;
  const renderButton = (label: string, onClick: () => void) => (
    <Button aria-label={t('settings.actionOn', { action: label, name })} onClick={onClick}>
      {label}
    </Button>
  );
  if (state.kind === 'downloading') {
    return (
      <div className={styles.download}>
        <ProgressBar label={t('models.downloadOf', { name })} value={state.doneBytes / sizeBytes} />
        {renderButton(t('models.stop'), () => send('models.stopDownload', { accuracy, model }))}
      </div>
    );
  }
  if (checking) return null;
  const keptBytes = 'keptBytes' in state ? state.keptBytes : 0;
  const isDeletable = keptBytes > 0 || (state.kind === 'ready' && state.origin === 'downloaded');
  const useLabel =
    state.kind === 'ready'
      ? t('models.choose.use')
      : keptBytes > 0
        ? t('models.choose.resume')
        : t('models.choose.download', { size: format.bytes(sizeBytes) });
  if (inUse && !isDeletable && state.kind === 'ready') return null;
  return (
    <div className={entries.actions}>
      {!(inUse && state.kind === 'ready') &&
        renderButton(useLabel, () => send('models.use', { accuracy, model }))}
      {isDeletable && renderButton(t('models.delete'), () => send('models.delete', { accuracy, model }))}
    </div>
  );
}
