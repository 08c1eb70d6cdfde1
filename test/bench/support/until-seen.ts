import type { Page } from 'playwright-core';

/** An awaited visible element, optionally with a text, ignoring case. */
export interface Awaited {
  readonly selector: string;
  readonly text?: string;
}

/**
 * Returns the milliseconds from the last event of a type until the frame with the awaited element.
 *
 * @param act causes the events.
 */
export async function untilSeen(
  page: Page,
  event: 'click' | 'input' | 'change' | 'keydown',
  awaited: Awaited,
  act: () => Promise<unknown>,
): Promise<number> {
  const seen = page.evaluate(
    ({ kind, selector, text }) =>
      new Promise<number>((done) => {
        let happened: number | null = null;
        const note = ({ timeStamp }: Event): void => {
          happened = timeStamp;
        };
        addEventListener(kind, note, { capture: true });
        const look = (): void => {
          const isThere = [...document.querySelectorAll(selector)].some(
            (element) =>
              element.checkVisibility() &&
              (text === undefined || element.textContent?.toLowerCase() === text.toLowerCase()),
          );
          if (happened === null || !isThere) {
            requestAnimationFrame(look);
            return;
          }
          removeEventListener(kind, note, { capture: true });
          done(performance.now() - happened);
        };
        requestAnimationFrame(look);
      }),
    { kind: event, ...awaited },
  );
  await act();
  return seen;
}
