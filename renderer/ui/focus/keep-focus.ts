/** An ancestor of the focused element, and which of its children contains the focus. */
interface PathStep {
  readonly parent: Element;
  readonly childIndex: number;
}

const focusable = 'a[href], button, input, select, textarea, [tabindex], [contenteditable]';

/** A text, or a list of rows or segments. */
const contentSelector = '[role=textbox], [role=grid], [data-main-text]';

let lastContent: HTMLElement | null = null;

/**
 * Returns the text or list that had the focus last, to give it back after a menu or a dialog that was opened from one;
 * `null` if it is no longer shown.
 */
export const lastFocusedContent = (): HTMLElement | null =>
  lastContent !== null && isUsable(lastContent) ? lastContent : null;

/** The main content of a screen, which takes the keys: its list or its text. */
const mainSelector = ':is([role=grid], [data-main-text], [data-empty-list])';

/** Keys that move through the window or through a list. */
const movingKeys = /^(?:Tab|Arrow\w+|Home|End|Page\w+)$/;

/**
 * Keeps the focus in the window: when the focused element is removed, hidden or disabled, the nearest element gets the
 * focus. The first key that moves it, while nothing has had the focus yet, brings it to the list or text of the screen, or
 * else to its first control.
 *
 * @param root contains the whole window except what is on top of it: menus, dialogs, notices.
 * @returns a function that stops this.
 */
export function keepFocus(root: HTMLElement): () => void {
  const { body } = document;
  let lastFocused: Element | null = null;
  let path: readonly PathStep[] = [];
  let isCheckScheduled = false;

  const remember = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    lastFocused = target;
    // After a menu, dialog or notice, the focus returns to where it was in the window.
    if (!root.contains(target)) return;
    path = pathTo(target, root);
    if (target instanceof HTMLElement && target.matches(contentSelector)) lastContent = target;
  };
  const check = (): void => {
    isCheckScheduled = false;
    const { activeElement } = document;
    if (
      lastFocused === null ||
      isUsable(lastFocused) ||
      (activeElement !== body && activeElement !== lastFocused)
    )
      return;
    nearestFocusable(path)?.focus({ preventScroll: true });
  };
  const scheduleCheck = (): void => {
    if (isCheckScheduled) return;
    isCheckScheduled = true;
    // A screen, menu or dialog that moves the focus to a better element has done so by then.
    requestAnimationFrame(() => requestAnimationFrame(check));
  };

  const start = (event: KeyboardEvent): void => {
    const { key, ctrlKey, altKey, metaKey, shiftKey } = event;
    const isPlain = !ctrlKey && !altKey && !metaKey && !shiftKey;
    if (lastFocused !== null || document.activeElement !== body || !isPlain || !movingKeys.test(key)) return;
    const main = root.querySelector('main');
    const lists = [...(main?.querySelectorAll<HTMLElement>(mainSelector) ?? [])];
    const target = lists.find(isUsable) ?? (main === null ? null : firstFocusableIn(main));
    if (target === null) return;
    target.focus({ preventScroll: true });
    // From here, Tab would move to the next element.
    event.preventDefault();
  };

  const observer = new MutationObserver(scheduleCheck);
  observer.observe(body, {
    subtree: true,
    childList: true,
    attributeFilter: ['hidden', 'style', 'disabled', 'inert'],
  });
  document.addEventListener('focusin', remember);
  document.addEventListener('keydown', start, { capture: true });
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', remember);
    document.removeEventListener('keydown', start, { capture: true });
  };
}

function pathTo(element: Element, root: Element): readonly PathStep[] {
  const steps: PathStep[] = [];
  let inner = element;
  while (inner !== root && inner.parentElement !== null) {
    const parent = inner.parentElement;
    steps.push({ parent, childIndex: [...parent.children].indexOf(inner) });
    inner = parent;
  }
  return steps;
}

/**
 * Returns the nearest element that can take the focus: first at or after the old position, then before it, then further
 * out.
 */
function nearestFocusable(path: readonly PathStep[]): HTMLElement | null {
  for (const { parent, childIndex } of path) {
    if (!isShown(parent)) continue;
    const children = [...parent.children];
    const inOrder = [
      ...children.slice(Math.max(0, childIndex)),
      ...children.slice(0, Math.max(0, childIndex)).reverse(),
    ];
    const found = inOrder.map(firstFocusableIn).find((entry) => entry !== null) ?? focusableIn(parent);
    if (found !== null) return found;
  }
  return null;
}

/** Shown instead of a list without rows: it takes the focus of the list, but cannot be reached with Tab. */
const emptyList = '[data-empty-list]';

/** Returns what takes the focus in an element: a list, or else the first focusable element; `null` if there is none. */
export function firstFocusableIn(area: Element): HTMLElement | null {
  if (!isShown(area)) return null;
  const empty = area.matches(emptyList) ? area : area.querySelector(emptyList);
  if (empty instanceof HTMLElement && isShown(empty)) return empty;
  const inside = [...area.querySelectorAll(focusable)].map(focusableIn).filter((one) => one !== null);
  return focusableIn(area) ?? inside.find((one) => one.role === 'grid') ?? inside[0] ?? null;
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
