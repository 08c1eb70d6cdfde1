import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AddSheetView } from '../../../electron/contract/add-sheet-commands.ts';
import { hasOnlyTranscripts } from '../../../electron/contract/sheet-transcripts.ts';
import { exportFormats, type ExportFormat } from '../../../electron/contract/choices.ts';
import { runReportingErrors, notifyAdded } from '../../notices.ts';
import { useSend, useStore, useWindowState } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Menu, MenuCheckItem, MenuSeparator } from '../../ui/actions/menu.tsx';
import { Checkbox } from '../../ui/form/choice.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { openModals } from '../../ui/dialog/open-modals.ts';
import styles from './add-sheet.module.css';

export interface AddSheetFooterProps {
  readonly view: AddSheetView;
  readonly onClose: () => void;
  readonly onImport: () => void;
}

/** Says what is saved of each recording, with the button that starts, or imports if there are only transcripts. */
export function AddSheetFooter({ view, onClose, onImport }: AddSheetFooterProps) {
  const { t } = useTranslation();
  const store = useStore();
  const send = useSend();
  const setting = useWindowState((state) => state.settings.addWithoutAsking);
  const [addWithoutAsking, setAddWithoutAsking] = useState(setting);
  const settingsFormats = useWindowState((state) => state.settings.autoExportFormats);
  // A paused queue starts nothing.
  const isPaused = useWindowState((state) => state.queue.summary.paused);
  const { phase, chosen, formats, service } = view.summary;
  const { recordings } = chosen;
  if (hasOnlyTranscripts(view.summary))
    return <ImportFooter count={view.summary.transcripts.toImport} onClose={onClose} onImport={onImport} />;
  const start = async (): Promise<void> => {
    const added = await store.invoke('addSheet.addChosen', undefined);
    // The setting is stored only when recordings are added: closing the sheet changes none.
    if (addWithoutAsking !== setting) send('settings.change', { addWithoutAsking });
    notifyAdded(added, store);
  };
  return (
    <footer className={styles.foot}>
      <div className={styles.choices}>
        <SavedFormats
          formats={formats ?? settingsFormats}
          onChange={(next) => send('addSheet.setFormats', { formats: [...next] })}
        />
        <div className={styles.askBeforeAdding}>
          <Checkbox checked={addWithoutAsking} onChange={setAddWithoutAsking}>
            {t('addSheet.withoutAsking')}
          </Checkbox>
        </div>
      </div>
      <span className={styles.privacyNote}>
        {/* On this computer there is nothing to send or to charge. */}
        {service !== 'on-device' && t('addSheet.promise')}
      </span>
      <Button onClick={onClose}>{t('addSheet.close')}</Button>
      <Button
        variant="main"
        // The label must not promise fewer recordings than are still being found.
        disabled={recordings === 0 || phase === 'scanning'}
        onClick={() => runReportingErrors(start)}
      >
        {t(isPaused ? 'addSheet.add' : 'addSheet.start', { count: recordings })}
      </Button>
    </footer>
  );
}

interface ImportFooterProps extends Pick<AddSheetFooterProps, 'onClose' | 'onImport'> {
  readonly count: number;
}

function ImportFooter({ count, onClose, onImport }: ImportFooterProps) {
  const { t } = useTranslation();
  const main = useRef<HTMLButtonElement>(null);
  // The sheet opens without a click, and has no list for the keyboard to continue in. What had the focus may still have it:
  // the browser takes it from a hidden screen only with the next frame.
  useEffect(() => {
    const sheet = main.current?.closest('[role=dialog]');
    if (!openModals.isOpen && sheet?.contains(document.activeElement) === false)
      main.current?.focus({ preventScroll: true });
  }, []);
  return (
    <footer className={styles.foot}>
      <Button onClick={onClose}>{t('addSheet.close')}</Button>
      <Button ref={main} variant="main" onClick={onImport}>
        {t('add.importTranscripts', { count })}
      </Button>
    </footer>
  );
}

/** The formats that most people want (subtitles, text, a document), first in the menu. */
const mainFormats: readonly ExportFormat[] = ['srt', 'txt', 'docx'];
const otherFormats = exportFormats.filter((format) => !mainFormats.includes(format));

interface SavedFormatsProps {
  readonly formats: readonly ExportFormat[];
  readonly onChange: (formats: readonly ExportFormat[]) => void;
}

/** Names the formats that are saved of each recording of the sheet, in a menu that changes them. */
function SavedFormats({ formats, onChange }: SavedFormatsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const folder = useWindowState((state) => state.settings.autoExportFolder);
  const renderItem = (name: ExportFormat) => (
    <MenuCheckItem
      key={name}
      checked={formats.includes(name)}
      onChange={(isChecked) =>
        onChange(exportFormats.filter((other) => (other === name ? isChecked : formats.includes(other))))
      }
    >
      {t(`transcript.exportAs.${name}`)}
    </MenuCheckItem>
  );
  return (
    <div className={styles.saved}>
      <span id="saved-formats">
        {folder === null ? t('addSheet.saveBeside') : t('addSheet.saveInto', { folder })}
      </span>
      <Menu
        align="start"
        button={
          <Button id="saved-formats-button" aria-labelledby="saved-formats saved-formats-button">
            <span className={styles.savedFormats}>
              {formats.length === 0
                ? t('addSheet.saveNothing')
                : format.list(formats.map((name) => t(`format.${name}`)))}
            </span>
            <Icon name="chevron-down" />
          </Button>
        }
      >
        {mainFormats.map(renderItem)}
        <MenuSeparator />
        {otherFormats.map(renderItem)}
      </Menu>
    </div>
  );
}
