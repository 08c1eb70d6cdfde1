import { createElement, Suspense, use, type ComponentType } from 'react';
import { allLoadedMark } from './loaded-mark.ts';

/** Thrown when a file of the program is missing, for example after an update while it ran. */
export class ChunkMissingError extends Error {
  override readonly name = 'ChunkMissingError';
}

type PartLoader = () => Promise<unknown>;

/** Functions that load the parts that are not preloaded yet, in their order. */
const unloadedParts: PartLoader[] = [];

/**
 * Creates a component whose code is loaded after the first frame. Once loaded, it renders like any other component,
 * without a flash of its fallback.
 *
 * @param preloadFirst whether to preload it before the others, because users open it first.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  preloadFirst = false,
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | null = null;
  let loading: Promise<ComponentType<Props>> | null = null;

  const loadOrFail = async (): Promise<ComponentType<Props>> => {
    try {
      return (Loaded = await load());
    } catch (cause) {
      loading = null;
      throw new ChunkMissingError(String(cause), { cause });
    }
  };
  const loadOnce = (): Promise<ComponentType<Props>> => (loading ??= loadOrFail());
  if (preloadFirst) unloadedParts.unshift(loadOnce);
  else unloadedParts.push(loadOnce);

  const LoadedPart = (props: Props) => createElement(Loaded ?? use(loadOnce()), props);
  return (props: Props) => (
    <Suspense fallback={<span hidden data-awaited />}>
      <LoadedPart {...props} />
    </Suspense>
  );
}

/** Loads all parts, one at a time, while the window is idle. */
export function preloadParts(): void {
  const next = unloadedParts.shift();
  if (next === undefined) {
    performance.mark(allLoadedMark);
    return;
  }
  requestIdleCallback(() => {
    // The component that needs the part reports the error.
    void next()
      .catch(() => undefined)
      .then(preloadParts);
  });
}
