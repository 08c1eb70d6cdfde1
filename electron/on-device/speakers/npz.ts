import { inflateRawSync } from 'node:zlib';

/** An array of a NumPy file, in C order. */
export interface NumpyArray {
  readonly shape: readonly number[];
  readonly values: Float64Array;
}

const zip = {
  /** The record at the end of the file, which says where the directory is. */
  end: { signature: 0x06_05_4b_50, length: 22, count: 10, directory: 16 },
  entry: { signature: 0x02_01_4b_50, method: 10, packedSize: 20, nameLength: 28, offset: 42, length: 46 },
  file: { nameLength: 26, extraLength: 28, length: 30 },
} as const;
const storedMethod = 0;
const deflatedMethod = 8;
const magic = '\u0093NUMPY';
/** Far more than any array that is read has; the user's own file may be any file. */
const maxArrayBytes = 16 * 1024 ** 2;

/**
 * Reads arrays of 32-bit or 64-bit floating-point numbers in a file of NumPy's `savez`, by name; leaves out others. Unpacks
 * nothing but the arrays of these names, each once.
 *
 * @throws RangeError when it is not such a file
 */
export function readNpz(bytes: Uint8Array, names: readonly string[]): ReadonlyMap<string, NumpyArray> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const arrays = new Map<string, NumpyArray>();
  const unread = new Set(names);
  for (const entry of entriesOf(file)) {
    const name = entry.name.replace(/\.npy$/, '');
    if (!unread.delete(name)) continue;
    const array = readArray(unpack(entry));
    if (array !== null) arrays.set(name, array);
  }
  return arrays;
}

interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly packed: Buffer;
}

function unpack({ name, method, packed }: ZipEntry): Buffer {
  if (method === storedMethod) return packed;
  if (method === deflatedMethod) return inflateRawSync(packed, { maxOutputLength: maxArrayBytes });
  throw new RangeError(`The archive packs ${name} in an unknown way.`);
}

function* entriesOf(file: Buffer): Generator<ZipEntry> {
  let end = file.length - zip.end.length;
  while (end >= 0 && file.readUInt32LE(end) !== zip.end.signature) end--;
  if (end < 0) throw new RangeError('This is not a NumPy archive.');
  let entryAt = file.readUInt32LE(end + zip.end.directory);
  for (let remaining = file.readUInt16LE(end + zip.end.count); remaining > 0; remaining--) {
    if (file.readUInt32LE(entryAt) !== zip.entry.signature) throw new RangeError('The archive is damaged.');
    const nameLength = file.readUInt16LE(entryAt + zip.entry.nameLength);
    const name = file.toString('utf8', entryAt + zip.entry.length, entryAt + zip.entry.length + nameLength);
    const start = file.readUInt32LE(entryAt + zip.entry.offset);
    const contentAt =
      start +
      zip.file.length +
      file.readUInt16LE(start + zip.file.nameLength) +
      file.readUInt16LE(start + zip.file.extraLength);
    const packed = file.subarray(contentAt, contentAt + file.readUInt32LE(entryAt + zip.entry.packedSize));
    const method = file.readUInt16LE(entryAt + zip.entry.method);
    yield { name, method, packed };
    // After the name come the extra field and the comment, of these lengths.
    entryAt +=
      zip.entry.length + nameLength + file.readUInt16LE(entryAt + 30) + file.readUInt16LE(entryAt + 32);
  }
}

/** Reads the content of a `.npy` file; `null` if its numbers are of another kind. */
function readArray(content: Buffer): NumpyArray | null {
  if (content.toString('latin1', 0, magic.length) !== magic)
    throw new RangeError('The archive holds another kind of file.');
  const isVersion1 = content.readUInt8(magic.length) === 1;
  const headerAt = magic.length + (isVersion1 ? 4 : 6);
  const headerLength = isVersion1 ? content.readUInt16LE(headerAt - 2) : content.readUInt32LE(headerAt - 4);
  const header = content.toString('latin1', headerAt, headerAt + headerLength);
  const size = /'descr': '<f([48])'/.exec(header)?.[1];
  if (size === undefined) return null;
  const dimensions = /'shape': \(([\d, ]*)\)/.exec(header)?.[1] ?? '';
  const shape = [...dimensions.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  const count = shape.reduce((product, length) => product * length, 1);
  if (count * Number(size) > content.length) throw new RangeError('The archive holds an incomplete array.');
  const numberAt = (i: number): number =>
    size === '4'
      ? content.readFloatLE(headerAt + headerLength + 4 * i)
      : content.readDoubleLE(headerAt + headerLength + 8 * i);
  const isByColumn = header.includes("'fortran_order': True");
  const [rows = 1, columns = 1] = shape;
  const values = Float64Array.from({ length: count }, (_, i) =>
    numberAt(isByColumn && shape.length === 2 ? (i % columns) * rows + Math.floor(i / columns) : i),
  );
  return { shape, values };
}
