/** Makes ONNX tensors and changes their numbers in memory. Field numbers are those of onnx.proto3. */
import { concatenate, readFields, writeBytes, writeNumber, writeText } from './protobuf.ts';

const tensorField = { dimension: 1, type: 2, integers: 5, name: 8, bytes: 9 } as const;
/** Number of the type of whole numbers from -128 to 127. */
const int8 = 3;
/** Number of the type of whole numbers of 64 bits. */
const int64 = 7;

/**
 * A tensor of numbers from 0 to 255 as one of numbers from -128 to 127, each less by 128. The difference between two
 * of them stays the same.
 */
export function toSigned(tensor: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (const field of readFields(tensor)) {
    if (field.number === tensorField.type) pieces.push(writeNumber(tensorField.type, int8));
    // A single number stands as a number, many as bytes.
    else if (field.number === tensorField.integers) {
      const [low = 0, high = 0] = field.value.length > 0 ? field.value : field.whole.subarray(1);
      const number = (low & 127) + (high << 7);
      pieces.push(...writeBytes(tensorField.bytes, [Uint8Array.of(number ^ 128)]));
    } else if (field.number === tensorField.bytes) {
      pieces.push(...writeBytes(tensorField.bytes, [field.value.map((byte) => byte ^ 128)]));
    } else pieces.push(field.whole);
  }
  return concatenate(pieces);
}

/** A named list of one whole number, as operations want to have an axis or a place; -1 is the last one. */
export function indexTensor(name: string, index: number): Uint8Array {
  return concatenate([
    writeNumber(tensorField.dimension, 1),
    writeNumber(tensorField.type, int64),
    ...writeBytes(tensorField.bytes, [new Uint8Array(BigInt64Array.of(BigInt(index)).buffer)]),
    writeText(tensorField.name, name),
  ]);
}
