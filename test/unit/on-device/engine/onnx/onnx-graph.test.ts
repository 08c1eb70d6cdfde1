import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  indexTensor,
  pruneToOutputs,
  makeNode,
  type Model,
  type Node,
  readModel,
  replaceConditionByBranch,
  toSignedBytes,
  writeModel,
} from '../../../../../electron/on-device/engine/onnx/onnx-graph.ts';
import {
  concatenate,
  readFields,
  writeBytes,
  writeNumber,
  writeText,
} from '../../../../../electron/on-device/engine/onnx/protobuf.ts';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('protobuf', () => {
  it('reads what it writes', () => {
    const number = fc.integer({ min: 1, max: 2 ** 20 });
    fc.assert(
      fc.property(fc.array(fc.tuple(number, fc.string({ unit: 'grapheme' }))), (fields) => {
        const message = concatenate(fields.map(([field, value]) => writeText(field, value)));
        expect([...readFields(message)].map((field) => [field.number, text(field.value)])).toEqual(fields);
      }),
    );
  });

  it('passes numbers of every size and kind', () => {
    const fixed32 = Uint8Array.of(3 * 8 + 5, 1, 2, 3, 4);
    const fixed64 = Uint8Array.of(4 * 8 + 1, 1, 2, 3, 4, 5, 6, 7, 8);
    const pieces = [writeNumber(1, 0), writeNumber(2, 2 ** 40), fixed32, fixed64, writeText(5, 'end')];
    const fields = [...readFields(concatenate(pieces))];
    expect(fields.map((field) => field.number)).toEqual([1, 2, 3, 4, 5]);
    expect(fields.map((field) => field.encoded)).toEqual(pieces);
    expect(text(fields[4]!.value)).toBe('end');
  });

  it.each([
    ['a number that does not end', Uint8Array.of(8, 255)],
    ['text longer than the message', Uint8Array.of(10, 5, 65)],
    ['a kind of value that there is not', Uint8Array.of(11, 0)],
    ['a fixed number cut off', Uint8Array.of(13, 0)],
  ])('refuses %s', (_, message) => {
    expect(() => [...readFields(message)]).toThrow(RangeError);
  });
});

/** The parts of a value or weight that the graph needs. */
const value = (name: string): Uint8Array => writeText(1, name);
const weight = (name: string): Uint8Array => concatenate([writeText(8, name), writeText(9, 'numbers')]);

const named = (
  make: (name: string) => Uint8Array,
  ...names: readonly string[]
): ReadonlyMap<string, Uint8Array> => new Map(names.map((name) => [name, make(name)]));

function branch(...nodes: readonly Node[]): Uint8Array {
  return concatenate(nodes.flatMap((node) => writeBytes(1, [node.bytes])));
}

function attribute(name: string, graph: Uint8Array): readonly Uint8Array[] {
  return writeBytes(5, [writeText(1, name), ...writeBytes(6, [graph])]);
}

const model: Model = {
  header: [writeNumber(1, 8), writeText(2, 'test')],
  nodes: [
    makeNode('Mul', ['in', 'scale'], ['scaled']),
    makeNode('Add', ['scaled', 'offset'], ['shifted']),
    makeNode('Neg', ['other'], ['negative']),
  ],
  weights: named(weight, 'scale', 'offset'),
  inputs: named(value, 'in', 'other'),
  outputs: named(value, 'shifted', 'scaled', 'negative'),
};

const opsOf = ({ nodes }: Model): readonly string[] => nodes.map((node) => node.op);

describe('an ONNX model', () => {
  it('survives a round trip', () => {
    expect(readModel(writeModel(model))).toEqual(model);
  });

  it('without a graph is rejected', () => {
    expect(() => readModel(writeNumber(1, 8))).toThrow(RangeError);
  });

  it('keeps only what its outputs need', () => {
    const kept = pruneToOutputs(model, ['scaled']);
    expect(opsOf(kept)).toEqual(['Mul']);
    expect([...kept.weights.keys()]).toEqual(['scale']);
    expect([...kept.inputs.keys()]).toEqual(['in']);
    expect([...kept.outputs.keys()]).toEqual(['scaled']);
    expect(kept.header).toEqual(model.header);
  });

  it('has its outputs in the requested order', () => {
    expect([...pruneToOutputs(model, ['negative', 'shifted']).outputs.keys()]).toEqual([
      'negative',
      'shifted',
    ]);
  });

  it('rejects an unknown output', () => {
    expect(() => pruneToOutputs(model, ['missing'])).toThrow('missing');
  });

  describe('with a condition', () => {
    const condition = concatenate([
      writeText(1, 'choice'),
      writeText(2, 'result'),
      writeText(4, 'If'),
      ...attribute('then_branch', branch(makeNode('Mul', ['in', 'scale'], ['result']))),
      ...attribute('else_branch', branch(makeNode('Add', ['prepared', 'offset'], ['result']))),
    ]);
    const choosing = readModel(
      writeModel({
        ...model,
        nodes: [
          makeNode('Neg', ['in'], ['prepared']),
          { op: '', inputs: [], outputs: [], branches: new Map(), bytes: condition },
        ],
        inputs: named(value, 'in', 'choice'),
        outputs: named(value, 'result'),
      }),
    );

    it.each([
      ['then_branch', ['Mul'], ['scale']],
      ['else_branch', ['Neg', 'Add'], ['offset']],
    ])('always takes the %s', (name, ops, weights) => {
      const taken = pruneToOutputs(replaceConditionByBranch(choosing, name), ['result']);
      expect(opsOf(taken)).toEqual(ops);
      expect([...taken.weights.keys()]).toEqual(weights);
      expect([...taken.inputs.keys()]).toEqual(['in']);
    });

    it('keeps what the branches need when the condition stays', () => {
      const kept = pruneToOutputs(choosing, ['result']);
      expect(opsOf(kept)).toEqual(['Neg', 'If']);
      expect([...kept.weights.keys()]).toEqual(['scale', 'offset']);
    });

    it('rejects an unknown branch', () => {
      expect(() => replaceConditionByBranch(choosing, 'third_branch')).toThrow('third_branch');
    });
  });
});

const uint8 = 2;

/** The values and the type of a signed tensor. */
function read(tensor: Uint8Array): {
  readonly numbers: readonly number[];
  readonly type: number | undefined;
} {
  const fields = [...readFields(tensor)];
  const bytes = fields.find((field) => field.number === 9)?.value ?? new Uint8Array(0);
  return {
    numbers: [...new Int8Array(bytes)],
    type: fields.find((field) => field.number === 2)?.encoded.at(-1),
  };
}

describe('a tensor of bytes', () => {
  it('keeps its differences when converted to signed', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (values) => {
        const tensor = concatenate([
          writeNumber(1, values.length),
          writeNumber(2, uint8),
          ...writeBytes(9, [values]),
        ]);
        expect(read(toSignedBytes(tensor))).toEqual({
          numbers: [...values].map((value) => value - 128),
          type: 3,
        });
      }),
    );
  });

  it.each([0, 1, 115, 127, 128, 131, 255])('may hold only the number %i', (value) => {
    const type = writeNumber(2, uint8);
    const asNumber = concatenate([type, writeNumber(5, value), writeText(8, 'zero')]);
    const packed = concatenate([type, ...writeBytes(5, [writeNumber(1, value).subarray(1)])]);
    expect(read(toSignedBytes(asNumber))).toEqual({ numbers: [value - 128], type: 3 });
    expect(read(toSignedBytes(packed))).toEqual({ numbers: [value - 128], type: 3 });
  });
});

it('an index tensor has its name and values', () => {
  const fields = new Map(
    [...readFields(indexTensor('axis', 0, 2, -1))].map((field) => [field.number, field.value]),
  );
  expect(new TextDecoder().decode(fields.get(8))).toBe('axis');
  const values = Buffer.from(fields.get(9) ?? []);
  expect([0, 8, 16].map((at) => Number(values.readBigInt64LE(at)))).toEqual([0, 2, -1]);
});
