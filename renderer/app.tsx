import { Activity, useEffect, useState } from 'react';
import { DropTarget } from './features/add/drop-target.tsx';
import { ExportProvider } from './features/export/use-export.tsx';
import { LibraryToolsProvider } from './features/library/tools/library-tools.tsx';
import { Announcer } from './features/frame/announcer.tsx';
import { FailedSaves } from './features/frame/failed-saves.tsx';
import { MenuWishes } from './features/frame/menu-wishes.tsx';
import { Shortcuts } from './features/frame/shortcuts.tsx';
import { Side } from './features/frame/side.tsx';
import { StartProblems } from './features/frame/start-problems.tsx';
import { JobsNews } from './features/jobs/jobs-news.tsx';
import { QueueScreen } from './features/queue/queue-screen.tsx';
import { TasksProvider } from './features/tasks/running-tasks.tsx';
import { later } from './later.tsx';
import type { NoticeDetails } from './notices.ts';
import { Toasts } from './ui/feedback/toasts.tsx';
import { useWindow } from './use-store.ts';
import styles from './app.module.css';

const LibraryScreen = later(
  async () => (await import('./features/library/library-screen.tsx')).LibraryScreen,
  true,
);
const TranscriptScreen = later(
  async () => (await import('./features/transcript/transcript-screen.tsx')).TranscriptScreen,
  true,
);
const SettingsScreen = later(
  async () => (await import('./features/settings/settings-screen.tsx')).SettingsScreen,
);
const JobsScreen = later(async () => (await import('./features/jobs/jobs-screen.tsx')).JobsScreen);
const WelcomeScreen = later(
  async () => (await import('./features/welcome/welcome-screen.tsx')).WelcomeScreen,
);
const LeftOutDialog = later(async () => (await import('./features/add/left-out-dialog.tsx')).LeftOutDialog);

/** The whole window. */
export function App() {
  const chosen = useWindow((state) => state.settings.service !== null);
  const theme = useWindow((state) => state.settings.theme);
  const [details, setDetails] = useState<{ open: boolean; shown: NoticeDetails | null }>({
    open: false,
    shown: null,
  });

  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);

  return (
    <TasksProvider>
      {chosen ? (
        <ExportProvider>
          <LibraryToolsProvider>
            <Frame />
          </LibraryToolsProvider>
        </ExportProvider>
      ) : (
        <WelcomeScreen />
      )}
      <DropTarget />
      <Shortcuts />
      <MenuWishes />
      <Toasts onDetails={(shown) => setDetails({ open: true, shown })} />
      {details.shown !== null && (
        <LeftOutDialog
          open={details.open}
          details={details.shown}
          onClose={() => setDetails({ ...details, open: false })}
        />
      )}
    </TasksProvider>
  );
}

function Frame() {
  const place = useWindow((state) => state.place);
  return (
    <div className={styles.frame}>
      <Side />
      <Announcer />
      <main className={styles.main}>
        <StartProblems />
        <FailedSaves />
        <JobsNews />
        {/* The lists stay as they were left: filter, place and search are there again on the way back. */}
        <Activity mode={place.screen === 'queue' ? 'visible' : 'hidden'}>
          <div className={styles.screen}>
            <QueueScreen />
          </div>
        </Activity>
        <Activity mode={place.screen === 'library' ? 'visible' : 'hidden'}>
          <div className={styles.screen}>
            <LibraryScreen />
          </div>
        </Activity>
        <div className={styles.screen} hidden={place.screen === 'queue' || place.screen === 'library'}>
          {place.screen === 'settings' && <SettingsScreen />}
          {place.screen === 'jobs' && <JobsScreen />}
          {place.screen === 'transcript' && (
            <TranscriptScreen
              key={place.id}
              id={place.id}
              from={place.from}
              at={place.at}
              sought={place.sought}
            />
          )}
        </div>
      </main>
    </div>
  );
}
