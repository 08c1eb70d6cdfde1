import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CommandInput } from '../../../electron/contract/commands.ts';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import type { WatchedFolder } from '../../../electron/contract/watched-folder-commands.ts';
import { runReportingErrors, notify } from '../../notices.ts';
import { useSend, useStore, useWindowState } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Checkbox } from '../../ui/form/choice.tsx';
import { Select } from '../../ui/form/select.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import entries from '../../ui/list/entry-list.module.css';
import { problemText } from '../../ui/text/problem-text.ts';
import { useServiceName } from '../../ui/text/use-service-name.ts';
import { Section } from './section.tsx';
import { useCreditLimit } from './use-credit-limit.ts';
import styles from './watch-section.module.css';

/** The folders whose new recordings are added automatically. */
export function WatchSection() {
  const { t } = useTranslation();
  const { invoke, bridge } = useStore();
  const [folders, setFolders] = useState<readonly WatchedFolder[]>([]);
  const [addExisting, setAddPresent] = useState(false);

  useEffect(() => {
    runReportingErrors(async () => setFolders(await invoke('watch.list', undefined)));
    return bridge.on('watch.changed', setFolders);
  }, [invoke, bridge]);

  return (
    <Section title={t('watch.title')} note={t('watch.note')}>
      {folders.length > 0 && (
        <ul className={entries.list} aria-label={t('watch.list')}>
          {folders.map((folder) => (
            <Folder key={folder.id} folder={folder} onFolders={setFolders} />
          ))}
        </ul>
      )}
      <div className={styles.add}>
        <Button
          onClick={() =>
            runReportingErrors(async () => setFolders(await invoke('watch.pick', { addExisting })))
          }
        >
          {t('watch.add')}
        </Button>
        <Checkbox checked={addExisting} onChange={setAddPresent} note={t('watch.lead')}>
          {t('watch.addExisting')}
        </Checkbox>
      </div>
    </Section>
  );
}

interface FolderProps {
  readonly folder: WatchedFolder;
  readonly onFolders: (folders: readonly WatchedFolder[]) => void;
}

function Folder({ folder, onFolders }: FolderProps) {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const send = useSend();
  const [isEditingLimit, setIsEditingLimit] = useState(false);
  // A limit only makes sense with a paid account.
  const mayCost = useWindowState(({ settings }) => settings.accounts.length > 0);
  const { id, name, path, polled, state, creditLimit, postponedCount, tooExpensiveCount } = folder;
  const labelOf = (action: string): string => t('settings.actionOn', { action, name });
  const change = (patch: Omit<CommandInput<'watch.change'>, 'id'>): void =>
    runReportingErrors(async () => onFolders(await invoke('watch.change', { id, ...patch })));
  const remove = async (): Promise<void> => {
    onFolders(await invoke('watch.remove', { id }));
    notify(t('watch.removed', { name }));
  };
  const pauseLabel = t(state.kind === 'paused' ? 'watch.resume' : 'watch.pause');

  return (
    <li className={entries.entry}>
      <p className={entries.name}>{name}</p>
      <p className={entries.quiet}>{path}</p>
      <p
        role="status"
        className={
          state.kind === 'unavailable' || postponedCount + tooExpensiveCount > 0
            ? entries.warn
            : entries.quiet
        }
      >
        <FolderState folder={folder} />
      </p>
      {creditLimit !== null && (
        <p className={entries.quiet}>{t('settings.creditLimitSet', { count: creditLimit })}</p>
      )}
      <FolderService folder={folder} onFolders={onFolders} />
      <Checkbox checked={polled} onChange={(isChecked) => change({ polled: isChecked })}>
        {t('watch.polled')}
      </Checkbox>
      {isEditingLimit ? (
        <LimitForm
          limit={creditLimit}
          onSave={(limit) => change({ creditLimit: limit })}
          onClose={() => setIsEditingLimit(false)}
        />
      ) : (
        <div className={entries.actions}>
          <Button
            aria-label={labelOf(pauseLabel)}
            onClick={() => change({ paused: state.kind !== 'paused' })}
          >
            {pauseLabel}
          </Button>
          <Button aria-label={labelOf(t('watch.show'))} onClick={() => send('watch.show', { id })}>
            {t('watch.show')}
          </Button>
          {(mayCost || creditLimit !== null) && (
            <Button aria-label={labelOf(t('watch.limit'))} onClick={() => setIsEditingLimit(true)}>
              {t('watch.limit')}
            </Button>
          )}
          <Button aria-label={labelOf(t('watch.remove'))} onClick={() => runReportingErrors(remove)}>
            {t('watch.remove')}
          </Button>
        </div>
      )}
    </li>
  );
}

/** Says where the recordings of a folder are transcribed, and lets the user change it if there is a choice. */
function FolderService({ folder: { id, name, service }, onFolders }: FolderProps) {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const nameOf = useServiceName();
  const accounts = useWindowState(({ settings }) => settings.accounts);
  const services = new Set<ServiceAddress>(['on-device', ...accounts, service]);
  if (services.size === 1) return <p className={entries.quiet}>{t('watch.onDevice')}</p>;
  const changeService = async (chosen: ServiceAddress): Promise<void> => {
    onFolders(await invoke('watch.change', { id, service: chosen }));
    notify(
      chosen === 'on-device'
        ? t('watch.usesOnDevice', { folder: name })
        : t('watch.usesAccount', { folder: name, name: nameOf(chosen) }),
    );
  };
  return (
    <div className={styles.service}>
      <span aria-hidden="true">{t('watch.service')}</span>
      <Select
        compact
        label={t('settings.actionOn', { action: t('watch.service'), name })}
        value={service}
        options={[...services].map((value) => ({ value, label: nameOf(value) }))}
        onChange={(chosen) => runReportingErrors(() => changeService(chosen))}
      />
    </div>
  );
}

interface LimitFormProps {
  readonly limit: number | null;
  readonly onSave: (limit: number | null) => void;
  readonly onClose: () => void;
}

function LimitForm({ limit, onSave, onClose }: LimitFormProps) {
  const { t } = useTranslation();
  const { field, read } = useCreditLimit(limit);
  useEffect(() => field.ref.current?.focus(), [field.ref]);
  const save = (): void => {
    const credits = read();
    if (credits === undefined) return;
    onSave(credits);
    onClose();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextField
        {...field}
        hint={t('watch.limitHint')}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      />
      <div className={entries.actions}>
        <Button type="submit" variant="main">
          {t('action.save')}
        </Button>
        <Button onClick={onClose}>{t('action.cancel')}</Button>
      </div>
    </form>
  );
}

function FolderState({
  folder: { state, addedCount, duplicateCount, incompleteCount, ...counts },
}: Pick<FolderProps, 'folder'>) {
  const { t } = useTranslation();
  const { postponedCount, unmeasuredCount, tooExpensiveCount } = counts;
  if (state.kind === 'unavailable')
    return state.problem.code === 'path_missing' ? t('watch.unavailable') : problemText(t, state.problem);
  const parts = [
    t(`watch.${state.kind}`),
    t('watch.added', { count: addedCount }),
    ...(duplicateCount > 0 ? [t('watch.known', { count: duplicateCount })] : []),
    ...(incompleteCount > 0 ? [t('watch.incomplete', { count: incompleteCount })] : []),
    ...(postponedCount > 0 ? [t('watch.postponed', { count: postponedCount })] : []),
    ...(unmeasuredCount > 0 ? [t('watch.unmeasured', { count: unmeasuredCount })] : []),
    ...(tooExpensiveCount > 0 ? [t('watch.tooExpensive', { count: tooExpensiveCount })] : []),
  ];
  return parts.join(' · ');
}
