type NumpyValues = readonly number[] | readonly (readonly number[])[];

interface NpzOptions {
  readonly kind?: '<f4' | '<f8' | '<i8';
  readonly isByColumn?: boolean;
  /** Packs the content of each array. */
  readonly pack?: (content: Buffer) => Buffer;
}

/** Creates a file as NumPy's `savez` does, from vectors and matrices by name. */
export function npzFile(
  arrays: Readonly<Record<string, NumpyValues>>,
  { kind = '<f8', isByColumn = false, pack }: NpzOptions = {},
): Uint8Array {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, values] of Object.entries(arrays)) {
    const content = npyFile(values, kind, isByColumn);
    const packed = pack?.(content) ?? content;
    const fileName = Buffer.from(`${name}.npy`);
    const header = Buffer.alloc(30);
    header.write('PK\u0003\u0004', 'latin1');
    header.writeUInt16LE(pack === undefined ? 0 : 8, 8);
    header.writeUInt16LE(fileName.length, 26);
    files.push(header, fileName, packed);
    const entry = Buffer.alloc(46);
    entry.write('PK\u0001\u0002', 'latin1');
    entry.writeUInt16LE(pack === undefined ? 0 : 8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(content.length, 24);
    entry.writeUInt16LE(fileName.length, 28);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, fileName);
    offset += header.length + fileName.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(Object.keys(arrays).length, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, ...directory, end]);
}

function npyFile(values: NumpyValues, kind: string, isByColumn: boolean): Buffer {
  const rows = values.map((row) => (typeof row === 'number' ? [row] : row));
  const isMatrix = typeof values[0] !== 'number';
  const [n, m] = [rows.length, rows[0]?.length ?? 0];
  const shape = isMatrix ? `(${n}, ${m})` : `(${n},)`;
  const order = isByColumn ? 'True' : 'False';
  const description = `{'descr': '${kind}', 'fortran_order': ${order}, 'shape': ${shape}, }\n`;
  const header = Buffer.alloc(10);
  header.write('\u0093NUMPY\u0001\u0000', 'latin1');
  header.writeUInt16LE(description.length, 8);
  const inOrder = isByColumn
    ? Array.from({ length: n * m }, (_, i) => rows[i % n]![Math.floor(i / n)]!)
    : rows.flat();
  const numbers = kind === '<f4' ? Float32Array.from(inOrder) : Float64Array.from(inOrder);
  return Buffer.concat([header, Buffer.from(description), Buffer.from(numbers.buffer)]);
}
