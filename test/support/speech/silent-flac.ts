const sampleRate = 8000;
/** Samples per frame: the maximum. */
const blockSize = 65_535;
/** Frame numbers are encoded like code points in UTF-8; from here on they would be none. */
const firstSurrogate = 0xd800;
/** Offset of the frame number. */
const numberAt = 4;

/** Creates a FLAC file of silence (RFC 9639): hours in a few kilobytes. */
export function silentFlac(hours: number): { readonly file: Buffer; readonly seconds: number } {
  const frames = Math.floor((hours * 3600 * sampleRate) / blockSize);
  const info = Buffer.alloc(34);
  info.writeUInt16BE(blockSize, 0);
  info.writeUInt16BE(blockSize, 2);
  // 20 bits of sample rate, one channel, 16 bits per sample, and 36 bits of a length that is unknown.
  info.writeBigUInt64BE((BigInt(sampleRate) << 44n) | (15n << 36n), 10);
  const pieces: Uint8Array[] = [Buffer.from('fLaC'), Buffer.of(0x80, 0, 0, info.length), info];
  for (let frame = 0; frame < frames; frame++) pieces.push(silentFrame(frame));
  return { file: Buffer.concat(pieces), seconds: (frames * blockSize) / sampleRate };
}

function silentFrame(number: number): Buffer {
  if (number >= firstSurrogate) throw new RangeError('Too many frames.');
  const coded = Buffer.from(String.fromCodePoint(number));
  // Block size in 16 bits, 8 kHz, one channel, 16 bits per sample.
  const head = Buffer.alloc(numberAt + coded.length + 3);
  head.set([0xff, 0xf8, 0x74, 0x08]);
  head.set(coded, numberAt);
  head.writeUInt16BE(blockSize - 1, numberAt + coded.length);
  head.writeUInt8(checksum(head.subarray(0, -1), 8, 0x07), head.length - 1);
  const frame = Buffer.concat([head, Buffer.alloc(5)]);
  frame.writeUInt16BE(checksum(frame.subarray(0, -2), 16, 0x8005), frame.length - 2);
  return frame;
}

function checksum(bytes: Uint8Array, bits: number, polynomial: number): number {
  const highest = 1 << (bits - 1);
  let rest = 0;
  for (const byte of bytes) {
    rest ^= byte << (bits - 8);
    for (let bit = 0; bit < 8; bit++) {
      rest = ((rest << 1) ^ (rest & highest ? polynomial : 0)) & (2 * highest - 1);
    }
  }
  return rest;
}
