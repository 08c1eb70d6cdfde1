import { createElement, Suspense, use, type ComponentType } from 'react';
import { allLoadedMark } from './loaded-mark.ts';

/** Thrown when a file of the program is missing, for example after an update while it ran. */
export class PartMissingError extends Error {
  override readonly name = 'PartMissingError';
}

type Part = () => Promise<unknown>;

/** The parts that are not loaded yet. */
const parts: Part[] = [];

/**
 * Creates a component whose code is loaded after the first frame. Once loaded, it renders like any other component,
 * without a flash of its fallback.
 *
 * @param preloadFirst loads it before the others, as what users open first.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  preloadFirst = false,
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | null = null;
  let loading: Promise<ComponentType<Props>> | null = null;

  const begin = async (): Promise<ComponentType<Props>> => {
    try {
      return (Loaded = await load());
    } catch (cause) {
      loading = null;
      throw new PartMissingError(String(cause), { cause });
    }
  };
  const beginOnce = (): Promise<ComponentType<Props>> => (loading ??= begin());
  if (preloadFirst) parts.unshift(beginOnce);
  else parts.push(beginOnce);

  const Awaited = (props: Props) => createElement(Loaded ?? use(beginOnce()), props);
  return (props: Props) => (
    <Suspense fallback={<span hidden data-awaited />}>
      <Awaited {...props} />
    </Suspense>
  );
}

/** Loads all parts, one at a time, while the window is idle. */
export function preloadParts(): void {
  const next = parts.shift();
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
