import { Activity, useEffect, useState } from 'react';
import { DropTarget } from './features/add/drop-target.tsx';
import { ExportProvider } from './features/export/use-export.tsx';
import { LibraryToolsProvider } from './features/library/tools/library-tools.tsx';
import { Announcer } from './features/frame/announcer.tsx';
import { FailedAutoExportsBanner, StartProblems } from './features/frame/banners.tsx';
import { UpdateBanner } from './features/frame/update-banner.tsx';
import { SaveLogCommand } from './features/settings/save-log-command.ts';
import { Shortcuts } from './features/frame/shortcuts.tsx';
import { SpeakerQueueStatus } from './features/speakers/speaker-queue-status.tsx';
import { Sidebar } from './features/frame/sidebar.tsx';
import { JobsBanners } from './features/jobs/jobs-banners.tsx';
import { QueueScreen } from './features/queue/queue-screen.tsx';
import { TasksProvider } from './features/tasks/running-tasks.tsx';
import { lazyPart } from './lazy-part.tsx';
import type { NoticeDetails } from './notices.ts';
import { NoticesCorner } from './ui/feedback/notices-corner.tsx';
import { useWindowState } from './use-store.ts';
import styles from './app.module.css';

const LibraryScreen = lazyPart(
  async () => (await import('./features/library/library-screen.tsx')).LibraryScreen,
  true,
);
const TranscriptScreen = lazyPart(
  async () => (await import('./features/transcript/transcript-screen.tsx')).TranscriptScreen,
  true,
);
const LiveScreen = lazyPart(async () => (await import('./features/transcript/live-screen.tsx')).LiveScreen);
const SettingsScreen = lazyPart(
  async () => (await import('./features/settings/settings-screen.tsx')).SettingsScreen,
);
const JobsScreen = lazyPart(async () => (await import('./features/jobs/jobs-screen.tsx')).JobsScreen);
const WelcomeScreen = lazyPart(
  async () => (await import('./features/welcome/welcome-screen.tsx')).WelcomeScreen,
);
const NoticeDetailsDialog = lazyPart(
  async () => (await import('./ui/feedback/notice-details-dialog.tsx')).NoticeDetailsDialog,
);

/** The whole window. */
export function App() {
  const hasService = useWindowState((state) => state.settings.service !== null);
  const theme = useWindowState((state) => state.settings.theme);
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
      <LibraryToolsProvider>
        {hasService ? (
          <ExportProvider>
            <Frame />
          </ExportProvider>
        ) : (
          <WelcomeScreen />
        )}
        <DropTarget />
      </LibraryToolsProvider>
      <Shortcuts />
      <SaveLogCommand />
      <NoticesCorner onDetails={(shown) => setDetails({ open: true, shown })} />
      {details.shown !== null && (
        <NoticeDetailsDialog
          open={details.open}
          details={details.shown}
          onClose={() => setDetails({ ...details, open: false })}
        />
      )}
    </TasksProvider>
  );
}

function Frame() {
  const route = useWindowState((state) => state.route);
  return (
    <div className={styles.frame}>
      <Sidebar />
      <Announcer />
      <main className={styles.main}>
        <StartProblems />
        <FailedAutoExportsBanner />
        <SpeakerQueueStatus />
        <JobsBanners />
        <UpdateBanner />
        {/* The lists keep their state: filter, position and search are restored on the way back. */}
        <Activity mode={route.screen === 'queue' ? 'visible' : 'hidden'}>
          <div className={styles.screen}>
            <QueueScreen />
          </div>
        </Activity>
        <Activity mode={route.screen === 'library' ? 'visible' : 'hidden'}>
          <div className={styles.screen}>
            <LibraryScreen />
          </div>
        </Activity>
        <div className={styles.screen} hidden={route.screen === 'queue' || route.screen === 'library'}>
          {route.screen === 'settings' && <SettingsScreen />}
          {route.screen === 'jobs' && <JobsScreen initialService={route.service} />}
          {route.screen === 'live' && <LiveScreen key={route.id} id={route.id} />}
          {route.screen === 'transcript' && (
            <TranscriptScreen
              key={route.id}
              id={route.id}
              from={route.from}
              isReturn={route.isReturn}
              scrollTarget={route.at}
              cue={route.cue}
              found={route.found}
            />
          )}
        </div>
      </main>
    </div>
  );
}
