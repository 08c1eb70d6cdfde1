import { createContext, useContext, useMemo, useSyncExternalStore } from 'react';
import { useWindowState } from '../../use-store.ts';
import type { SessionState } from './session/session-state.ts';
import type { TranscriptSession } from './session/transcript-session.ts';
import type { Playback, PlaybackState } from './player/playback.ts';

/** What the parts of an open transcript share. */
export interface Workspace {
  readonly session: TranscriptSession;
  readonly playback: Playback;
}

const WorkspaceContext = createContext<Workspace | null>(null);

export const WorkspaceProvider = WorkspaceContext.Provider;

/** Returns the workspace of the transcript that is open around the component. */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new Error('No transcript is open here.');
  return workspace;
}

/** Returns part of the session's state; `select` must not create objects. */
export function useSession<T>(select: (state: SessionState) => T): T {
  const { session } = useWorkspace();
  return useSyncExternalStore(session.subscribe, () => select(session.getState()));
}

/** Returns the known terms of the recording, followed by those in the settings. */
export function useKnownTerms(): readonly string[] {
  const { session } = useWorkspace();
  const defaults = useWindowState((state) => state.settings.options.terms);
  return useMemo(() => [...new Set([...session.terms, ...defaults])], [session, defaults]);
}

/** Returns part of the player's state; `select` must not create objects. */
export const usePlayback = <T>(select: (state: PlaybackState) => T): T =>
  usePlaybackOf(useWorkspace().playback, select);

/** Does the same as {@link usePlayback} for a player outside a {@link Workspace}. */
export function usePlaybackOf<T>(playback: Playback, select: (state: PlaybackState) => T): T {
  return useSyncExternalStore(playback.subscribe, () => select(playback.getState()));
}
