/** Runs work that is done in steps to its end, and returns its result. */
export function finishSteps<T>(steps: Generator<void, T, void>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
