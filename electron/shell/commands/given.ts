/** An input without the parts that are absent. */
export type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** What is given of an input whose parts may be absent. */
export const givenOf = <T extends object>(input: T): Given<T> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Given<T>;
