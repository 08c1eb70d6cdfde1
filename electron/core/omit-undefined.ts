/** An object whose members are absent rather than `undefined`. */
export type OmitUndefined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Returns an object without the members that are `undefined`. */
export const omitUndefined = <T extends object>(object: T): OmitUndefined<T> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as OmitUndefined<T>;
