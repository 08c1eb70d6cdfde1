import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectContainer, signatureBytes } from '../../../../electron/core/media/media-signature.ts';
import { extensionOf, fitsExtension, mimeTypeOf } from '../../../../electron/core/media/media-type.ts';
import { kennedy } from '../../../support/speech/speech-audio.ts';

const bytes = (...values: (number | string)[]): Buffer =>
  Buffer.concat(
    values.map((value) => (typeof value === 'string' ? Buffer.from(value, 'latin1') : Buffer.of(value))),
  );
const padded = (head: Buffer): Buffer => Buffer.concat([head, Buffer.alloc(400)]);

/** MPEG 1 layer 3, 128 kbit/s, 44.1 kHz: frames of 417 bytes. */
const mp3Frame = (): Buffer => {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x00]);
  return frame;
};
const adtsFrame = (length: number): Buffer => {
  const frame = Buffer.alloc(length);
  frame.set([
    0xff,
    0xf1,
    0x50,
    0x80 | (length >> 11),
    (length >> 3) & 0xff,
    ((length & 7) << 5) | 0x1f,
    0xfc,
  ]);
  return frame;
};
const transportPackets = (step: number, first: number): Buffer => {
  const packets = Buffer.alloc(step * 4);
  for (let i = first; i < packets.length; i += step) packets[i] = 0x47;
  return packets;
};

const samples = {
  wave: bytes('RIFF', 0x24, 0, 0, 0, 'WAVEfmt '),
  'wave as RF64': bytes('RF64', 0xff, 0xff, 0xff, 0xff, 'WAVEds64'),
  aiff: bytes('FORM', 0, 0, 0, 9, 'AIFF'),
  caf: bytes('caff', 0, 1),
  au: bytes('.snd', 0, 0, 0, 24),
  flac: bytes('fLaC', 0, 0, 0, 34),
  ogg: bytes('OggS', 0, 2),
  'mpeg-audio': Buffer.concat([mp3Frame(), mp3Frame()]),
  'mpeg-audio with a tag': bytes('ID3', 4, 0, 0, 0, 0, 0, 0, ...mp3Frame(), ...mp3Frame()),
  'mpeg-audio after rubbish': Buffer.concat([Buffer.alloc(100, 1), mp3Frame(), mp3Frame()]),
  'mpeg-audio behind a long cover': bytes('ID3', 4, 0, 0, 0, 0x7f, 0x7f, 0x7f),
  adts: Buffer.concat([adtsFrame(200), adtsFrame(180)]),
  mp4: bytes(0, 0, 0, 0x20, 'ftypM4A '),
  'mp4 as old QuickTime': bytes(0, 0, 0, 8, 'wide', 0, 0, 0, 0, 'mdat'),
  matroska: bytes(0x1a, 0x45, 0xdf, 0xa3),
  avi: bytes('RIFF', 0, 0, 0, 0, 'AVI LIST'),
  asf: bytes(0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11),
  amr: bytes('#!AMR-WB\n'),
  ac3: bytes(0x0b, 0x77),
  wavpack: bytes('wvpk'),
  ape: bytes('MAC '),
  'mpeg-ts': transportPackets(188, 0),
  'mpeg-ts as M2TS': transportPackets(192, 4),
  'mpeg-ps': bytes(0, 0, 1, 0xba),
  flv: bytes('FLV', 1, 5),
  realmedia: bytes('.RMF'),
};

describe('detectContainer', () => {
  test.each(Object.entries(samples))('detects %s', (name, head) => {
    expect(detectContainer(padded(head))).toBe(name.split(' ')[0]);
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(1000)],
    ['text', Buffer.from('Dear diary, '.repeat(100))],
    ['a PDF', padded(bytes('%PDF-1.7'))],
    ['a picture', padded(bytes(0x89, 'PNG\r\n', 0x1a, '\n'))],
    ['a JPEG', padded(bytes(0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 'JFIF'))],
    ['an archive', padded(bytes('PK', 3, 4))],
    ['a program', padded(bytes(0x7f, 'ELF'))],
    ['a web page', Buffer.from('<!doctype html><title>Login</title>')],
  ])('does not mistake %s for media', (_name, head) => {
    expect(detectContainer(head)).toBeNull();
  });

  test('reads any bytes without failing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (head) => {
        expect(() => detectContainer(head)).not.toThrow();
        expect(() => detectContainer(bytes('ID3', ...head))).not.toThrow();
      }),
    );
  });

  test('detects real recordings', () => {
    expect(detectContainer(readFileSync(kennedy.wav).subarray(0, signatureBytes))).toBe('wave');
    expect(detectContainer(readFileSync(kennedy.mp3).subarray(0, signatureBytes))).toBe('mpeg-audio');
  });
});

describe('extensions', () => {
  test.each([
    ['a.MP3', 'mp3'],
    ['a.b.wav', 'wav'],
    ['noextension', ''],
    ['.mp3', ''],
    ['a.', ''],
    ['a.constructor', 'constructor'],
  ])('%s has the extension %j', (name, extension) => {
    expect(extensionOf(name)).toBe(extension);
  });

  test('properties of every object are not extensions', () => {
    expect(mimeTypeOf('constructor')).toBeNull();
    expect(mimeTypeOf('__proto__')).toBeNull();
    expect(fitsExtension('wave', 'toString')).toBe(false);
  });
});
