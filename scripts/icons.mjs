/**
 * `node scripts/icons.mjs`: draws the program's icons in all sizes and formats from resources/icon.svg, with rsvg-convert
 * (Debian: librsvg2-bin). Run it after each change of the drawing.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { spawnSync } from 'node:child_process';
import { root } from './setup/common.mjs';

/** The sizes of the desktop's theme, in pixels. */
const linuxSizes = [16, 24, 32, 48, 64, 96, 128, 256, 512];
const windowsSizes = [16, 20, 24, 32, 40, 48, 64, 256];
/** Apple's names of the sizes in an icns file. */
const macSizes = /** @type {const} */ ([
  ['icp4', 16],
  ['ic11', 32],
  ['icp5', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
]);

for (const size of linuxSizes) save(`linux/icons/${size}x${size}.png`, draw(size));
save('icon.png', draw(1024));
save('icons/window.png', draw(256));
save('mac/icon.icns', icns());
save('windows/icon.ico', ico());
save('icons/tray.ico', ico());

/**
 * @param {string} path In resources/.
 * @param {Uint8Array} content
 */
function save(path, content) {
  const file = resolve(root, 'resources', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/**
 * Returns the drawing as PNG.
 *
 * @param {number} size In pixels.
 */
function draw(size) {
  const args = ['--width', String(size), '--height', String(size), resolve(root, 'resources/icon.svg')];
  const { status, stdout, error } = spawnSync('rsvg-convert', args, { maxBuffer: 16 * 1024 * 1024 });
  if (status !== 0) throw new Error('rsvg-convert failed.', { cause: error });
  return stdout;
}

/** Returns an icon of macOS: a list of PNG images, each with its name and its length. */
function icns() {
  const entries = macSizes.map(([name, size]) => {
    const image = draw(size);
    return Buffer.concat([Buffer.from(name), uint32(image.length + 8), image]);
  });
  const content = Buffer.concat(entries);
  return Buffer.concat([Buffer.from('icns'), uint32(content.length + 8), content]);
}

/** @param {number} value */
function uint32(value) {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}

/** Returns an icon of Windows: a directory of 16 bytes for each image, then the PNG images. */
function ico() {
  const images = windowsSizes.map((size) => ({ size, image: draw(size) }));
  const directory = Buffer.alloc(6 + 16 * images.length);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(images.length, 4);
  let offset = directory.length;
  for (const [index, { size, image }] of images.entries()) {
    const entry = 6 + 16 * index;
    // 256 is written as 0.
    directory.writeUInt8(size % 256, entry);
    directory.writeUInt8(size % 256, entry + 1);
    directory.writeUInt16LE(1, entry + 4);
    directory.writeUInt16LE(32, entry + 6);
    directory.writeUInt32LE(image.length, entry + 8);
    directory.writeUInt32LE(offset, entry + 12);
    offset += image.length;
  }
  return Buffer.concat([directory, ...images.map(({ image }) => image)]);
}
