import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../electron/contract/settings.ts';
import { themes } from '../../../electron/contract/choices.ts';
import { windowLanguages } from '../../../electron/contract/languages.ts';
import { useSend, useWindowState } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Checkbox, SegmentedControl } from '../../ui/form/choice.tsx';
import { Select } from '../../ui/form/select.tsx';
import styles from './program-sections.module.css';
import { Section, Setting } from './section.tsx';
import { useChangeSettings } from './use-change-settings.ts';
import { useSaveLog } from './save-log-command.ts';

const languages = ['system', ...windowLanguages] as const;

/** How the program looks. */
export function AppearanceSection({
  theme,
  language,
  highlightPlayingWord,
  markUnsureWords,
}: Pick<Settings, 'theme' | 'language' | 'highlightPlayingWord' | 'markUnsureWords'>) {
  const { t } = useTranslation();
  const change = useChangeSettings();
  return (
    <Section title={t('settings.appearance')}>
      <Setting label={t('settings.theme')}>
        <SegmentedControl
          label={t('settings.theme')}
          name="theme"
          value={theme}
          options={themes.map((value) => ({ value, label: t(`settings.themes.${value}`) }))}
          onChange={(value) => change({ theme: value })}
        />
      </Setting>
      <Select
        label={t('settings.windowLanguage')}
        value={language}
        options={languages.map((value) => ({
          value,
          // Each in its own language, so that everybody finds theirs.
          label: value === 'system' ? t('settings.themes.system') : nativeName(value),
        }))}
        onChange={(value) => change({ language: languages.find((code) => code === value) ?? 'system' })}
      />
      <Checkbox
        checked={highlightPlayingWord}
        note={t('settings.highlightPlayingWordNote')}
        onChange={(isChecked) => change({ highlightPlayingWord: isChecked })}
      >
        {t('settings.highlightPlayingWord')}
      </Checkbox>
      <Checkbox
        checked={markUnsureWords}
        note={t('settings.markUnsureWordsNote')}
        onChange={(isChecked) => change({ markUnsureWords: isChecked })}
      >
        {t('settings.markUnsureWords')}
      </Checkbox>
    </Section>
  );
}

function nativeName(language: string): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/** What the program does in the background. */
export function BackgroundSection({
  notifications,
  keepAwake,
  keepWorkingWhenClosed,
}: Pick<Settings, 'notifications' | 'keepAwake' | 'keepWorkingWhenClosed'>) {
  const { t } = useTranslation();
  const change = useChangeSettings();
  return (
    <Section title={t('settings.background')} note={t('settings.backgroundNote')}>
      <Checkbox
        checked={keepWorkingWhenClosed}
        note={t('settings.closeKeepsWorkingNote')}
        onChange={(isChecked) => change({ keepWorkingWhenClosed: isChecked })}
      >
        {t('settings.closeKeepsWorking')}
      </Checkbox>
      <Checkbox
        checked={notifications}
        note={t('settings.notificationsNote')}
        onChange={(isChecked) => change({ notifications: isChecked })}
      >
        {t('settings.notifications')}
      </Checkbox>
      <Checkbox
        checked={keepAwake}
        note={t('settings.keepAwakeNote')}
        onChange={(isChecked) => change({ keepAwake: isChecked })}
      >
        {t('settings.keepAwake')}
      </Checkbox>
    </Section>
  );
}

/** Where the data is stored, and what to send when something goes wrong. */
export function DataSection({ checkForUpdates }: Pick<Settings, 'checkForUpdates'>) {
  const { t } = useTranslation();
  const saveLog = useSaveLog();
  const send = useSend();
  const change = useChangeSettings();
  const version = useWindowState((state) => state.app.version);
  const hasUpdates = useWindowState((state) => state.update.kind !== 'unavailable');
  return (
    <Section title={t('settings.data')} note={t('settings.dataNote')}>
      <div className={styles.actions}>
        <Button onClick={() => send('app.showDataFolder', undefined)}>{t('settings.showData')}</Button>
        <Button onClick={saveLog}>{t('settings.saveLog')}</Button>
      </div>
      <p className={styles.quiet}>{t('settings.logNote')}</p>
      <p className={styles.quiet}>{t('settings.version', { version })}</p>
      {hasUpdates && (
        <Checkbox
          checked={checkForUpdates}
          note={t('settings.checkForUpdatesNote')}
          onChange={(isChecked) => change({ checkForUpdates: isChecked })}
        >
          {t('settings.checkForUpdates')}
        </Checkbox>
      )}
    </Section>
  );
}
