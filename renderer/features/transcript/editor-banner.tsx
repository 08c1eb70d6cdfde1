import { useTranslation } from 'react-i18next';
import type { Shortfall } from '../../../electron/contract/queue-commands.ts';
import { shortfallTimes } from '../../../electron/core/transcript/clock-time.ts';
import { runReportingErrors, notify } from '../../notices.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { problemText } from '../../ui/text/problem-text.ts';
import { useKeyNames } from '../../ui/text/key-names.ts';
import { useStore } from '../../use-store.ts';
import { useLibraryTools } from '../library/tools/library-tools.tsx';
import { plainTextOf } from './editing/quote.ts';
import { canPlay } from './player/playback.ts';
import { isDeleted } from './session/session-state.ts';
import { usePlayback, useSession, useWorkspace } from './workspace.ts';

/** Says that a part of the recording could not be read, so that its text is missing, and what its player does then. */
export function ShortfallBanner({ shortfall }: { readonly shortfall: Shortfall | undefined }) {
  const { t } = useTranslation();
  const keyNames = useKeyNames();
  // Chromium skips what it cannot decode, so that its clock is behind the times of the text until it seeks.
  const mayPlay = usePlayback(canPlay);
  if (shortfall === undefined) return null;
  return (
    <Banner tone="warn" title={t('row.shortfall', shortfallTimes(shortfall))}>
      {mayPlay && t('transcript.shortfallNote', { click: keyNames('Mod+Click') })}
    </Banner>
  );
}

export interface EditorBannerProps {
  /** Called after the transcript was restored: the button that had the focus is gone. */
  readonly onRestored: () => void;
}

/** Says that edits are not saved, or that the transcript was deleted, with a button that fixes it. */
export function EditorBanner({ onRestored }: EditorBannerProps) {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const { session } = useWorkspace();
  const { trash } = useLibraryTools();
  const saving = useSession((state) => state.saving);
  const trashed = useSession((state) => state.trashed);

  const copy = async (): Promise<void> => {
    await session.waitUntilSent();
    const { draft } = session.getState();
    await invoke('transcript.copy', { text: plainTextOf(draft, t) });
    notify(t('transcript.deleted.copied'));
  };
  const restoreTranscript = async (): Promise<void> => {
    await session.waitUntilSent();
    const change = await trash.restore([session.id]);
    if (change !== null) session.addNonEditChange(change);
    onRestored();
  };

  if (isDeleted(saving)) {
    return (
      <div role="alert">
        <Banner
          tone="bad"
          title={t('transcript.deleted.title')}
          actions={<Button onClick={() => runReportingErrors(copy)}>{t('transcript.deleted.copy')}</Button>}
        >
          {t('transcript.deleted.note')}
        </Banner>
      </div>
    );
  }
  if (saving.kind === 'unsaved') {
    return (
      <Banner
        tone="bad"
        title={t('transcript.unsaved')}
        actions={<Button onClick={() => session.retry()}>{t('action.tryAgain')}</Button>}
      >
        {problemText(t, saving.problem)}
      </Banner>
    );
  }
  if (!trashed) return null;
  return (
    <div role="alert">
      <Banner
        tone="warn"
        title={t('transcript.trashed')}
        actions={
          <Button onClick={() => runReportingErrors(restoreTranscript)}>{t('library.action.restore')}</Button>
        }
      >
        {t('transcript.trashedNote')}
      </Banner>
    </div>
  );
}
