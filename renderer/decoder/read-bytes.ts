/** Gives the bytes of the file from `start` to before `end`. */
export type ReadBytes = (start: number, end: number) => Promise<Uint8Array>;
