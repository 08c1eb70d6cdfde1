import { useLayoutEffect, useRef, type RefObject } from 'react';
import { firstFocusableIn, lastFocusedContent } from './keep-focus.ts';

/** An offset after the end of any text. */
const maxOffset = 2 ** 31 - 1;

export interface PopupFocusOptions {
  readonly popup: RefObject<HTMLElement | null>;
  readonly open: boolean;
  /** Returns what takes the focus first; absent or `null`: the first element that can. */
  readonly initialFocus?: (() => HTMLElement | null) | undefined;
  /** What takes the focus when the popup closes; absent: what had it before. */
  readonly finalFocus?: RefObject<HTMLElement | null> | undefined;
  /** Whether an entry of a menu may have opened it. Then the text or list takes the focus, not the menu's button. */
  readonly returnsFromMenu?: boolean;
  /**
   * Whether to select the text that the first field already has, so that typing replaces it, as Tab does. Otherwise the
   * caret goes to its end.
   */
  readonly selectsText?: boolean;
}

/** Properties of a popup of Base UI. */
export interface PopupFocus {
  readonly initialFocus: () => HTMLElement | true;
  readonly finalFocus: () => HTMLElement | boolean;
}

/**
 * Moves the focus into a dialog, popover, menu or list when it opens, and back when it closes, before the next key. Base
 * UI does both a frame or more later: keys pressed until then would go to the text behind the popup, or to a popup that
 * is closing.
 */
export function usePopupFocus({
  popup,
  open,
  initialFocus,
  finalFocus,
  returnsFromMenu = false,
  selectsText = true,
}: PopupFocusOptions): PopupFocus {
  const previousFocus = useRef<Element | null>(null);
  const hasReturned = useRef(false);
  useLayoutEffect(() => {
    if (open) {
      const before = document.activeElement;
      const menu = returnsFromMenu ? before?.closest('[role=menu], [aria-haspopup=menu]') : null;
      previousFocus.current = (menu instanceof Element ? lastFocusedContent() : null) ?? before;
      hasReturned.current = false;
      return;
    }
    const target = previousFocus.current === null ? null : (finalFocus?.current ?? previousFocus.current);
    previousFocus.current = null;
    // An entry of a menu disappears with the menu: Base UI returns the focus to the menu's button.
    if (!(target instanceof HTMLElement) || !target.isConnected || target.closest('[role=menu]') !== null)
      return;
    const { activeElement, body } = document;
    // The action of the popup may have moved the focus already.
    const isInPopup = activeElement === body || popup.current?.contains(activeElement) !== false;
    if (isInPopup) target.focus({ preventScroll: true });
    hasReturned.current = !isInPopup || document.activeElement === target;
  }, [popup, open, finalFocus, returnsFromMenu]);
  return {
    initialFocus: () => {
      const first = initialFocus?.() ?? (popup.current === null ? null : firstFocusableIn(popup.current));
      first?.focus();
      // The text of a text area is continued in any case.
      if (first instanceof HTMLInputElement && selectsText) first.select();
      else if (first instanceof HTMLInputElement) first.setSelectionRange(maxOffset, maxOffset);
      return first ?? true;
    },
    finalFocus: () => !hasReturned.current && (finalFocus?.current ?? true),
  };
}
