/** An element around the focus, and which of its children the focus was in. */
interface Step {
  readonly around: Element;
  readonly index: number;
}

const focusable = 'a[href], button, input, select, textarea, [tabindex], [contenteditable]';

/**
 * Sees to it that the keyboard is never lost: when what has the focus goes away, is hidden or cannot be used any more,
 * the focus goes on to what is nearest to where it was.
 *
 * @param root holds the whole window but for what lies over it: menus, dialogs, notices.
 * @returns ends it.
 */
export function keepFocus(root: HTMLElement): () => void {
  const { body } = document;
  let last: Element | null = null;
  let trail: readonly Step[] = [];
  let looksSoon = false;

  const remember = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    last = target;
    // From what lies over the window the focus goes back to where it was below.
    if (root.contains(target)) trail = trailOf(target, root);
  };
  const look = (): void => {
    looksSoon = false;
    const { activeElement } = document;
    if (last === null || isUsable(last) || (activeElement !== body && activeElement !== last)) return;
    nearestTo(trail)?.focus({ preventScroll: true });
  };
  const lookSoon = (): void => {
    if (looksSoon) return;
    looksSoon = true;
    // A screen, a menu or a dialog that knows better where the focus belongs has had its turn by then.
    requestAnimationFrame(() => requestAnimationFrame(look));
  };

  const observer = new MutationObserver(lookSoon);
  observer.observe(body, {
    subtree: true,
    childList: true,
    attributeFilter: ['hidden', 'style', 'disabled', 'inert'],
  });
  document.addEventListener('focusin', remember);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', remember);
  };
}

function trailOf(element: Element, root: Element): readonly Step[] {
  const steps: Step[] = [];
  let inner = element;
  while (inner !== root && inner.parentElement !== null) {
    const around = inner.parentElement;
    steps.push({ around, index: [...around.children].indexOf(inner) });
    inner = around;
  }
  return steps;
}

/** The first that can take the focus: where it was or after, then before, then further out. */
function nearestTo(trail: readonly Step[]): HTMLElement | null {
  for (const { around, index } of trail) {
    if (!isShown(around)) continue;
    const children = [...around.children];
    const inOrder = [
      ...children.slice(Math.max(0, index)),
      ...children.slice(0, Math.max(0, index)).reverse(),
    ];
    const found = inOrder.map(entryOf).find((entry) => entry !== null) ?? ownEntryOf(around);
    if (found !== null) return found;
  }
  return null;
}

/** What takes the focus in a part of the window: its list if it has one, else the first that can. */
function entryOf(part: Element): HTMLElement | null {
  if (!isShown(part)) return null;
  const inside = [...part.querySelectorAll(focusable)].map(ownEntryOf).filter((one) => one !== null);
  return ownEntryOf(part) ?? inside.find((one) => one.role === 'grid') ?? inside[0] ?? null;
}

const ownEntryOf = (element: Element): HTMLElement | null =>
  element instanceof HTMLElement && element.matches(focusable) && element.tabIndex >= 0 && isUsable(element)
    ? element
    : null;

const isUsable = (element: Element): boolean => isShown(element) && !element.matches(':disabled');

const isShown = (element: Element): boolean =>
  element.isConnected &&
  element.checkVisibility({ visibilityProperty: true }) &&
  element.closest('[inert]') === null;
