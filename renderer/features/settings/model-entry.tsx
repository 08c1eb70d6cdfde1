import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SpeechModelView } from '../../../electron/contract/speech-models.ts';
import { runReportingErrors, notify } from '../../notices.ts';
import { Button, IconButton } from '../../ui/actions/button.tsx';
import { classes } from '../../ui/classes.ts';
import entries from '../../ui/list/entry-list.module.css';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/actions/menu.tsx';
import { problemText } from '../../ui/text/problem-text.ts';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useSend, useStore } from '../../use-store.ts';
import { speedText, modelStateText } from '../../ui/text/model-text.ts';
import { ModelDialog } from './model-dialog.tsx';
import styles from './models-section.module.css';

interface ModelEntryProps {
  readonly model: SpeechModelView;
}

/** One model with its state and actions. */
export function ModelEntry({ model }: ModelEntryProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { accuracy, state, sizeBytes } = model;
  const isReady = state.kind === 'ready';
  const [isChoosing, setChoosing] = useState(false);
  return (
    <li className={entries.entry} aria-label={t(`accuracy.${accuracy}`)}>
      <div className={styles.head}>
        <h3 className={entries.name}>{t(`accuracy.${accuracy}`)}</h3>
        <p className={classes(entries.quiet, styles.file)}>
          {[model.name, ...(sizeBytes > 0 ? [format.bytes(sizeBytes)] : [])].join(' · ')}
        </p>
        <p className={isReady ? styles.ready : entries.quiet}>{modelStateText(t, format, state)}</p>
        <ModelMenu model={model} />
      </div>
      <p className={entries.quiet}>{t(`accuracyMeaning.${accuracy}`)}</p>
      {isReady && <p className={entries.quiet}>{speedText(t, format, model)}</p>}
      {model.ownFolder !== null && (
        <p className={entries.quiet}>{t('models.inFolder', { folder: model.ownFolder })}</p>
      )}
      {model.translatesWith !== null && (
        <p className={entries.quiet}>{t('models.translatesWith', { name: model.translatesWith })}</p>
      )}
      <SetUpActions model={model} />
      <div className={entries.actions}>
        <Button
          aria-label={t('settings.actionOn', {
            action: t('models.choose.open'),
            name: t(`accuracy.${accuracy}`),
          })}
          onClick={() => setChoosing(true)}
        >
          {t('models.choose.open')}
        </Button>
      </div>
      <ModelDialog model={model} open={isChoosing} onClose={() => setChoosing(false)} />
      {/* Announced once per state, not with every byte. */}
      <p role="status" className="visually-hidden">
        {model.measuring ? t('models.measuring') : t(`models.announced.${state.kind}`, { name: model.name })}
      </p>
    </li>
  );
}

/** The actions for a model that cannot be used yet. */
function SetUpActions({ model }: ModelEntryProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const send = useSend();
  const { accuracy, state, sizeBytes, name } = model;
  const renderButton = (
    label: string,
    command: 'models.download' | 'models.stopDownload',
    isMain = false,
  ) => (
    <Button
      variant={isMain ? 'main' : 'standard'}
      aria-label={t('settings.actionOn', { action: label, name })}
      onClick={() => send(command, { accuracy })}
    >
      {label}
    </Button>
  );
  switch (state.kind) {
    case 'ready':
      return null;
    case 'downloading':
      return (
        <div className={styles.download}>
          <ProgressBar
            label={t('models.downloadOf', { name })}
            value={sizeBytes === 0 ? 0 : state.doneBytes / sizeBytes}
          />
          {renderButton(t('models.stop'), 'models.stopDownload')}
        </div>
      );
    case 'absent': {
      const label =
        state.keptBytes > 0
          ? t('models.resumeDownload')
          : t('models.download', { size: format.bytes(sizeBytes - state.keptBytes) });
      return <div className={entries.actions}>{renderButton(label, 'models.download', true)}</div>;
    }
    case 'failed':
      return (
        <>
          <p className={entries.bad}>{problemText(t, state.problem)}</p>
          <div className={entries.actions}>{renderButton(t('action.tryAgain'), 'models.download', true)}</div>
        </>
      );
    case 'unusable':
      return <p className={entries.bad}>{problemText(t, state.problem)}</p>;
  }
}

function ModelMenu({ model }: ModelEntryProps) {
  const { t } = useTranslation();
  const send = useSend();
  const { invoke } = useStore();
  const { accuracy, state, ownFolder } = model;
  const isDeletable =
    (state.kind === 'ready' && state.origin === 'downloaded') ||
    ('keptBytes' in state && state.keptBytes > 0);

  const choose = async (): Promise<void> => {
    const { chosen } = await invoke('models.chooseFolder', { accuracy });
    if (chosen) notify(t('models.folderUsed', { accuracy: t(`accuracy.${accuracy}`) }));
  };

  return (
    <Menu
      button={
        <IconButton aria-label={t('models.more', { name: t(`accuracy.${accuracy}`) })}>
          <Icon name="more" />
        </IconButton>
      }
    >
      {state.kind === 'ready' && (
        <MenuItem onClick={() => send('models.measure', { accuracy })}>{t('models.measure')}</MenuItem>
      )}
      <MenuItem onClick={() => runReportingErrors(choose)}>{t('models.chooseFolder')}</MenuItem>
      {ownFolder !== null && (
        <MenuItem onClick={() => send('models.forgetFolder', { accuracy })}>
          {t('models.forgetFolder')}
        </MenuItem>
      )}
      {isDeletable && (
        <>
          <MenuSeparator />
          <MenuItem danger onClick={() => send('models.delete', { accuracy })}>
            {t('models.delete')}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
