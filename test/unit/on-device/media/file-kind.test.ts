import { expect, test } from 'vitest';
import {
  assertMediaName,
  assertSignature,
  guessSourceKind,
} from '../../../../electron/on-device/media/file-kind.ts';

const mp3Frame = Buffer.alloc(417);
mp3Frame.set([0xff, 0xfb, 0x90, 0x00]);
const mp3 = Buffer.concat([mp3Frame, mp3Frame, mp3Frame]);
const mp4 = Buffer.from('\0\0\0\u0020ftypM4A ');
const ogg = Buffer.from('OggS\0\u0002');

test.each([
  ['talk.mp3', 'audio'],
  ['TALK.OPUS', 'audio'],
  ['film.mkv', 'video'],
  ['recording', 'audio'],
  ['recording.unheard-of', 'audio'],
])('%s counts as %s until it has been opened', (name, kind) => {
  expect(() => assertMediaName(name)).not.toThrow();
  expect(guessSourceKind(name)).toBe(kind);
});

test.each(['notes.txt', 'paper.PDF', 'a.mp3.zip', 'cover.jpg', 'subtitles.srt'])('%s is refused', (name) => {
  expect(() => assertMediaName(name)).toThrow(expect.objectContaining({ code: 'unsupported_file' }));
});

test.each([
  ['talk.mp3', mp3],
  ['talk.M4A', mp4],
  ['download', ogg],
  ['download.php', ogg],
])('accepts matching content for %s', (name, head) => {
  expect(() => assertSignature(head, name)).not.toThrow();
});

test.each([
  ['talk.mp3', mp4, 'invalid_file_signature'],
  ['talk.mp3', Buffer.from('only text, not sound'), 'invalid_file_signature'],
  ['talk.wav', ogg, 'invalid_file_signature'],
  ['download', Buffer.from('<html>'), 'unsupported_file'],
])('rejects other content for %s', (name, head, code) => {
  expect(() => assertSignature(head, name)).toThrow(expect.objectContaining({ code }));
});
