/** Reads and writes protobuf messages field by field, without a schema and without copying what stays unchanged. */

/** Protobuf's wire types; fixed-width numbers are passed through unread. */
const wireType = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** One field of a message. */
export interface Field {
  readonly number: number;
  /** The encoded field, with its tag. */
  readonly encoded: Uint8Array;
  /** The value of a field of text, bytes or a message; empty for numbers. */
  readonly value: Uint8Array;
}

/** @throws RangeError when the bytes are not a protobuf message. */
export function* readFields(message: Uint8Array): Generator<Field> {
  let position = 0;

  const readVarint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = message[position++];
      if (byte === undefined) throw new RangeError('The message ends within a number.');
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };

  while (position < message.length) {
    const start = position;
    const tag = readVarint();
    let valueStart = position;
    switch (tag & 7) {
      case wireType.varint:
        readVarint();
        valueStart = position;
        break;
      case wireType.fixed64:
        valueStart = position += 8;
        break;
      case wireType.fixed32:
        valueStart = position += 4;
        break;
      case wireType.bytes: {
        const length = readVarint();
        valueStart = position;
        position += length;
        break;
      }
      default:
        throw new RangeError(`Field ${tag >>> 3} has an unknown kind of value.`);
    }
    if (position > message.length) throw new RangeError(`Field ${tag >>> 3} goes beyond its message.`);
    yield {
      number: tag >>> 3,
      encoded: message.subarray(start, position),
      value: message.subarray(valueStart, position),
    };
  }
}

/** Encodes a field of bytes, text or a message; the pieces are to be concatenated. */
export function writeBytes(number: number, pieces: readonly Uint8Array[]): readonly Uint8Array[] {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return [encodeVarint(number * 8 + wireType.bytes), encodeVarint(length), ...pieces];
}

/** Encodes a field of text. */
export function writeText(number: number, text: string): Uint8Array {
  return concatenate(writeBytes(number, [new TextEncoder().encode(text)]));
}

/** Encodes a field with a non-negative integer. */
export function writeNumber(number: number, value: number): Uint8Array {
  return concatenate([encodeVarint(number * 8 + wireType.varint), encodeVarint(value)]);
}

export function concatenate(pieces: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let position = 0;
  for (const piece of pieces) {
    result.set(piece, position);
    position += piece.length;
  }
  return result;
}

function encodeVarint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
