/** A rule of the queue was broken: the seed that found it replays it. */
export class BrokenRule extends Error {
  override readonly name = 'BrokenRule';
}

export function rule(holds: boolean, message: () => string): void {
  if (!holds) throw new BrokenRule(message());
}
