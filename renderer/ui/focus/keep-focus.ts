/** An ancestor of the focused element, and the index of its child that contains the focus. */
interface Step {
  readonly around: Element;
  readonly index: number;
}

const focusable = 'a[href], button, input, select, textarea, [tabindex], [contenteditable]';

/**
 * Keeps the focus in the window: when the focused element is removed, hidden or disabled, the nearest element gets the
 * focus.
 *
 * @param root contains the whole window except for what lies over it: menus, dialogs, notices.
 * @returns a function that stops this.
 */
export function keepFocus(root: HTMLElement): () => void {
  const { body } = document;
  let last: Element | null = null;
  let trail: readonly Step[] = [];
  let looksSoon = false;

  const remember = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    last = target;
    // After a menu, dialog or notice, the focus returns to where it was in the window.
    if (root.contains(target)) trail = trailOf(target, root);
  };
  const check = (): void => {
    looksSoon = false;
    const { activeElement } = document;
    if (last === null || isUsable(last) || (activeElement !== body && activeElement !== last)) return;
    nearestTo(trail)?.focus({ preventScroll: true });
  };
  const lookSoon = (): void => {
    if (looksSoon) return;
    looksSoon = true;
    // A screen, menu or dialog that moves the focus to a better element has done so by then.
    requestAnimationFrame(() => requestAnimationFrame(check));
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

/**
 * Returns the nearest element that can take the focus: first at or after the old position, then before it, then further
 * out.
 */
function nearestTo(trail: readonly Step[]): HTMLElement | null {
  for (const { around, index } of trail) {
    if (!isShown(around)) continue;
    const children = [...around.children];
    const inOrder = [
      ...children.slice(Math.max(0, index)),
      ...children.slice(0, Math.max(0, index)).reverse(),
    ];
    const found = inOrder.map(firstFocusableIn).find((entry) => entry !== null) ?? focusableIn(around);
    if (found !== null) return found;
  }
  return null;
}

/** What stands for a list without rows: it takes the focus of the list, but is no stop of the Tab key. */
const emptyList = '[data-empty-list]';

/** Returns the element of a part that takes the focus: its list, or else its first focusable element. */
export function firstFocusableIn(part: Element): HTMLElement | null {
  if (!isShown(part)) return null;
  const empty = part.matches(emptyList) ? part : part.querySelector(emptyList);
  if (empty instanceof HTMLElement && isShown(empty)) return empty;
  const inside = [...part.querySelectorAll(focusable)].map(focusableIn).filter((one) => one !== null);
  return focusableIn(part) ?? inside.find((one) => one.role === 'grid') ?? inside[0] ?? null;
}

const focusableIn = (element: Element): HTMLElement | null =>
  element instanceof HTMLElement && element.matches(focusable) && element.tabIndex >= 0 && isUsable(element)
    ? element
    : null;

const isUsable = (element: Element): boolean => isShown(element) && !element.matches(':disabled');

const isShown = (element: Element): boolean =>
  element.isConnected &&
  element.checkVisibility({ visibilityProperty: true }) &&
  element.closest('[inert]') === null;
