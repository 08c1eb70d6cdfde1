import { createElement, Suspense, use, type ComponentType } from 'react';
import { allLoadedMark } from './loaded-mark.ts';

/** The program's files are not where they were, as when it was updated while it ran. */
export class PartMissingError extends Error {
  override readonly name = 'PartMissingError';
}

type Part = () => Promise<unknown>;

/** The parts that nobody has asked for yet. */
const parts: Part[] = [];

/**
 * A part of the window whose code comes after the first picture. Once it has come it is drawn like any other part,
 * without a moment of nothing.
 *
 * @param isLikely it comes before the others: it is what people ask for first.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  isLikely = false,
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
  if (isLikely) parts.unshift(beginOnce);
  else parts.push(beginOnce);

  const Awaited = (props: Props) => createElement(Loaded ?? use(beginOnce()), props);
  return (props: Props) => (
    <Suspense fallback={<span hidden data-awaited />}>
      <Awaited {...props} />
    </Suspense>
  );
}

/** Loads all parts, one at a time, whenever the window has nothing else to do. */
export function preloadParts(): void {
  const next = parts.shift();
  if (next === undefined) {
    performance.mark(allLoadedMark);
    return;
  }
  requestIdleCallback(() => {
    // Whoever wants the part will hear what is wrong with it.
    void next()
      .catch(() => undefined)
      .then(preloadParts);
  });
}
