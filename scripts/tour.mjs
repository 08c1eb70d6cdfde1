/**
 * `node scripts/tour.mjs`: joins the documentation's screenshots to the animation of the README, docs/screens/tour.png (an
 * APNG: the frames are the data of the screenshots, which all have the same size and colours). Run it after taking them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import { root } from './setup/common.mjs';

const screens = [
  'batch-light',
  'queue-light',
  'library-search-light',
  'transcript-review-light',
  'export-light',
];
const secondsPerScreen = 3;

const folder = resolve(root, 'docs/screens');
const images = screens.map((name) => chunksOf(readFileSync(resolve(folder, `${name}.png`))));
const header = images[0]?.get('IHDR') ?? Buffer.alloc(0);
if (images.some((image) => !image.get('IHDR')?.equals(header)))
  throw new Error('The screenshots differ in size or colours.');

/** Numbers the chunks of frames, as the format requires. */
let sequence = 0;
const parts = [
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  chunk('IHDR', header),
  // Shown over and over.
  chunk('acTL', numbers(images.length, 0)),
  ...images.flatMap((image, index) => {
    const data = image.get('IDAT') ?? Buffer.alloc(0);
    const control = [
      numbers(sequence++),
      header.subarray(0, 8),
      numbers(0, 0),
      Buffer.from([0, secondsPerScreen, 0, 1, 0, 0]),
    ];
    return [
      chunk('fcTL', Buffer.concat(control)),
      // A program that knows no animations shows the first frame.
      index === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([numbers(sequence++), data])),
    ];
  }),
  chunk('IEND', Buffer.alloc(0)),
];
writeFileSync(resolve(folder, 'tour.png'), Buffer.concat(parts));

/**
 * Returns the data of a PNG's chunks by their types; several of one type are joined.
 *
 * @param {Buffer} file
 * @returns {ReadonlyMap<string, Buffer>}
 */
function chunksOf(file) {
  /** @type {Map<string, Buffer>} */
  const chunks = new Map();
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + length);
    chunks.set(type, Buffer.concat([chunks.get(type) ?? Buffer.alloc(0), data]));
    at += length + 12;
  }
  return chunks;
}

/**
 * @param {string} type
 * @param {Buffer} data
 */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([numbers(data.length), body, numbers(crc32(body))]);
}

/** @param {number[]} values each of 32 bits */
function numbers(...values) {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i);
  return bytes;
}
