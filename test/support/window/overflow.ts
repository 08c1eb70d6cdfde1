/**
 * Returns what does not fit on the page: texts and controls that are cut off, overflow their container, or cannot be
 * scrolled to. An ellipsis is intended, unless it replaces the whole text. Runs in the page, so it uses nothing from outside.
 */
export function overflow(): readonly string[] {
  const slack = 1.5;
  /** Less of a text than this says nothing, in pixels. */
  const minTextWidth = 24;
  const found = new Set<string>();
  const report = (what: string, element: Element, words: string): void => {
    found.add(
      `${what}: <${element.tagName.toLowerCase()} class="${element.className}"> ${words.trim().slice(0, 60)}`,
    );
  };
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- only the function itself reaches the page
  const isShown = (element: Element): boolean => {
    // Texts for screen readers only are clipped, by a class of ours or by the library's own style.
    for (let around: Element | null = element; around !== null; around = around.parentElement)
      if (getComputedStyle(around).clipPath === 'inset(50%)') return false;
    return element.checkVisibility({ visibilityProperty: true });
  };

  /** Reports where an element is cut off by its surroundings, or overflows them. */
  const check = (element: Element, whole: DOMRect, words: string, isText: boolean): void => {
    let rect = whole;
    let scrolls = false;
    let isInFlow = true;
    for (
      let around: Element | null = element;
      around !== null && around !== document.body;
      around = around.parentElement
    ) {
      const style = getComputedStyle(around);
      const box = around.getBoundingClientRect();
      if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') {
        if (box.width < Math.min(rect.width, minTextWidth)) report('too narrow', around, words);
        rect = box;
        continue;
      }
      const isOut = rect.left < box.left - slack || rect.right > box.right + slack;
      if (style.overflowX === 'auto' || style.overflowX === 'scroll') {
        // A strip of buttons scrolls with the focus, as a long text does with the caret.
        if (around.matches('[role=group], textarea')) return;
        if (around.scrollWidth > around.clientWidth + slack) report('scrolls sideways', around, words);
        scrolls = true;
      }
      if (style.display !== 'inline' && style.display !== 'contents' && isText && isInFlow && isOut)
        report('too wide', around, words);
      if (style.overflowY === 'auto' || style.overflowY === 'scroll') scrolls = true;
      const isBelow = rect.bottom > box.bottom + slack || rect.top < box.top - slack;
      const holds = around.matches('button, label, [role=row], h1, h2, p');
      if (!scrolls && isBelow && (style.overflowY !== 'visible' || holds)) report('too high', around, words);
      if (style.position === 'fixed' || style.position === 'absolute') isInFlow = false;
    }
    if (rect.left < -slack || rect.right > innerWidth + slack) report('beside the window', element, words);
    if (!scrolls && (rect.bottom > innerHeight + slack || rect.top < -slack))
      report('below the window', element, words);
  };

  if (document.documentElement.scrollHeight > innerHeight + slack)
    report('makes the page scroll', document.documentElement, String(document.documentElement.scrollHeight));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const { parentElement, textContent } = node;
    if (
      parentElement === null ||
      textContent === null ||
      textContent.trim() === '' ||
      !isShown(parentElement)
    )
      continue;
    if (parentElement.closest('svg, option, script, style') !== null) continue;
    // Trailing spaces overflow the edge where they are preserved.
    if (getComputedStyle(parentElement).whiteSpaceCollapse === 'preserve') continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects())
      if (rect.width > 0) check(parentElement, rect, textContent, true);
  }
  // A problem and its remedy must be shown completely.
  for (const words of document.querySelectorAll('[data-tone] *'))
    if (
      getComputedStyle(words).webkitLineClamp !== 'none' &&
      words.scrollHeight > words.clientHeight + slack &&
      isShown(words)
    )
      report('cut short', words, words.textContent ?? '');
  for (const control of document.querySelectorAll(
    'button, input, select, textarea, a[href], [role=progressbar]',
  )) {
    if (!isShown(control)) continue;
    check(
      control,
      control.getBoundingClientRect(),
      control.getAttribute('aria-label') ?? control.textContent ?? '',
      false,
    );
  }
  return [...found];
}
