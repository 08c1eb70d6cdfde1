import type { Page } from 'playwright-core';

/** An awaited visible element, optionally with a text, ignoring case. */
export interface Awaited {
  readonly selector: string;
  readonly text?: string;
}

/**
 * Returns the milliseconds from the last event of a type until the frame with the awaited element.
 *
 * @param causeEvents causes the events.
 */
export async function untilSeen(
  page: Page,
  event: 'click' | 'input' | 'change' | 'keydown',
  awaited: Awaited,
  causeEvents: () => Promise<unknown>,
): Promise<number> {
  const seen = page.evaluate(
    ({ kind, selector, text }) =>
      new Promise<number>((done) => {
        let eventAt: number | null = null;
        const onEvent = ({ timeStamp }: Event): void => {
          eventAt = timeStamp;
        };
        addEventListener(kind, onEvent, { capture: true });
        const check = (): void => {
          const isShown = [...document.querySelectorAll(selector)].some(
            (element) =>
              element.checkVisibility() &&
              (text === undefined || element.textContent?.toLowerCase() === text.toLowerCase()),
          );
          if (eventAt === null || !isShown) {
            requestAnimationFrame(check);
            return;
          }
          removeEventListener(kind, onEvent, { capture: true });
          done(performance.now() - eventAt);
        };
        requestAnimationFrame(check);
      }),
    { kind: event, ...awaited },
  );
  await causeEvents();
  return seen;
}
