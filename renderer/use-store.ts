import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import type { CommandInput, CommandName } from '../electron/contract/commands.ts';
import { notifyError } from './notices.ts';
import type { Route } from './route.ts';
import type { WindowStore, WindowState } from './window-store.ts';

const StoreContext = createContext<WindowStore | null>(null);

export const StoreProvider = StoreContext.Provider;

/** Returns the window's store. */
export function useStore(): WindowStore {
  const store = useContext(StoreContext);
  if (store === null) throw new Error('The window is not inside its StoreProvider.');
  return store;
}

/** Returns part of the window's state; `select` must not create objects. */
export function useWindowState<T>(select: (state: WindowState) => T): T {
  const store = useStore();
  return useSyncExternalStore(store.subscribe, () => select(store.getState()));
}

/** Returns a function that navigates to a route. */
export function useGoTo(): (route: Route) => void {
  const store = useStore();
  return useCallback((route) => store.change({ route }), [store]);
}

/** Returns a function that sends a command whose answer is not needed; errors are shown to the user. */
export function useSend(): <N extends CommandName>(name: N, input: CommandInput<N>) => void {
  const { invoke } = useStore();
  return useCallback((name, input) => void invoke(name, input).catch(notifyError), [invoke]);
}
