import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexTensor, toSigned } from '../../../../../electron/on-device/engine/onnx/onnx-tensor.ts';
import {
  concatenate,
  readFields,
  writeBytes,
  writeNumber,
  writeText,
} from '../../../../../electron/on-device/engine/onnx/protobuf.ts';

const uint8 = 2;

/** The numbers and the type of a signed tensor. */
function read(tensor: Uint8Array): {
  readonly numbers: readonly number[];
  readonly type: number | undefined;
} {
  const fields = [...readFields(tensor)];
  const bytes = fields.find((field) => field.number === 9)?.value ?? new Uint8Array(0);
  return {
    numbers: [...new Int8Array(bytes)],
    type: fields.find((field) => field.number === 2)?.whole.at(-1),
  };
}

describe('a tensor of bytes', () => {
  it('keeps its differences when it is signed', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (values) => {
        const tensor = concatenate([
          writeNumber(1, values.length),
          writeNumber(2, uint8),
          ...writeBytes(9, [values]),
        ]);
        expect(read(toSigned(tensor))).toEqual({
          numbers: [...values].map((value) => value - 128),
          type: 3,
        });
      }),
    );
  });

  it.each([0, 1, 115, 127, 128, 131, 255])('may hold the number %i alone', (value) => {
    const type = writeNumber(2, uint8);
    const asNumber = concatenate([type, writeNumber(5, value), writeText(8, 'zero')]);
    const packed = concatenate([type, ...writeBytes(5, [writeNumber(1, value).subarray(1)])]);
    expect(read(toSigned(asNumber))).toEqual({ numbers: [value - 128], type: 3 });
    expect(read(toSigned(packed))).toEqual({ numbers: [value - 128], type: 3 });
  });
});

it.each([0, 2, -1])('a list of the index %i alone has its name and its bytes', (index) => {
  const fields = new Map(
    [...readFields(indexTensor('axis', index))].map((field) => [field.number, field.value]),
  );
  expect(new TextDecoder().decode(fields.get(8))).toBe('axis');
  expect(Buffer.from(fields.get(9) ?? []).readBigInt64LE()).toBe(BigInt(index));
});
