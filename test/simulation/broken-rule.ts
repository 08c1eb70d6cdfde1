/** A rule of the queue was broken; running its seed again repeats this. */
export class BrokenRule extends Error {
  override readonly name = 'BrokenRule';
}

export function checkRule(holds: boolean, message: () => string): void {
  if (!holds) throw new BrokenRule(message());
}
