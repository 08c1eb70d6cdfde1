import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExportReport } from '../../../electron/contract/export.ts';
import type { ExistingFiles } from '../../../electron/contract/choices.ts';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import { exportWords, notifyExported, notifyError } from '../../notices.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { useSend, useStore, useWindow } from '../../use-store.ts';
import { ExportForm } from './export-form.tsx';
import { ReportList } from './export-report.tsx';
import { RunningExport } from './running-export.tsx';
import { useExportPreview } from './use-export-preview.ts';

export interface ExportSheetProps {
  readonly open: boolean;
  readonly ids: readonly TranscriptId[];
  readonly onClose: () => void;
}

type Phase =
  | { readonly kind: 'choosing' }
  | { readonly kind: 'running' }
  | { readonly kind: 'done'; readonly report: ExportReport };

/** What is saved of some transcripts, how and where to; then how far that has come, and what came of it. */
export function ExportSheet({ open, ids, onClose }: ExportSheetProps) {
  const { t } = useTranslation();
  const { ask, change } = useStore();
  const send = useSend();
  const settings = useWindow((state) => state.settings);
  const [choices, setChoices] = useState(settings.exporting);
  const [rules, setRules] = useState(settings.ownSubtitleRules);
  const [existing, setExisting] = useState<ExistingFiles>(settings.exporting.existing);
  const [phase, setPhase] = useState<Phase>({ kind: 'choosing' });
  const preview = useExportPreview(ids, choices, settings.exportFolder);

  const isOpen = useRef(open);
  useEffect(() => {
    isOpen.current = open;
  }, [open]);

  const needsFolder = choices.where === 'folder' && settings.exportFolder === null;
  const files = needsFolder ? 0 : (preview?.files ?? 0);

  const run = async (): Promise<void> => {
    setPhase({ kind: 'running' });
    try {
      const exporting = { ...choices, existing: existing === 'replace' ? choices.existing : existing };
      const patch = { exporting: { ...exporting, formats: [...exporting.formats] }, ownSubtitleRules: rules };
      change({ settings: await ask('settings.change', patch) });
      const report = await ask('export.run', { ...patch.exporting, ids: [...ids], existing });
      setPhase({ kind: 'done', report });
      if (!isOpen.current) notifyExported(report);
    } catch (error) {
      setPhase({ kind: 'choosing' });
      notifyError(error);
    }
  };

  if (phase.kind === 'done') {
    return (
      <Dialog
        open={open}
        onClose={onClose}
        title={exportWords(t, phase.report)}
        actions={
          <>
            {phase.report.count > 0 && (
              <Button onClick={() => send('export.showInFolder', undefined)}>
                {t('export.showInFolder')}
              </Button>
            )}
            <Button look="main" onClick={onClose}>
              {t('action.close')}
            </Button>
          </>
        }
      >
        <ReportList report={phase.report} />
      </Dialog>
    );
  }
  if (phase.kind === 'running') {
    return (
      <Dialog
        open={open}
        onClose={onClose}
        title={t('export.running')}
        note={t('export.runningNote')}
        actions={<Button onClick={() => send('export.cancel', undefined)}>{t('export.stop')}</Button>}
      >
        <RunningExport total={files} />
      </Dialog>
    );
  }
  return (
    <Dialog
      wide
      open={open}
      onClose={onClose}
      title={t('export.title', { count: ids.length })}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="main" disabled={files === 0} onClick={() => void run()}>
            {t('export.save', { count: files })}
          </Button>
        </>
      }
    >
      <ExportForm
        ids={ids}
        choices={choices}
        rules={rules}
        existing={existing}
        folder={settings.exportFolder}
        preview={preview}
        onChoices={(patch) => setChoices({ ...choices, ...patch })}
        onRules={setRules}
        onExisting={setExisting}
      />
    </Dialog>
  );
}
