import { useCallback, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackupContents } from '../../../../electron/contract/model/backup.ts';
import { later } from '../../../later.tsx';
import { notices, notify } from '../../../notices.ts';
import { useFormat } from '../../../ui/use-format.ts';
import { useSend, useStore } from '../../../use-store.ts';
import { TaskDialog } from './task-dialog.tsx';
import { usePhases, type Shown } from './use-phases.ts';

const RestoreDialog = later(async () => (await import('./restore-dialog.tsx')).RestoreDialog);

export interface Backups {
  readonly write: () => void;
  readonly restore: () => void;
  readonly dialogs: ReactNode;
}

type Phase =
  | { readonly kind: 'writing' | 'opening' | 'restoring' }
  | { readonly kind: 'choosing'; readonly contents: BackupContents };

/** Milliseconds that the way to a backup stays on offer. */
const stay = 12_000;

/** Backs the whole library up and restores it, with what the window shows meanwhile. */
export function useBackups(): Backups {
  const { t } = useTranslation();
  const { ask } = useStore();
  const send = useSend();
  const format = useFormat();
  const { shown, show, close, during } = usePhases<Phase>();

  const write = useCallback(() => {
    void during({ kind: 'writing' }, async () => {
      const backup = await ask('backup.write', undefined);
      if (backup === null) return;
      const { count, name, sizeBytes } = backup;
      notices.add({
        title: t('backup.written', { count }),
        description: t('backup.file', { name, size: format.bytes(sizeBytes) }),
        timeout: stay,
        data: { action: { label: t('backup.show'), run: () => send('backup.show', undefined) } },
      });
    });
  }, [ask, during, format, send, t]);

  const restore = useCallback(() => {
    void during({ kind: 'opening' }, async () => {
      const contents = await ask('backup.open', undefined);
      if (contents !== null) show({ kind: 'choosing', contents });
    });
  }, [ask, during, show]);

  const add = useCallback(() => {
    void during({ kind: 'restoring' }, async () => {
      const { added, beside, cancelled } = await ask('backup.restore', undefined);
      const title = t(cancelled ? 'backup.stopped' : 'backup.restored', { count: added + beside });
      notify(title, beside > 0 ? t('backup.beside', { count: beside }) : undefined);
    });
  }, [ask, during, t]);

  const dialogs = shown !== null && (
    <BackupDialog
      key={shown.serial}
      shown={shown}
      onClose={() => {
        close();
        if (shown.phase.kind === 'choosing') send('backup.leave', undefined);
      }}
      onRestore={add}
    />
  );
  return { write, restore, dialogs };
}

interface BackupDialogProps {
  readonly shown: Shown<Phase>;
  readonly onClose: () => void;
  readonly onRestore: () => void;
}

function BackupDialog({ shown: { phase, open }, onClose, onRestore }: BackupDialogProps) {
  const { t } = useTranslation();
  if (phase.kind === 'choosing') {
    return <RestoreDialog open={open} contents={phase.contents} onClose={onClose} onRestore={onRestore} />;
  }
  return (
    <TaskDialog
      open={open}
      onClose={onClose}
      task={phase.kind === 'writing' ? 'backup' : 'restore'}
      title={t(`backup.${phase.kind}`)}
    />
  );
}
