import { createContext, useContext, useSyncExternalStore } from 'react';
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

/** Returns part of the player's state; `select` must not create objects. */
export const usePlayback = <T>(select: (state: PlaybackState) => T): T =>
  usePlaybackOf(useWorkspace().playback, select);

/** Does the same as {@link usePlayback} for a player outside a {@link Workspace}. */
export function usePlaybackOf<T>(playback: Playback, select: (state: PlaybackState) => T): T {
  return useSyncExternalStore(playback.subscribe, () => select(playback.getState()));
}
