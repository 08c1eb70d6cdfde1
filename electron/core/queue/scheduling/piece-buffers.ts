/** Recordings are read and sent in pieces of this size, in bytes. */
export const pieceBytes = 1024 * 1024;

/** Two in turn: while one is being sent, the next piece is read into the other. */
export type PieceBuffers = readonly [Buffer, Buffer];

/** As many uploads as there may be at once. */
const maxKept = 4;
const kept: PieceBuffers[] = [];

/** Buffers for one part. Taken again and again, because new memory for each part costs as much as sending it. */
export const takeBuffers = (): PieceBuffers =>
  kept.pop() ?? [Buffer.allocUnsafeSlow(pieceBytes), Buffer.allocUnsafeSlow(pieceBytes)];

/** Keeps buffers for the next part. Only those that nobody reads or sends any more. */
export function returnBuffers(buffers: PieceBuffers): void {
  if (kept.length < maxKept) kept.push(buffers);
}
