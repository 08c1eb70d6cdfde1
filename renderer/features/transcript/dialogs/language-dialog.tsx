import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languageTag, spokenLanguages } from '../../../../electron/contract/languages.ts';
import { runReportingErrors } from '../../../notices.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Combobox } from '../../../ui/form/combobox.tsx';
import { sortedByName } from '../../../ui/text/format.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import { notifyPropertyChange } from '../editing/notify-edit.ts';
import { useSession, useWorkspace } from '../workspace.ts';
import styles from './form-dialog.module.css';

/** Sets the language of the transcript. */
export function LanguageDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('transcript.language.title')}
      note={t('transcript.language.note')}
      actions={null}
    >
      {open && <LanguageForm onClose={onClose} />}
    </Dialog>
  );
}

/** The value that stands for an unknown language. */
const unknown = '';

function LanguageForm({ onClose }: { readonly onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const { session } = useWorkspace();
  const before = useSession((state) => state.language);
  const [chosenTag, setChosenTag] = useState(before ?? unknown);
  const options = useMemo(() => {
    const tags = spokenLanguages.flatMap((code) => languageTag(code) ?? []);
    // A file may name a regional variant, such as `pt-BR`.
    const codes = [...new Set(before === null ? tags : [...tags, before])];
    return [
      { value: unknown, label: t('transcript.language.unknown') },
      ...sortedByName(codes, format.language, i18n.language).map(({ code, name }) => ({
        value: code,
        label: name,
      })),
    ];
  }, [before, format, i18n.language, t]);

  const save = async (): Promise<void> => {
    const language = chosenTag === unknown ? null : chosenTag;
    if (language === before) return;
    const store = async (next: string | null): Promise<string> => {
      await session.setLanguage(next);
      return next === null
        ? t('transcript.language.setUnknown')
        : t('transcript.language.set', { language: format.language(next) });
    };
    const title = await store(language);
    notifyPropertyChange(session, title, { undo: () => store(before), redo: () => store(language) });
  };

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        runReportingErrors(save);
        onClose();
      }}
    >
      <div className={styles.fields}>
        <Combobox
          label={t('transcript.language.label')}
          value={chosenTag}
          options={options}
          onChange={setChosenTag}
        />
      </div>
      <div className={styles.actions}>
        <span className={styles.spacer} />
        <Button onClick={onClose}>{t('action.cancel')}</Button>
        <Button variant="main" type="submit">
          {t('transcript.language.save')}
        </Button>
      </div>
    </form>
  );
}
