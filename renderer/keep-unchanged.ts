/**
 * New rows, each that says nothing new as the very object that it was before: what is drawn of it need not be drawn
 * again. Rows come from the main process as copies each time.
 */
export function keepUnchanged<R extends { readonly id: number }>(
  before: readonly R[],
  after: readonly R[],
): readonly R[] {
  const known = new Map(before.map((row) => [row.id, row]));
  return after.map((row) => {
    const old = known.get(row.id);
    return old === undefined ? row : keepSame(old, row);
  });
}

/** New data, as the very object that it was before where it says nothing new. */
export const keepSame = <T>(before: T, after: T): T => (isSame(before, after) ? before : after);

/** Whether two pieces of plain data say the same. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const entries = Object.entries(one);
  if (entries.length !== Object.keys(other).length) return false;
  const values: Readonly<Record<string, unknown>> = { ...other };
  return entries.every(([key, value]) => Object.hasOwn(values, key) && isSame(value, values[key]));
}
